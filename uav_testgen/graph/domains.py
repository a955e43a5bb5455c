"""Picks a ROS domain that no other graph on this machine uses.

A domain is leased by locking a file; the system frees it when the process ends, however it ends. Programs
that know nothing of this can still sit in the same domain, as with any ROS domain.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from pathlib import Path

from uav_testgen.core.errors import BackendError

FIRST, LAST = 1, 100
"""Domains whose DDS ports lie below the range from which Linux hands out ports."""


class DomainReservation:
    """A ROS domain held until `release`."""

    def __init__(self) -> None:
        folder = Path(tempfile.gettempdir()) / "uav_testgen_ros_domains"
        folder.mkdir(exist_ok=True)
        count = LAST - FIRST + 1
        for attempt in range(count):
            domain = FIRST + (os.getpid() + attempt) % count
            with contextlib.suppress(OSError):
                lease = (folder / str(domain)).open("a")
                try:
                    fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    lease.close()
                    continue
                self.domain = domain
                self._lease = lease
                return
        raise BackendError(f"all ROS domains {FIRST}..{LAST} are taken on this machine; name one yourself")

    def release(self) -> None:
        """Give the domain back."""
        self._lease.close()
