"""Every registered requirement keeps the contract, as it is and with arguments."""

from __future__ import annotations

from uav_testgen.oracle.requirement import REQUIREMENTS
from uav_testgen.testing.requirement_contract import RequirementContract

_WITH_ARGUMENTS = (
    "separation(limit_m=1.0, measure=exact)",
    "separation(limit_m=2.0, measure='horizontal')",
    "max_altitude(limit_m=5)",
    "geofence(east_m=[-5, 20], north_m=[-5, 5])",
)

for _number, _text in enumerate([*REQUIREMENTS.names(), *_WITH_ARGUMENTS]):
    _name = f"Test{_number}{_text.partition('(')[0].title().replace('_', '')}"
    globals()[_name] = type(_name, (RequirementContract,), {"text": _text})


def test_every_name_is_bound() -> None:
    bound = {value.text for value in globals().values() if isinstance(value, type) and hasattr(value, "text")}
    assert set(REQUIREMENTS.names()) <= bound
