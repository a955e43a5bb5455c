"""How sure, with SciPy inside: `intervals` of shares, `bootstrap` intervals of anything, two `samples` against each
other (tests and effect sizes), `repetitions` of one search, `agreement` of predicted and measured numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.statistics.intervals import share_interval as share_interval

__getattr__, __all__ = public_names(
    __name__,
    {
        "intervals": "share_interval",
    },
)
