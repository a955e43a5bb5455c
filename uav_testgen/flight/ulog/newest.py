"""The log PX4 has just written, found in its log folder and kept beside the test."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from uav_testgen.core.errors import InputFileError

_STILL_S = 1.0
_LOOK_EVERY_S = 0.2


def newest_log(folder: Path, after_s: float, patience_s: float = 15.0) -> Path:
    """The newest .ulg below `folder` written after `after_s` (wall clock), once PX4 has finished it."""
    if not folder.is_dir():
        raise InputFileError(f"{folder}: px4_log_folder is no folder; PX4 SITL writes into rootfs/log")
    deadline_s = time.monotonic() + patience_s
    while True:
        logs = [(path.stat().st_mtime, path) for path in folder.rglob("*.ulg") if path.is_file()]
        found = max((entry for entry in logs if entry[0] >= after_s), default=None)
        if found is not None and time.time() - found[0] >= _STILL_S:
            return found[1]
        if time.monotonic() > deadline_s:
            if found is not None:
                return found[1]
            raise InputFileError(f"{folder}: PX4 wrote no log of this flight into px4_log_folder")
        time.sleep(_LOOK_EVERY_S)


def keep(log: Path, target: Path) -> Path:
    """A copy of the log; an older one of the same name stays."""
    target.parent.mkdir(parents=True, exist_ok=True)
    free, number = target, 1
    while free.exists():
        number += 1
        free = target.with_name(f"{target.stem}-{number}{target.suffix}")
    shutil.copyfile(log, free)
    return free
