"""`metadata.yaml` of a recording, so that `ros2 bag info` and `ros2 bag play` take its folder for a bag.

Version 5 of the format with policies as numbers: every rosbag2 since Humble reads it; those before Jazzy do not know
policies by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

BAG_METADATA: Final = "metadata.yaml"
_VERSION: Final = 5
_FOREVER: Final = {"sec": 9223372036, "nsec": 854775807}


class RecordedTopic(NamedTuple):
    """One topic of a bag."""

    name: str
    type_name: str
    messages: int
    qos: str


def qos_profiles(*, latched: bool, best_effort: bool, depth: int = 10) -> str:
    """A profile as rosbag2 writes it, in a text of its own; the numbers are rmw's policies."""
    profile = {
        "history": 1,  # keep last
        "depth": depth,
        "reliability": 2 if best_effort else 1,
        "durability": 1 if latched else 2,
        "deadline": dict(_FOREVER),
        "lifespan": dict(_FOREVER),
        "liveliness": 1,  # automatic
        "liveliness_lease_duration": dict(_FOREVER),
        "avoid_ros_namespace_conventions": False,
    }
    return yaml.safe_dump([profile], sort_keys=False)


def is_latched(offered_qos_profiles: str) -> bool:
    """Was a recorded topic kept for whoever comes late? Policies are written as numbers or names."""
    try:
        profiles = yaml.safe_load(offered_qos_profiles)
    except yaml.YAMLError:
        return False
    if not isinstance(profiles, list):
        return False
    return any(isinstance(one, dict) and one.get("durability") in (1, "transient_local") for one in profiles)


def bag_metadata(file: str, topics: Sequence[RecordedTopic], first_ns: int, last_ns: int) -> dict[str, Any]:
    """The content of metadata.yaml for a bag of one file."""
    count = sum(topic.messages for topic in topics)
    span = {
        "duration": {"nanoseconds": max(last_ns - first_ns, 0)},
        "starting_time": {"nanoseconds_since_epoch": first_ns},
        "message_count": count,
    }
    information = {
        "version": _VERSION,
        "storage_identifier": "mcap",
        **span,
        "topics_with_message_count": [
            {
                "topic_metadata": {
                    "name": topic.name,
                    "type": topic.type_name,
                    "serialization_format": "cdr",
                    "offered_qos_profiles": topic.qos,
                },
                "message_count": topic.messages,
            }
            for topic in topics
        ],
        "compression_format": "",
        "compression_mode": "",
        "relative_file_paths": [file],
        "files": [{"path": file, **span}],
    }
    return {"rosbag2_bagfile_information": information}


def recording_file(path: Path) -> Path:
    """Where the messages of a recording go: FILE.mcap itself; any other name is the folder of a bag."""
    return path if path.suffix == ".mcap" else path / f"{path.name}_0.mcap"


def played_file(path: Path) -> Path:
    """The file to read: a bag's folder stands for its first file."""
    if not path.is_dir():
        return path
    found = sorted(path.glob("*.mcap"))
    return found[0] if found else path / f"{path.name}_0.mcap"
