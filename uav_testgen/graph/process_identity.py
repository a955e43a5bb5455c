"""Which process a node runs in, as text that other nodes can check.

The text names process id, machine and process-id namespace. A node on the same machine and in the same
namespace can look whether that process still exists; from anywhere else it cannot be told, and silence has
to speak for itself.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
from functools import cache
from pathlib import Path

_FORM = re.compile(r"(\d{1,10})@(.{1,255})", re.DOTALL)
_NO_LONGER_RUNNING = ("Z", "X")
"""States of /proc/PID/stat: ended and not yet buried by its parent."""


def own_process() -> str:
    """The process that asks, e.g. `4242@lab/4026531836`."""
    return process_here(os.getpid())


def process_here(pid: int) -> str:
    """A process of this machine."""
    return f"{pid}@{_place()}"


def has_ended(process: str) -> bool:
    """The process is certainly gone; False as well where it cannot be seen from here."""
    found = _FORM.fullmatch(process)
    return found is not None and found[2] == _place() and has_ended_here(int(found[1]))


def has_ended_here(pid: int) -> bool:
    """The same for a process of this machine; also while its last threads are still dying."""
    if not Path("/proc/self/stat").exists():
        return False
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return True
    except OSError:
        return False
    state = text.rpartition(")")[2].split()
    return bool(state) and state[0] in _NO_LONGER_RUNNING


@cache
def _place() -> str:
    namespace = ""
    with contextlib.suppress(OSError):
        namespace = os.readlink("/proc/self/ns/pid").strip("pid:[]")
    return f"{socket.gethostname()}/{namespace}"
