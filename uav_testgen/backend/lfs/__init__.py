"""The low-fidelity simulator: a whole flight as one compiled function, flown one by one or in batches."""

from uav_testgen.backend.lfs.backend import LfsBackend
from uav_testgen.backend.lfs.config import LfsConfig

__all__ = ["LfsBackend", "LfsConfig"]
