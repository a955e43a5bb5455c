"""The closed loop: sense, plan, guide, move, track. One system under test, one state, one step, one tracker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.loop.compiled import CompiledFlight as CompiledFlight
    from uav_testgen.loop.scatter import ScatterConfig as ScatterConfig
    from uav_testgen.loop.system import System as System
    from uav_testgen.loop.system import assemble as assemble
    from uav_testgen.loop.system import named_system as named_system
    from uav_testgen.loop.system import system_names as system_names

__getattr__, __all__ = public_names(
    __name__,
    {
        "system": "System assemble named_system system_names",
        "compiled": "CompiledFlight",
        "scatter": "ScatterConfig",
    },
)
