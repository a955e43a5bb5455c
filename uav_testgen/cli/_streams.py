"""Standard streams that never end the work: what cannot be written is dropped and remembered.

A campaign must not stop because nobody reads its progress any more, and a result that is on the disk is a
result, whether or not it could be printed. So writing to a closed pipe or a full device raises nothing here;
`stdout_failure` says afterwards what was lost. And what is printed was often read from a file: characters
that a terminal would obey are shown as escapes, unless they come through `Terminal`.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import Any

from uav_testgen.core.plain_text import printable


class LastingFile(io.FileIO):
    """A descriptor that takes everything; from the first failure on it keeps nothing."""

    failure: OSError | None = None

    def write(self, data: Any, /) -> int:
        """Bytes taken, always all of them."""
        view = memoryview(data).cast("B")
        total = len(view)
        while view and self.failure is None:
            try:
                written = super().write(view)
            except OSError as error:
                self.failure = error
                break
            # None: a terminal or pipe in non-blocking mode is full, which another program may have set.
            view = view[written or 0 :]
        return total


class PlainWriter(io.TextIOWrapper):
    """Text in which a terminal finds nothing to obey."""

    def write(self, text: str, /) -> int:
        """Lines and tabs stay, every other control character becomes an escape."""
        if not text.isprintable():
            lines = text.split("\n")
            cells = (line.split("\t") for line in lines)
            text = "\n".join("\t".join(printable(cell) for cell in line) for line in cells)
        return super().write(text)

    def write_controls(self, text: str) -> int:
        """Text as it is, for whoever steers the terminal on purpose."""
        return super().write(text)


class Terminal:
    """A standard stream for whoever steers the terminal: moves the cursor, colours, redraws."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.write = getattr(stream, "write_controls", stream.write)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def use_lasting_streams() -> None:
    """Replace the three standard streams of this process; closed ones are opened on the null device first.

    Otherwise the next file that is opened, such as a campaign's store, would get the number of the closed
    stream, and every library that prints a warning would write into it.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8", "replace")
    sys.stdout = _lasting(1, sys.stdout)
    sys.stderr = _lasting(2, sys.stderr)


def _lasting(number: int, former: Any) -> Any:
    file = LastingFile(number, "w", closefd=False)
    # Names may hold characters that the terminal's encoding lacks.
    return PlainWriter(
        io.BufferedWriter(file),
        encoding=getattr(former, "encoding", None) or "utf-8",
        errors="backslashreplace",
        line_buffering=number == 2 or file.isatty(),
    )


def stdout_failure() -> str | None:
    """Why the result could not be printed; None if it was, or if its reader has left (head, less)."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    failure = getattr(raw, "failure", None)
    if failure is None or failure.errno == errno.EPIPE:
        return None
    return str(failure.strerror or failure)
