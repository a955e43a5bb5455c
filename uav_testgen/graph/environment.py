"""Environment variables every process of a graph gets: who may be heard, and over which transport."""

from __future__ import annotations

from uav_testgen.resources import config_folder

DEFAULT_PROFILE = "fastdds.xml"
PARENT_VARIABLE = "UAV_TESTGEN_GRAPH_PARENT"
"""Process id of whoever started a graph: its nodes end when that process is gone, however it went."""


def ros_environment(profile: str = DEFAULT_PROFILE, domain: int | None = None) -> dict[str, str]:
    """Discovery on this machine only, and a shared-memory segment that holds a whole cloud."""
    values = {
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "FASTRTPS_DEFAULT_PROFILES_FILE": str(config_folder() / profile),
    }
    if domain is not None:
        values["ROS_DOMAIN_ID"] = str(domain)
    return values
