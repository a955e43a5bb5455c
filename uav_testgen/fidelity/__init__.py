"""How well does the simulator predict real flights? Records, metrics, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.fidelity.compare import Comparison as Comparison
    from uav_testgen.fidelity.records import Record as Record
    from uav_testgen.fidelity.records import load_records as load_records

__getattr__, __all__ = public_names(
    __name__,
    {
        "records": "Record load_records",
        "compare": "Comparison",
    },
)
