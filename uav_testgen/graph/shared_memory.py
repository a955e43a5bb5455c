"""Removes shared-memory files that killed processes left behind.

Fast DDS gives a segment a lock file (`..._el`) that its owner keeps locked; the system drops the lock when
the owner dies. A file of ours that nobody has locked and no process has mapped belongs to nobody any more.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path

_FOLDER = Path("/dev/shm")
_LOCK_ENDINGS = ("_el", "_sl")
_LEAST_AGE_S = 1.0
"""A file is made before it is locked and mapped."""


def remove_stale_segments(folder: Path = _FOLDER, least_age_s: float = _LEAST_AGE_S) -> list[str]:
    """Delete the files of dead owners; returns their names."""
    names = {path.name for path in folder.glob("fastrtps_*")}
    stems = {name[:-3] if name.endswith(_LOCK_ENDINGS) else name for name in names}
    removed: list[str] = []
    mapped = mapped_files() if stems else set()
    for stem in sorted(stems):
        files = [folder / name for name in (stem, f"{stem}_el", f"{stem}_sl", f"sem.{stem}_mutex")]
        files = [path for path in files if path.exists()]
        with contextlib.suppress(OSError):
            if any(str(path) in mapped for path in files):
                continue
            if not all(_is_old_and_ours(path, least_age_s) for path in files):
                continue
            if not all(_is_free(path) for path in files if path.name.endswith(_LOCK_ENDINGS)):
                continue
            for path in files:
                path.unlink()
                removed.append(path.name)
    return removed


def mapped_files() -> set[str]:
    """Every file in shared memory that a process we may look into has mapped."""
    found: set[str] = set()
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with contextlib.suppress(OSError):
            for line in maps.read_text(errors="replace").splitlines():
                if "/fastrtps_" in line:
                    found.add(line.split(maxsplit=5)[-1])
    return found


def _is_old_and_ours(path: Path, least_age_s: float) -> bool:
    state = path.stat()
    return state.st_uid == os.getuid() and time.time() - state.st_mtime >= least_age_s


def _is_free(lock: Path) -> bool:
    with lock.open("rb+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        fcntl.flock(file, fcntl.LOCK_UN)
        return True
