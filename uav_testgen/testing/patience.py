"""How much longer than on a quiet machine a test may take, or wait for something.

`make test-load` runs the suite on a machine that is crowded on purpose. What is tested stays the same; only the limits
after which a test gives up grow.
"""

from __future__ import annotations

import os

PATIENCE_VARIABLE = "UAV_TESTGEN_TEST_PATIENCE"


def patience() -> float:
    """A factor, 1 unless the runner says otherwise."""
    return float(os.environ.get(PATIENCE_VARIABLE) or 1.0)
