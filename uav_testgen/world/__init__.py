"""Where it happens: obstacles at time t, ground, wind, exact distances. Start with `packed`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.world.scene import Scene as Scene

__getattr__, __all__ = public_names(
    __name__,
    {
        "scene": "Scene",
    },
)
