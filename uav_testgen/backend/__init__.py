"""Who flies it: the low-fidelity simulator, recorded flights, and (by name) the ROS backends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.backend.base import Backend as Backend
    from uav_testgen.backend.base import Capabilities as Capabilities
    from uav_testgen.backend.lfs.backend import LfsBackend as LfsBackend
    from uav_testgen.backend.lfs.backend import LfsConfig as LfsConfig
    from uav_testgen.backend.registry import BACKENDS as BACKENDS
    from uav_testgen.backend.registry import make_backend as make_backend

__getattr__, __all__ = public_names(
    __name__,
    {
        "base": "Backend Capabilities",
        "registry": "BACKENDS make_backend",
        "lfs.backend": "LfsBackend LfsConfig",
    },
)
