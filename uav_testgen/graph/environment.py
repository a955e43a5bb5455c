"""Environment variables every process of a graph gets: who may be heard, and over which transport."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping

from uav_testgen.core.resources import config_folder

DEFAULT_PROFILE = "fastdds.xml"
UDP_PROFILE = "fastdds_px4.xml"
"""UDP on loopback, nothing else, with its own list of peers on this machine."""
PARENT_VARIABLE = "UAV_TESTGEN_GRAPH_PARENT"
"""Process id of whoever started a graph: its nodes end when that process is gone, however it went."""

RANGE = "ROS_AUTOMATIC_DISCOVERY_RANGE"
_LOCALHOST_ONLY = "ROS_LOCALHOST_ONLY"
PROFILE_VARIABLES = ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")
"""Fast DDS 2 reads the first, Fast DDS 3 the second."""
SKIP_VARIABLE = "SKIP_DEFAULT_XML_FILE"
"""Otherwise Fast DDS also obeys a profile that lies in the working directory, which may be somebody else's folder."""


def ros_environment(profile: str = DEFAULT_PROFILE, domain: int | None = None) -> dict[str, str]:
    """Discovery on this machine only, and a transport that holds a whole cloud.

    In the range LOCALHOST rmw_fastrtps adds shared memory and UDP on every interface to the transports of
    the profile. Where there must be no shared memory, the profile itself keeps to this machine, and the range
    is one in which rmw_fastrtps leaves the transports alone.
    """
    values = {RANGE: "SUBNET" if profile == UDP_PROFILE else "LOCALHOST"}
    values |= dict.fromkeys(PROFILE_VARIABLES, str(config_folder() / profile))
    values[SKIP_VARIABLE] = "1"
    if domain is not None:
        values["ROS_DOMAIN_ID"] = str(domain)
    return values


def settings_over(
    given: Mapping[str, str], profile: str = DEFAULT_PROFILE, domain: int | None = None
) -> dict[str, str]:
    """What to set over a given environment. What the user has set counts: that opens a graph to a network.

    One exception: LOCALHOST beside the profile without shared memory would bring it back (see above).
    """
    values = ros_environment(profile, domain)
    own_profile = any(name in given for name in PROFILE_VARIABLES)
    for name in PROFILE_VARIABLES if own_profile else ():
        del values[name]
    if SKIP_VARIABLE in given:
        del values[SKIP_VARIABLE]
    if RANGE in given and (own_profile or profile != UDP_PROFILE or given[RANGE] != "LOCALHOST"):
        del values[RANGE]
    if profile == UDP_PROFILE and not own_profile and given.get(_LOCALHOST_ONLY) == "1":
        values[_LOCALHOST_ONLY] = "0"
    return values


@contextlib.contextmanager
def temporarily_set(values: Mapping[str, str]) -> Iterator[None]:
    """Variables that the middleware reads when a context is made; the rest of the process keeps its own."""
    former = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
