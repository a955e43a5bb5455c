"""Libraries that others import and nobody here uses: loaded when they are used, not when they are named.

SciPy takes over every public name of NumPy, and so imports NumPy's compiler of Fortran: 6 % of the time in which a
command, a worker or a node starts.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType

FORTRAN = "numpy.f2py"


def load_later(module: str) -> None:
    """From now on this module is loaded when something in it is asked for; nothing else about it changes."""
    if module not in sys.modules:
        sys.meta_path.insert(0, _Finder(module))


class _Finder(importlib.abc.MetaPathFinder):
    """Finds like Python does; what it finds is loaded later."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = importlib.util.LazyLoader(spec.loader)
        return spec
