"""Topic names follow the message class."""

from __future__ import annotations

import pytest

from uav_testgen.ros.px4.topics import fmu_topic


class Unversioned:
    pass


class VersionZero:
    MESSAGE_VERSION = 0


class VersionThree:
    MESSAGE_VERSION = 3


def test_names_by_version() -> None:
    assert fmu_topic("in", "offboard_control_mode", Unversioned) == "/fmu/in/offboard_control_mode"
    assert fmu_topic("out", "vehicle_odometry", VersionZero) == "/fmu/out/vehicle_odometry"
    assert fmu_topic("out", "vehicle_status", VersionThree) == "/fmu/out/vehicle_status_v3"
    assert fmu_topic("out", "vehicle_status", VersionZero, "px4_1") == "/px4_1/fmu/out/vehicle_status"


def test_unknown_direction_is_refused() -> None:
    with pytest.raises(ValueError, match="direction must be"):
        fmu_topic("up", "vehicle_status", VersionZero)  # type: ignore[arg-type]


def test_status_of_release_1_16() -> None:
    px4 = pytest.importorskip("px4_msgs.msg")
    version = px4.VehicleStatus.MESSAGE_VERSION
    assert fmu_topic("out", "vehicle_status", px4.VehicleStatus) == f"/fmu/out/vehicle_status_v{version}"
