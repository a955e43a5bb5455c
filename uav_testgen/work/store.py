"""The campaign's memory: an append-only file of checksummed records, one per line.

Promise: when `append` returns, the records are on the disk (written and fsynced); a process killed
at any moment, or a machine that loses power, costs at most what had not been appended yet. A line is

    {"check":"<16 hex digits>","record":{"seq":N,"kind":"...","body":{...}}}

where the checksum covers the exact bytes of the record, and `seq` counts lines from 0. A damaged
last line is what a crash in mid-write leaves: it is moved aside and reported. Damage anywhere else
is not guessed at: the error names the line and the way out.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import logging
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TypeVar

from uav_testgen.core.config import in_one_line
from uav_testgen.core.errors import DiskError, StoreError, UavTestgenError

log = logging.getLogger(__name__)

FILE_NAME = "evaluations.jsonl"
_BEFORE_CHECK = b'{"check":"'
_AFTER_CHECK = b'","record":'
_CHECK_CHARACTERS = 16
_PREFIX = len(_BEFORE_CHECK) + _CHECK_CHARACTERS + len(_AFTER_CHECK)
_START = re.compile(rb'\{"seq":(\d{1,18}),"kind":("(?:[^"\\]|\\.)*"),"body":\{')

Understood = TypeVar("Understood")


@dataclass(frozen=True, slots=True)
class Record:
    """One line: its place, what it is, and its plain JSON content."""

    seq: int
    kind: str
    body: dict[str, Any]


def encode(record: Record) -> bytes:
    """The line of a record, newline included."""
    text = json.dumps(
        {"seq": record.seq, "kind": record.kind, "body": record.body},
        separators=(",", ":"),
        ensure_ascii=True,
        allow_nan=False,
    ).encode()
    return _BEFORE_CHECK + _checksum(text) + _AFTER_CHECK + text + b"}\n"


def decode(line: bytes) -> Record:
    """Inverse of `encode`; ValueError says what is damaged."""
    data = json.loads(_checked_text(line))
    return Record(seq=int(data["seq"]), kind=str(data["kind"]), body=dict(data["body"]))


def peek(line: bytes, seq: int) -> str:
    """The kind of the record on a line whose checksum and place are right; ValueError says what is not."""
    text = _checked_text(line)
    start = _START.match(text)
    if start is None:
        raise ValueError("it does not begin like a record")
    _check_place(int(start[1]), seq)
    return str(json.loads(start[2]))


def _decode_in_place(line: bytes, seq: int) -> Record:
    record = decode(line)
    _check_place(record.seq, seq)
    return record


def _check_place(found: int, seq: int) -> None:
    if found != seq:
        raise ValueError(f"its sequence number is {found} instead of {seq}")


def _checked_text(line: bytes) -> bytes:
    if len(line) < _PREFIX + 2 or not line.endswith(b"}\n"):
        raise ValueError("the line is incomplete")
    text = line[_PREFIX:-2]
    if line[:_PREFIX] != _BEFORE_CHECK + _checksum(text) + _AFTER_CHECK:
        raise ValueError("its checksum does not match")
    return text


def _checksum(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=_CHECK_CHARACTERS // 2).hexdigest().encode()


class StoredRecord:
    """A line that was checked and left in the file: its content is read when it is asked for.

    A million evaluations as dictionaries would fill the memory of most machines.
    """

    __slots__ = ("_offset", "_path", "_size", "kind", "seq")

    def __init__(self, seq: int, kind: str, path: Path, offset: int, size: int) -> None:
        self.seq = seq
        self.kind = kind
        self._path = path
        self._offset = offset
        self._size = size

    @property
    def body(self) -> dict[str, Any]:
        """The content, read anew each time."""
        try:
            with self._path.open("rb", buffering=0) as source:
                source.seek(self._offset)
                return decode(source.read(self._size)).body
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise StoreError(f"{self._path}: record {self.seq} can no longer be read ({error})") from None


@contextlib.contextmanager
def understood(path: Path | str, what: str) -> Iterator[None]:
    """StoreError where records that were not damaged do not say what our records say."""
    try:
        yield
    except StoreError:
        raise
    except (
        ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, UavTestgenError,
        zlib.error,
    ) as error:  # fmt: skip
        raise StoreError(
            f"{path}: {what} cannot be understood ({type(error).__name__}: {in_one_line(error)[:200]}); it "
            "was written by another version: use that version, or start again in another --out"
        ) from None


class AnyRecord(Protocol):
    """A record in memory or in the file."""

    @property
    def kind(self) -> str:
        """What it is."""
        ...

    @property
    def body(self) -> dict[str, Any]:
        """Its content."""
        ...


class Store:
    """Append-only records in one folder. Hold the folder's lock while it is open for writing."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self.notes: list[str] = []
        self._descriptor: int | None = None
        self._size = 0
        self._next_seq = 0

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> list[StoredRecord]:
        """Check what is there, cut a torn last line, and be ready to append."""
        records = [
            StoredRecord(seq, sys.intern(kind), self.path, offset, len(line))
            for seq, (kind, offset, line) in enumerate(self._lines(peek, cut_torn_end=True))
        ]
        self._next_seq = len(records)
        try:
            # Without waiting: a pipe in its place has no reader, and says so.
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK
            self._descriptor = os.open(self.path, flags, 0o644)
            _check_regular(self.path, self._descriptor)
            self._size = os.fstat(self._descriptor).st_size
            _sync_folder(self.path.parent)
        except OSError as error:
            raise StoreError(_trouble(self.path, error)) from None
        return records

    def read(self) -> Iterator[Record]:
        """All records in order; a torn end is left out."""
        for record, _, _ in self._lines(_decode_in_place, cut_torn_end=False):
            yield record

    def _lines(
        self, understand: Callable[[bytes, int], Understood], *, cut_torn_end: bool
    ) -> Iterator[tuple[Understood, int, bytes]]:
        """(what `understand` makes of a line, its place, the line); a torn end is left out, or cut off."""
        try:
            # Without waiting: a pipe in its place may never have a writer.
            source = os.fdopen(os.open(self.path, os.O_RDONLY | os.O_NONBLOCK), "rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(_trouble(self.path, error)) from None
        with source:
            _check_regular(self.path, source.fileno())
            good_bytes = 0
            for number, line in enumerate(source, start=1):
                try:
                    understood = understand(line, number - 1)
                except (ValueError, KeyError, TypeError, RecursionError) as error:
                    if source.readline() == b"":
                        if cut_torn_end:
                            self._cut(good_bytes, number, line)
                        return
                    raise StoreError(
                        f"{self.path}: line {number} is damaged ({error}) and records follow it. Restore the "
                        f"file from a copy, or give up what follows with: head -n {number - 1} {FILE_NAME} > "
                        f"kept && mv kept {FILE_NAME}; --resume then flies the missing evaluations again"
                    ) from None
                yield understood, good_bytes, line
                good_bytes += len(line)

    def _cut(self, good_bytes: int, number: int, line: bytes) -> None:
        """A crash in mid-write left `line`; keep its bytes aside and shorten the file."""
        aside = self.path.with_suffix(".torn")
        try:
            aside.write_bytes(line)
            os.truncate(self.path, good_bytes)
        except OSError as error:
            raise StoreError(_trouble(self.path, error)) from None
        note = (
            f"{self.path}: line {number} was not completely written (a crash in mid-write); it was moved "
            f"to {aside.name} and its evaluation is flown again"
        )
        self.notes.append(note)
        log.warning(note)

    def append(self, entries: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Write (kind, body) records and wait until they are on the disk; all of them or a StoreError."""
        if self._descriptor is None:
            raise StoreError(f"{self.path}: not open for writing")
        if not entries:
            return
        data = b"".join(
            encode(Record(self._next_seq + offset, kind, body)) for offset, (kind, body) in enumerate(entries)
        )
        try:
            _write_all(self._descriptor, data)
            os.fsync(self._descriptor)
        except OSError as error:
            self._take_back()
            raise DiskError(
                f"{_trouble(self.path, error)}; {self._next_seq} records before it are safe. "
                "Make room or permission and run the same command with --resume"
            ) from None
        self._size += len(data)
        self._next_seq += len(entries)

    def _take_back(self) -> None:
        """Remove the part of a failed write, so that the file ends with a whole record."""
        try:
            assert self._descriptor is not None
            os.ftruncate(self._descriptor, self._size)
        except OSError:
            log.warning("%s: the torn end could not be removed now; --resume will", self.path)

    def close(self) -> None:
        """Stop writing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _check_regular(path: Path, descriptor: int) -> None:
    """StoreError for what is opened like a file but is none, and might never end or never answer."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise StoreError(f"{path}: is a device or pipe, the store of a campaign is a regular file")


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync_folder(folder: Path) -> None:
    """Make the file's name itself durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _trouble(path: Path, error: OSError) -> str:
    reasons = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk quota is used up",
        errno.EROFS: "the file system is read-only",
        errno.EACCES: "permission is denied",
        errno.EPERM: "permission is denied",
        errno.EFBIG: "the file may not grow further",
    }
    reason = reasons.get(error.errno or 0, str(error.strerror or error))
    return f"{path}: results cannot be written, {reason}"
