"""Removes shared-memory files that killed processes left behind.

Fast DDS gives every segment and port a lock file (`..._el`) that its owner keeps locked; the system drops
the lock when the owner dies. What is ours and not locked belongs to nobody any more.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

_FOLDER = Path("/dev/shm")
_LOCK_ENDING = "_el"


def remove_stale_segments(folder: Path = _FOLDER) -> list[str]:
    """Delete the files of dead owners; returns their names."""
    removed: list[str] = []
    for lock in sorted(folder.glob(f"fastrtps_*{_LOCK_ENDING}")):
        with contextlib.suppress(OSError):
            if lock.stat().st_uid != os.getuid() or not _is_free(lock):
                continue
            stem = lock.name.removesuffix(_LOCK_ENDING)
            for name in (stem, f"sem.{stem}_mutex", lock.name):
                path = folder / name
                if path.exists():
                    path.unlink()
                    removed.append(name)
    return removed


def _is_free(lock: Path) -> bool:
    with lock.open("rb+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        fcntl.flock(file, fcntl.LOCK_UN)
        return True
