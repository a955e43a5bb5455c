"""px4_msgs 1.14 to 1.18: names and fields differ, our code does not."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.frames import NedSetpoint

NAN = math.nan
STEM = "/fmu/out/"


def definitions(status: int | None, local: int | None, mode_fields: tuple[str, ...]) -> Any:
    """Message classes with the versions and fields of one release."""

    def kind(name: str, version: int | None, fields: tuple[str, ...]) -> type:
        body: dict[str, Any] = dict.fromkeys(fields, 0)
        body["__slots__"] = ()
        namespace = {"__init__": lambda self: self.__dict__.update(dict.fromkeys(fields, 0))}
        made = type(name, (), namespace)
        if version is not None:
            made.MESSAGE_VERSION = version  # type: ignore[attr-defined]
        return made

    quantities = ("timestamp", "position", "velocity", "acceleration")
    command = ("timestamp", "command", "param1", "param2", "param3", "target_system", "from_external")
    return SimpleNamespace(
        VehicleStatus=kind("VehicleStatus", status, ("arming_state",)),
        VehicleLocalPosition=kind("VehicleLocalPosition", local, ("x",)),
        VehicleOdometry=kind("VehicleOdometry", None if status is None else 0, ("position",)),
        VehicleLandDetected=kind("VehicleLandDetected", None if status is None else 0, ("landed",)),
        VehicleCommandAck=kind("VehicleCommandAck", None if status is None else 0, ("result",)),
        OffboardControlMode=kind("OffboardControlMode", None, (*quantities, *mode_fields)),
        TrajectorySetpoint=kind("TrajectorySetpoint", None, (*quantities, "jerk", "yaw", "yawspeed")),
        VehicleCommand=kind("VehicleCommand", None, command),
    )


NEW_MODE = ("thrust_and_torque", "direct_actuator")
RELEASES = {
    "1.14": definitions(None, None, ("actuator",)),
    "1.15": definitions(None, None, NEW_MODE),
    "1.16": definitions(1, 0, NEW_MODE),
    "1.17": definitions(1, 1, NEW_MODE),
    "1.18 or newer": definitions(4, 1, NEW_MODE),
}
TOPICS = {
    "1.15": ["vehicle_odometry", "vehicle_status", "vehicle_local_position"],
    "1.16": ["vehicle_odometry", "vehicle_status_v1", "vehicle_local_position"],
    "1.17": ["vehicle_odometry", "vehicle_status_v1", "vehicle_local_position_v1"],
    "1.18 or newer": ["vehicle_odometry", "vehicle_status_v4", "vehicle_local_position_v1"],
}


@pytest.mark.parametrize("release", RELEASES)
def test_installed_release_is_recognised(release: str) -> None:
    assert compat.message_release(RELEASES[release]) == release


@pytest.mark.parametrize("release", TOPICS)
def test_offered_release_is_recognised(release: str) -> None:
    assert compat.offered_release(STEM + topic for topic in TOPICS[release]) == release


def test_without_status_nothing_is_known() -> None:
    assert compat.offered_release([STEM + "vehicle_odometry"]) == "unknown"


@pytest.mark.parametrize("installed", ["1.15", "1.16", "1.17", "1.18 or newer"])
@pytest.mark.parametrize("offered", TOPICS)
def test_mismatch_names_both_topics(installed: str, offered: str) -> None:
    found = compat.mismatches(RELEASES[installed], [STEM + topic for topic in TOPICS[offered]])
    same_status = TOPICS[installed][1] == TOPICS[offered][1]
    assert bool(found) is not same_status
    for sentence in found:
        assert f"/fmu/out/{TOPICS[installed][1]} is expected" in sentence
        assert sentence.endswith(f"PX4 offers /fmu/out/{TOPICS[offered][1]}")


@pytest.mark.parametrize("release", RELEASES)
def test_messages_can_be_made(release: str) -> None:
    messages = RELEASES[release]
    assert compat.control_mode(messages).position is True
    demand = NedSetpoint((NAN, NAN, -3.0), (2.0, 1.0, NAN), (NAN, NAN, NAN), NAN, -0.3)
    mode = compat.control_mode(messages, demand)
    assert (mode.position, mode.velocity, mode.acceleration) == (True, True, False)
    only_acceleration = demand._replace(
        position=(NAN,) * 3, velocity=(NAN,) * 3, acceleration=(1.0, 0.0, 0.0)
    )
    mode = compat.control_mode(messages, only_acceleration)
    assert (mode.position, mode.velocity, mode.acceleration) == (False, False, True)
    told = compat.trajectory_setpoint(messages, demand)
    np.testing.assert_equal(list(told.velocity), [2.0, 1.0, NAN])
    assert (told.position[2], round(told.yawspeed, 6), math.isnan(told.yaw)) == (-3.0, -0.3, True)
    command = compat.vehicle_command(messages, compat.ARM, 1)
    assert (command.command, command.param1, command.from_external) == (400, 1.0, True)


def test_checks_are_named() -> None:
    flags = SimpleNamespace(
        local_position_invalid=True, gcs_connection_lost=True, attitude_invalid=False, battery_warning=2
    )
    flags.get_fields_and_field_types = lambda: [
        "local_position_invalid",
        "gcs_connection_lost",
        "attitude_invalid",
    ]
    found = compat.failing_checks(SimpleNamespace(failure_detector_status=128), flags)
    assert found == ("local_position_invalid", "battery_warning=2", "failure detector: motor")


def test_usual_flags_are_named_if_nothing_else_explains() -> None:
    flags = SimpleNamespace(gcs_connection_lost=True, attitude_invalid=False)
    flags.get_fields_and_field_types = lambda: ["gcs_connection_lost", "attitude_invalid"]
    (found,) = compat.failing_checks(None, flags)
    assert found.startswith("gcs_connection_lost (") and "NAV_DLL_ACT" in found
