"""The low-fidelity simulator: a whole flight as one compiled function, or the same loop step by step."""

from uav_testgen.backend.lfs.backend import LfsBackend, LfsConfig

__all__ = ["LfsBackend", "LfsConfig"]
