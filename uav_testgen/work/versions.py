"""What a result depends on besides its settings: versions and the kind of machine, no names or paths."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from uav_testgen import __version__
from uav_testgen.core.processors import available_cores

_LIBRARIES = ("numpy", "numba", "llvmlite", "scipy", "shapely", "pydantic")


def versions() -> dict[str, str]:
    """Versions of everything that takes part in a prediction."""
    found = {"uav_testgen": __version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "absent"
    return found


def host_facts() -> dict[str, str]:
    """The kind of machine, for judging speeds."""
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "cpus": str(available_cores()),
    }
