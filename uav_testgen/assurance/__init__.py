"""How sure are we: failure probabilities with intervals, the simplest failing scene, why it failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.assurance.certificate import Certificate as Certificate
    from uav_testgen.assurance.explanation import Explanation as Explanation
    from uav_testgen.assurance.explanation import explain as explain
    from uav_testgen.assurance.failing import Trials as Trials
    from uav_testgen.assurance.mechanism import Mechanism as Mechanism
    from uav_testgen.assurance.minimal import Minimised as Minimised
    from uav_testgen.assurance.minimal import minimise as minimise
    from uav_testgen.assurance.probability import certify as certify

__getattr__, __all__ = public_names(
    __name__,
    {
        "certificate": "Certificate",
        "explanation": "Explanation explain",
        "failing": "Trials",
        "mechanism": "Mechanism",
        "minimal": "Minimised minimise",
        "probability": "certify",
    },
)
