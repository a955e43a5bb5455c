"""Starting and ending programs that are not ours: PX4, its agent, Aerialist, a user's simulator."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from uav_testgen.core.own_python import module_words

_GUARD = "_ROS_WHEELS_BOOTSTRAP_COMPLETE"
_LIBRARIES = "LD_LIBRARY_PATH"
_GRACE_S = 5.0
GROUP, TREE = "group", "tree"
"""What ends with a program: its process group, or everything it started, wherever that went."""


def start_kept(
    words: Sequence[str],
    environment: Mapping[str, str],
    output: IO[bytes],
    outlives_us_s: float,
    folder: Path | None = None,
    *,
    ends: str = GROUP,
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own that ends when this process is gone, however it went.

    A path is meant from where we are, not from `folder`, where the program runs. OSError if it cannot be.
    """
    program = words[0] if os.sep not in words[0] else os.path.abspath(words[0])
    if shutil.which(program, path=environment.get("PATH")) is None:
        number = errno.EACCES if os.path.exists(program) else errno.ENOENT
        raise OSError(number, os.strerror(number))
    return subprocess.Popen(
        module_words("uav_testgen.core.keeper", str(outlives_us_s), ends, program, *words[1:]),
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def end_group(process: subprocess.Popen[bytes]) -> None:
    """The process and whatever it started in its group (Gazebo, PX4, docker) must be gone."""
    for number, patience_s in ((signal.SIGINT, _GRACE_S), (signal.SIGTERM, _GRACE_S), (signal.SIGKILL, 1.0)):
        deadline_s = time.monotonic() + patience_s
        told = False
        while True:
            process.poll()
            try:
                os.killpg(process.pid, 0 if told else number)
            except (ProcessLookupError, PermissionError):
                return
            told = True
            if time.monotonic() > deadline_s:
                break
            time.sleep(0.05)


def last_words(log: Path, most: int = 600) -> str:
    """The last lines of a program's output, as one."""
    with contextlib.suppress(OSError):
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - 4 * most))
            text = stream.read().decode("utf-8", errors="replace").strip()
        return " | ".join(text.splitlines()[-3:])[-most:]
    return ""


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
