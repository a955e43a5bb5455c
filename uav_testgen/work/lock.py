"""One campaign per folder: a kernel lock, so that a crash can never leave it locked.

The file's content (who holds it) is only for the message; what decides is flock, which the kernel
releases when the process ends, however it ends.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import time
from pathlib import Path
from types import TracebackType

from uav_testgen.core.errors import StoreError

FILE_NAME = ".lock"


class FolderLock:
    """Held from `__enter__` to `__exit__`; StoreError where another process holds it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._descriptor: int | None = None

    def __enter__(self) -> FolderLock:
        try:
            # Without waiting, and not through a link: the file is ours or it is not used.
            flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW
            descriptor = os.open(self.path, flags, 0o644)
        except OSError as error:
            raise StoreError(
                f"{self.path.parent}: cannot be written to ({error.strerror}); work on a copy of it or choose "
                "another folder"
            ) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise StoreError(
                    f"{self.path}: this file system cannot lock files ({error.strerror}); "
                    "choose an output folder on a local disk"
                ) from None
            raise StoreError(
                f"{self.path.parent}: another campaign is running in this folder ({self._holder()}); "
                "wait for it, stop it, or choose another --out"
            ) from None
        self._descriptor = descriptor
        self._write_holder()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The file stays: removing it would let a third process lock a new file of the same name.
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _write_holder(self) -> None:
        assert self._descriptor is not None
        holder = {"pid": os.getpid(), "since": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        try:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, json.dumps(holder).encode(), 0)
        except OSError:
            # A full disk must not hide that the lock itself is held; the store will report it.
            return

    def _holder(self) -> str:
        try:
            holder = json.loads(self.path.read_text(encoding="utf-8"))
            return f"process {int(holder['pid'])} since {str(holder['since'])[:20]}"
        except (OSError, ValueError, KeyError, TypeError):
            return "by an unnamed process"
