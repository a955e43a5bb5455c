"""One word for everything that a flight may have to compile first."""

from __future__ import annotations

from contextlib import AbstractContextManager

from uav_testgen.core.compile_watch import WATCH
from uav_testgen.loop.system import System


def announced(system: System) -> AbstractContextManager[None]:
    """Whatever is compiled inside is announced once, as the simulator of this system."""
    return WATCH.named(f"the simulator of system '{system.name}'")
