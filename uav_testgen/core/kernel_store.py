"""Compiled kernels on disk: found again by what they were made from, in whichever folder the sources are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, ClassVar

from numba.core import caching, compiler, config

from uav_testgen.core.compile_cache import fingerprint
from uav_testgen.core.kernel_parts import part_key, part_library

_PACKAGE = Path(__file__).parents[1]


class SourceLocator(caching._CacheLocator):
    """One folder per source file of this package, below one per fingerprint of all of them."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        inside = os.path.splitext(os.path.relpath(py_file, _PACKAGE))[0].replace(os.sep, ".")
        folder = Path(config.CACHE_DIR)
        if not folder.name.endswith(fingerprint()):  # a folder that the user chose
            folder /= fingerprint()
        self._cache_path = str(folder / inside)

    def get_cache_path(self) -> str:
        """The folder of this source file."""
        return self._cache_path

    def get_source_stamp(self) -> str:
        """Numba would look at one file; functions depend on those that they call, too."""
        return fingerprint()

    def get_disambiguator(self) -> str:
        """Tells functions of one name apart."""
        return str(self._lineno)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> SourceLocator | None:
        """None for sources of others: Numba's own rules hold for them."""
        if not config.CACHE_DIR or not Path(py_file).is_relative_to(_PACKAGE):
            return None
        locator = cls(py_func, py_file)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _EntryImpl(caching.CompileResultCacheImpl):
    _locator_classes: ClassVar[list[Any]] = [SourceLocator, *caching.CompileResultCacheImpl._locator_classes]


class _PartImpl(_EntryImpl):
    """Parts are kept as optimised code that is no machine code yet."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return str(super().get_filename_base(f"{fullname}.part", abiflags))

    def reduce(self, result: Any) -> Any:
        result.fndesc.typemap = result.fndesc.calltypes = None
        bitcode = result.library._get_module_for_linking().as_bitcode()
        environments = tuple(result._find_referenced_environments())
        return (
            result.library.name, bitcode, result.fndesc, result.environment, result.signature,
            result.reload_init, environments,
        )  # fmt: skip

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        name, bitcode, fndesc, environment, signature, reload_init, environments = payload
        for load in reload_init or ():
            load()
        library = part_library(target_context.codegen(), name, bitcode)
        return compiler.compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=environment,
            entry_point=part_key(fndesc, library, environment),
            fndesc=fndesc,
            signature=signature,
            objectmode=False,
            lifted=(),
            reload_init=reload_init,
            referenced_envs=environments,  # alive for as long as the part: those who link it point to them
        )


class _Store(caching.FunctionCache):
    @classmethod
    def give(cls, dispatcher: Any) -> None:
        """Let this function be loaded from disk, and kept there."""
        if config.CACHE_DIR:
            dispatcher._cache = cls(dispatcher.py_func)


class EntryStore(_Store):
    """Machine code of what Python calls."""

    _impl_class = _EntryImpl


class PartStore(_Store):
    """Code of what kernels call."""

    _impl_class = _PartImpl
