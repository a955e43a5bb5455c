"""Starting Python processes of our own, which import nothing from the working directory.

`python -m` and `python -c` put the working directory before everything else on their path. That may be somebody
else's folder: after `cd their_results`, a file `multiprocessing.py` in it would be run by the first worker process.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

_VARIABLE = "PYTHONSAFEPATH"
_HAS_OPTION = sys.version_info >= (3, 11)
# "-m" of an older Python; `sys` is built in, so nothing is imported before the folder is taken off the path.
_AS_MODULE = "import sys; del sys.path[0]; from runpy import _run_module_as_main as run; run({module!r})"


def module_words(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of this package."""
    if _HAS_OPTION:
        return [sys.executable, "-P", "-m", module, *arguments]
    return [sys.executable, "-c", _AS_MODULE.format(module=module), *arguments]


@contextlib.contextmanager
def started_apart() -> Iterator[None]:
    """Python processes that libraries start meanwhile do not look into the working directory either."""
    if _HAS_OPTION:
        given = os.environ.get(_VARIABLE)
        os.environ[_VARIABLE] = given or "1"
        try:
            yield
        finally:
            _restore(given)
        return
    here = os.open(".", os.O_RDONLY)
    os.chdir(os.path.dirname(__file__))
    try:
        yield
    finally:
        os.fchdir(here)
        os.close(here)


def as_given(body: Callable[..., None], given: str | None, *arguments: Any) -> None:
    """Run `body` in a process started apart, with the variable as the user has it: programs of theirs may need it."""
    _restore(given)
    body(*arguments)


def given_to_programs() -> str | None:
    """What the user's programs would find in the variable; for `as_given`."""
    return os.environ.get(_VARIABLE)


def _restore(given: str | None) -> None:
    if given is None:
        os.environ.pop(_VARIABLE, None)
    else:
        os.environ[_VARIABLE] = given
