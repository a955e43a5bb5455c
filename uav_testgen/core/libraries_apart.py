"""Libraries that obey a file of the working directory do not find it: that folder may be somebody else's.

Numba reads `.numba_config.yaml` there, when it is imported and whenever it compiles; matplotlib reads
`matplotlibrc`, which can make it start LaTeX. After `cd their_results` neither is the user's own configuration.
Variables (`NUMBA_...`, `MATPLOTLIBRC`) and files in the user's configuration folder keep their meaning.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType

NUMBA, MATPLOTLIB = "numba.core.config", "matplotlib"
_FILES = {NUMBA: ".numba_config.yaml", MATPLOTLIB: "matplotlibrc"}


def load_apart(*modules: str) -> None:
    """From now on the first import of each of these modules happens away from the working directory."""
    waiting = [name for name in modules if name not in sys.modules]
    if waiting:
        sys.meta_path.insert(0, _Finder(waiting))
    if NUMBA in modules and NUMBA in sys.modules:
        _forget_the_file(sys.modules[NUMBA])


class _Finder(importlib.abc.MetaPathFinder):
    """Finds like Python does, and loads elsewhere."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = set(names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self._names:
            return None
        self._names.discard(fullname)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(fullname, spec.loader)
        return spec


class _Loader(importlib.abc.Loader):
    def __init__(self, name: str, loader: importlib.abc.Loader) -> None:
        self._name, self._loader = name, loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self._loader
        with _elsewhere(_FILES[self._name]):
            self._loader.exec_module(module)
        if self._name == NUMBA:
            _forget_the_file(module)


def _forget_the_file(numba_config: ModuleType) -> None:
    """It looks for the file again before it compiles."""
    setattr(numba_config, "_config_fname", os.path.join(os.devnull, _FILES[NUMBA]))  # noqa: B010


@contextlib.contextmanager
def _elsewhere(file: str) -> Iterator[None]:
    """Nothing is changed where the working directory has no such file, which is nearly always."""
    if not os.path.lexists(file):
        yield
        return
    here = os.open(".", os.O_RDONLY)
    os.chdir(os.path.dirname(__file__))
    try:
        yield
    finally:
        os.fchdir(here)
        os.close(here)
