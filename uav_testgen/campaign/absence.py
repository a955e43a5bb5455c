"""What a search says where nobody is left who could fly."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from uav_testgen.backend.base import BackendAbsent


@contextlib.contextmanager
def told_how_to_go_on() -> Iterator[None]:
    """Every answer was stored when it came, so the search can go on from there."""
    try:
        yield
    except BackendAbsent as error:
        raise BackendAbsent(f"{error}. What was flown is stored: mend it and go on with --resume") from None
