"""Was it safe: verdicts, distances, competition points. Start with `model`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.oracle.config import OracleConfig as OracleConfig
    from uav_testgen.oracle.finding import Finding as Finding
    from uav_testgen.oracle.judging import judge as judge
    from uav_testgen.oracle.model import Outcome as Outcome
    from uav_testgen.oracle.model import Verdict as Verdict
    from uav_testgen.oracle.requirement import Requirement as Requirement

__getattr__, __all__ = public_names(
    __name__,
    {
        "model": "Outcome Verdict",
        "config": "OracleConfig",
        "finding": "Finding",
        "requirement": "Requirement",
        "judging": "judge",
    },
)
