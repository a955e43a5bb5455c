"""Where the px4_msgs releases differ. No other file may care which release is installed.

| release | vehicle_status | vehicle_local_position | vehicle_land_detected | vehicle_command_ack |
|---|---|---|---|---|
| 1.14, 1.15 | no version | no version | not offered | no version |
| 1.16 | 1 | 0 | 0 | 0 |
| 1.17 | 1 | 1 | 0 | 0 |
| 1.18 | 4 | 1 | 0 | 1 |

A version above 0 is part of the topic's name. Messages are made field by field: a field that a release does
not have is left out (1.14 has OffboardControlMode.actuator for `thrust_and_torque` and `direct_actuator`), a
constant it does not name has the value it always had. FailsafeFlags has no version and other fields in every
release: it is read only where PX4 and the definitions are of the same release.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from uav_testgen.core.errors import MissingDependency
from uav_testgen.ros.px4.frames import NedSetpoint
from uav_testgen.ros.px4.topics import fmu_topic

OUT_TOPICS: Final = {
    "vehicle_odometry": "VehicleOdometry",
    "vehicle_status": "VehicleStatus",
    "vehicle_land_detected": "VehicleLandDetected",
    "vehicle_command_ack": "VehicleCommandAck",
}
"""What PX4 tells and no flight can do without."""
FAILSAFE_FLAGS: Final = ("failsafe_flags", "FailsafeFlags")
"""Says which check keeps the vehicle on the ground; welcome, not needed."""
IN_TOPICS: Final = {
    "offboard_control_mode": "OffboardControlMode",
    "trajectory_setpoint": "TrajectorySetpoint",
    "vehicle_command": "VehicleCommand",
}
"""What PX4 is told."""

NAV_OFFBOARD: Final = 14
NAV_COMING_DOWN: Final = (12, 18, 20)
"""DESCEND (what LAND becomes without a position), AUTO_LAND, AUTO_PRECLAND: nothing more to ask for."""
NAV_NAMES: Final = {
    0: "MANUAL", 1: "ALTCTL", 2: "POSCTL", 3: "AUTO_MISSION", 4: "AUTO_LOITER", 5: "AUTO_RTL",
    6: "POSITION_SLOW", 10: "ACRO", 12: "DESCEND", 13: "TERMINATION", 14: "OFFBOARD", 15: "STAB",
    17: "AUTO_TAKEOFF", 18: "AUTO_LAND", 19: "AUTO_FOLLOW_TARGET", 20: "AUTO_PRECLAND", 21: "ORBIT",
}  # fmt: skip
RESULT_NAMES: Final = {
    0: "accepted", 1: "temporarily rejected", 2: "denied", 3: "unsupported", 4: "failed",
    5: "in progress", 6: "cancelled",
}  # fmt: skip
_ARMED: Final = 2
_FAILURE_BITS: Final = {
    1: "roll", 2: "pitch", 4: "altitude", 8: "external", 16: "ESC arming", 32: "battery",
    64: "imbalanced propeller", 128: "motor",
}  # fmt: skip
_USUAL_FLAGS: Final = {
    "auto_mission_missing": "no mission is uploaded",
    "manual_control_signal_lost": "no remote control: param set COM_RC_IN_MODE 4, or COM_RCL_EXCEPT 4",
    "gcs_connection_lost": "no ground station: param set NAV_DLL_ACT 0, or connect one",
    "offboard_control_signal_lost": "PX4 does not hear our setpoints: same ROS domain and namespace?",
}
"""Raised in every simulation without ground station and remote control; offboard flight is possible all the
same, unless parameters make them count. Named, with the way out, only if nothing else explains a refusal."""
_VERSIONED: Final = re.compile(r"^(?P<base>.+?)(?:_v(?P<version>\d+))?$")


class CommandWords(NamedTuple):
    """A VehicleCommand without its addresses."""

    command: int
    param1: float = 0.0
    param2: float = 0.0
    param3: float = 0.0
    param4: float = 0.0
    param5: float = 0.0
    param6: float = 0.0
    param7: float = 0.0


SET_OFFBOARD: Final = CommandWords(176, 1.0, 6.0)
ARM: Final = CommandWords(400, 1.0)
DISARM: Final = CommandWords(400, 0.0)
LAND: Final = CommandWords(21)
SET_LAND_MODE: Final = CommandWords(176, 1.0, 4.0, 6.0)
"""The other way to land, for a vehicle that does not answer to LAND."""
TAKEOFF: Final = CommandWords(22, *[math.nan] * 7)
"""Here, to the height of PX4's parameter MIS_TAKEOFF_ALT."""
SET_NAV_STATE: Final = 100000
EXTERNAL_MODES: Final = range(23, 31)
"""nav_state of the modes that programs outside PX4 can register."""


def select_mode(nav_state: int) -> CommandWords:
    """Change to a mode by its nav_state, also one of EXTERNAL_MODES."""
    return CommandWords(SET_NAV_STATE, float(nav_state))


def load_messages() -> Any:
    """The module `px4_msgs.msg`; MissingDependency says how to get it."""
    try:
        return importlib.import_module("px4_msgs.msg")
    except ImportError as error:
        raise MissingDependency(
            f"px4_msgs is not installed ({error}): run `make setup`, or source the workspace that holds it"
        ) from None


def optional_class(messages: Any, name: str) -> Any:
    """A message class, or None where this release has none."""
    return getattr(messages, name, None)


def message_release(messages: Any) -> str:
    """PX4 release whose definitions are installed, e.g. "1.16"."""
    return _release(
        _version(messages.VehicleStatus),
        _version(getattr(messages, "VehicleLocalPosition", None)),
        hasattr(messages.OffboardControlMode(), "actuator"),
    )


def offered_versions(offered_topics: Iterable[str]) -> dict[str, set[int]]:
    """Versions of each topic, by its name without suffix. PX4 offers one; a translation node offers more."""
    versions: dict[str, set[int]] = {}
    for topic in offered_topics:
        match = _VERSIONED.match(topic.rpartition("/")[2])
        assert match is not None
        versions.setdefault(match["base"], set()).add(int(match["version"] or 0))
    return versions


def offered_release(offered_topics: Iterable[str]) -> str:
    """PX4 release guessed from the suffixes of its topics.

    "unknown" without vehicle_status, and where several versions are offered at once: then somebody
    translates, and nobody can tell which version is PX4's own.
    """
    versions = offered_versions(offered_topics)
    status, position = versions.get("vehicle_status", set()), versions.get("vehicle_local_position", {0})
    if len(status) != 1 or len(position) != 1:
        return "unknown"
    return _release(min(status), min(position), False)


def mismatches(messages: Any, offered_topics: Sequence[str], namespace: str = "") -> list[str]:
    """A sentence for every topic that PX4 offers under other versions only than our definitions have."""
    found = []
    for base, kind in OUT_TOPICS.items():
        wanted = fmu_topic("out", base, getattr(messages, kind), namespace)
        stem = wanted.rpartition("/")[0] + "/" + base
        others = sorted(topic for topic in offered_topics if re.fullmatch(rf"{stem}(_v\d+)?", topic))
        if others and wanted not in others:
            found.append(f"{wanted} is expected, PX4 offers {', '.join(others)}")
    return found


def make(kind: Any, **fields: Any) -> Any:
    """A message with those of the fields that this release has."""
    message = kind()
    for name, value in fields.items():
        if hasattr(message, name):
            setattr(message, name, value)
    return message


def control_mode(messages: Any, setpoint: NedSetpoint | None = None) -> Any:
    """OffboardControlMode that announces what the set-point demands; without one, a position.

    The first quantity that is true decides which estimates PX4 insists on. Stamp 0: PX4 fills it in.
    """
    if setpoint is None:
        return make(messages.OffboardControlMode, timestamp=0, position=True)
    demands = {
        name: any(math.isfinite(value) for value in getattr(setpoint, name))
        for name in ("position", "velocity", "acceleration")
    }
    return make(messages.OffboardControlMode, timestamp=0, **demands)


def trajectory_setpoint(messages: Any, setpoint: NedSetpoint) -> Any:
    """TrajectorySetpoint; NaN leaves a quantity to PX4."""
    return make(messages.TrajectorySetpoint, timestamp=0, jerk=[math.nan] * 3, **setpoint._asdict())


def vehicle_command(messages: Any, words: CommandWords, target_system: int) -> Any:
    """VehicleCommand from outside the autopilot."""
    return make(
        messages.VehicleCommand,
        timestamp=0,
        **words._asdict(),
        target_system=target_system,
        target_component=1,
        source_system=1,
        source_component=1,
        from_external=True,
    )


def is_armed(status: Any) -> bool:
    """The motors may turn."""
    return bool(status.arming_state == getattr(status, "ARMING_STATE_ARMED", _ARMED))


def registered_modes(status: Any) -> tuple[int, ...]:
    """External modes PX4 knows, whoever registered them and when."""
    mask = int(getattr(status, "valid_nav_states_mask", 0)) if status is not None else 0
    return tuple(mode for mode in EXTERNAL_MODES if mask & (1 << mode))


def failing_checks(status: Any, flags: Any) -> tuple[str, ...]:
    """Names of what PX4 objects to; `flags` is the newest FailsafeFlags or None."""
    found = []
    if flags is not None:
        raised = [name for name in flags.get_fields_and_field_types() if getattr(flags, name) is True]
        found += [name for name in raised if name not in _USUAL_FLAGS]
        if getattr(flags, "battery_warning", 0):
            found.append(f"battery_warning={flags.battery_warning}")
    if status is not None:
        bits = int(getattr(status, "failure_detector_status", 0))
        found += [f"failure detector: {name}" for bit, name in _FAILURE_BITS.items() if bits & bit]
    if not found and flags is not None:
        found += [f"{name} ({_USUAL_FLAGS[name]})" for name in raised]
    return tuple(found)


def _version(kind: Any) -> int:
    return int(getattr(kind, "MESSAGE_VERSION", 0))


def _release(status: int, local_position: int, has_actuator: bool) -> str:
    if status == 0:
        return "1.14" if has_actuator else "1.15"
    if status == 1:
        return "1.17" if local_position >= 1 else "1.16"
    return "1.18 or newer"
