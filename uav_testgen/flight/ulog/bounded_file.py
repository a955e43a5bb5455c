"""A file that can be read a few times over, and not for ever.

At a damaged message pyulog seeks back by the length that message claims to have, also where the file ends
before: it then reads the same bytes again and again.
"""

from __future__ import annotations

import io

# A healthy log is read once; one with unknown messages or lost synchronisation, parts of it again.
_TIMES_OVER = 8
_ALLOWANCE_BYTES = 100_000


class EndlessFile(Exception):
    """The parser goes round in circles."""


class BoundedFile(io.BufferedReader):
    """Reads until `_TIMES_OVER` times the size of the file was read."""

    def __init__(self, raw: io.RawIOBase, size_bytes: int) -> None:
        super().__init__(raw)
        self._left_bytes = _TIMES_OVER * size_bytes + _ALLOWANCE_BYTES

    def read(self, size: int | None = -1, /) -> bytes:
        """As usual; EndlessFile when too much was read."""
        data = super().read(size)
        self._left_bytes -= len(data) + 1  # nothing read is a step of a circle, too
        if self._left_bytes < 0:
            raise EndlessFile("the same bytes are read over and over")
        return data
