"""Starting programs that are not ours: PX4, its agent, Aerialist."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

_GUARD = "_ROS_WHEELS_BOOTSTRAP_COMPLETE"
_LIBRARIES = "LD_LIBRARY_PATH"


def start_kept(
    words: Sequence[str],
    environment: Mapping[str, str],
    output: IO[bytes],
    outlives_us_s: float,
    folder: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own that ends when this process is gone, however it went.

    A path is meant from where we are, not from `folder`, where the program runs. OSError if it cannot be.
    """
    program = words[0] if os.sep not in words[0] else os.path.abspath(words[0])
    if shutil.which(program, path=environment.get("PATH")) is None:
        number = errno.EACCES if os.path.exists(program) else errno.ENOENT
        raise OSError(number, os.strerror(number))
    return subprocess.Popen(
        [sys.executable, "-m", "uav_testgen.core.keeper", str(outlives_us_s), program, *words[1:]],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def foreign_environment(given: Mapping[str, str], prefix: str = sys.prefix) -> dict[str, str]:
    """The given environment without what the ROS wheels put into it.

    They start python again with their own libraries in LD_LIBRARY_PATH. An agent that inherits it may load
    our Fast DDS instead of the one it was built with, and another Python would not set its own path.
    """
    values = dict(given)
    if values.pop(_GUARD, None):
        inside = os.path.join(prefix, "")
        folders = [folder for folder in values.pop(_LIBRARIES, "").split(os.pathsep) if folder]
        if kept := [folder for folder in folders if not os.path.join(folder, "").startswith(inside)]:
            values[_LIBRARIES] = os.pathsep.join(kept)
    return values
