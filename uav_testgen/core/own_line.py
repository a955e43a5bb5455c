"""Which line of the user's code an error comes from: parts of their own are named with file and line.

An error often shows itself in a library that the user's code called, or in ours that it answered. Neither line helps
the user as much as the one they wrote themselves.
"""

from __future__ import annotations

import inspect
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from uav_testgen.core.errors import ConfigError, UavTestgenError

_OURS = Path(__file__).resolve().parents[1]


def line_of(error: BaseException) -> str:
    """'file:line: ' of the innermost line of the user's own, else of a library's; empty where all of it is ours."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if _is_foreign(one.filename)]
    own = [one for one in frames if is_own(one.filename)]
    last = (own or frames)[-1:]
    return f"{last[0].filename}:{last[0].lineno}: " if last else ""


def said_of(error: BaseException) -> str:
    """The error in one line: where, what kind, and what it says."""
    return f"{line_of(error)}{type(error).__name__}: {error}"


def line_of_method(part: Any, name: str) -> str:
    """'file:line: ' of where a method of the user's begins; empty where it is not written in Python."""
    code = getattr(inspect.unwrap(getattr(part, name, None) or _nothing), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}: " if code and _is_foreign(code.co_filename) else ""


@contextmanager
def making(kind: str, name: str) -> Iterator[None]:
    """A part of the user's is made: what goes wrong is a ConfigError that names the part, the file and the line."""
    try:
        yield
    except UavTestgenError:
        raise
    except Exception as error:
        said = said_of(error) if line_of(error) else str(error)
        raise ConfigError(f"{kind} '{name[:200]}' cannot be made: {said}"[:600]) from error


def is_own(file: str) -> bool:
    """Is it a file of the user's, neither ours nor an installed library?"""
    return _is_foreign(file) and not any(place in Path(file).parents for place in _libraries())


def _nothing() -> None: ...


def _is_foreign(file: str) -> bool:
    return not file.startswith("<frozen ") and _OURS not in Path(file).parents


@cache
def _libraries() -> tuple[Path, ...]:
    """Where Python and what is installed live."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple({Path(path) for name in names if (path := sysconfig.get_path(name))})
