"""Picks a ROS domain that no other graph on this machine uses.

A domain is reserved by binding a name in the kernel's abstract socket namespace. No file is involved: every
user of the machine sees the same names and cannot lock others out with a folder, there is nothing of theirs
to trust, and the kernel frees a name when its process ends, however it ends. The names belong to a network
namespace, as the ports of DDS do. Programs that know nothing of this can still sit in the same domain, as
with any ROS domain.
"""

from __future__ import annotations

import errno
import os
import socket

from uav_testgen.core.errors import BackendError

FIRST, LAST = 1, 100
"""Domains whose DDS ports lie below the range from which Linux hands out ports."""

_NAME = "uav_testgen_ros_domain_"


class DomainReservation:
    """A ROS domain held until `release`."""

    def __init__(self) -> None:
        count = LAST - FIRST + 1
        for attempt in range(count):
            domain = FIRST + (os.getpid() + attempt) % count
            holder = _bind(domain)
            if holder is not None:
                self.domain = domain
                self._holder = holder
                return
        raise BackendError(f"all ROS domains {FIRST}..{LAST} are taken on this machine; name one yourself")

    def release(self) -> None:
        """Give the domain back."""
        self._holder.close()


def _bind(domain: int) -> socket.socket | None:
    """A socket that holds the name of a domain; None if somebody else does."""
    holder = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        holder.bind(f"\0{_NAME}{domain}")
    except OSError as error:
        holder.close()
        if error.errno != errno.EADDRINUSE:
            raise BackendError(f"no ROS domain can be reserved ({error}); name one yourself") from None
        return None
    return holder
