"""A part of the program given by `package.module:Name` or `path/file.py:Name`.

Such code runs with the rights of whoever names it. Only names given on the command line, in Python or in the
user's own configuration come here; result files never do.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.own_line import said_of


def is_plugin(name: str) -> bool:
    """Does the name point at code, rather than at something registered?"""
    return ":" in name


def load_plugin(kind: str, name: str) -> Any:
    """The object; ConfigError says what is missing, or the file and line on which importing it failed."""
    place, _, attribute = name.rpartition(":")
    if not place or not attribute:
        raise ConfigError(f"{kind} '{name}': expected package.module:Name or path/file.py:Name")
    module = _load_file(kind, place) if place.endswith(".py") else _load_module(kind, place)
    found = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            known = ", ".join(_own_names(found))[:200]
            raise ConfigError(f"{kind} '{name}': {place} has no '{part}'; it has: {known or 'nothing'}")
        found = getattr(found, part)
    return found


def _own_names(place: Any) -> list[str]:
    """Public names of a module or class, without what a module only imports."""
    return [word for word in dir(place) if not word.startswith("_") and not _is_imported(place, word)]


def _is_imported(place: Any, word: str) -> bool:
    found = getattr(place, word)
    if not inspect.ismodule(place):
        return False
    return inspect.ismodule(found) or getattr(found, "__module__", place.__name__) != place.__name__


def name_of(registry: Any, part: Any) -> tuple[str, bool]:
    """The name under which a part is stored in settings, and whether other processes can load it by that name.

    A class of a module or file is named by where it stands. Anything else is registered under its own name, for
    this process only.
    """
    if isinstance(part, str):
        return part, True
    if isinstance(part, type):
        place = place_of(part)
        if place is not None:
            return f"{place}:{part.__qualname__}", True
    name = f"own {getattr(part, '__name__', type(part).__name__)}"
    registry.add(name, part, listed=False)
    return name, False


def place_of(part: type) -> str | None:
    """Module or file from which another process gets this very class."""
    name = part.__module__
    # Loading the script that is running would run it again.
    if "<locals>" in part.__qualname__ or name == "__main__":
        return None
    path = getattr(sys.modules.get(name), "__file__", None)
    if "." in name:
        return name  # of a package: its file alone could not import its neighbours
    return str(Path(path).resolve()) if path and path.endswith(".py") else None


def _load_module(kind: str, name: str) -> Any:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise ConfigError(f"{kind} '{name}': {_where(error)}") from error


class _AsItIs(SourceFileLoader):
    """Compiles the file as it is now: Python takes kept bytecode for it if size and second of the last edit agree."""

    def get_code(self, fullname: str) -> Any:
        return self.source_to_code(self.get_data(self.path), self.path)


def _load_file(kind: str, place: str) -> Any:
    path = Path(place).resolve()
    if not path.is_file():
        raise ConfigError(
            f"{kind} '{place}': no such file; the path is relative to {Path.cwd().name or '/'}/"
        )
    # One module per file and process, so that classes are the same object wherever they are named; a file that was
    # edited since, in a notebook or beside a running studio, is another one.
    try:
        content = str(path).encode() + b"\0" + path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{kind} '{place}': cannot be read ({error.strerror})") from None
    name = f"uav_testgen_plugin_{path.stem}_{hashlib.blake2b(content, digest_size=4).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path, loader=_AsItIs(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        raise ConfigError(f"{kind} '{place}': {_where(error)}") from error
    return module


def _where(error: BaseException) -> str:
    """The line of the user's code, and what went wrong there."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {error.msg}"
    return said_of(error)
