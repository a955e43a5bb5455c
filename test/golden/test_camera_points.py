"""The analytic camera against every recorded closed loop: as many points in every frame."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from uav_testgen.scenario.model import Obstacle
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import load_rig
from uav_testgen.sensing.cloud import DepthSensor
from uav_testgen.world.packed import PackedWorld, pack_obstacles
from uav_testgen.world.terrain import flat_ground

LOOPS = sorted((Path(__file__).parent / "vectors" / "closed_loop").glob("*.json.gz"))


@pytest.mark.parametrize("file", LOOPS, ids=lambda path: path.name.split(".")[0])
def test_as_many_points_as_recorded_in_every_step(file: Path) -> None:
    loop = json.loads(gzip.decompress(file.read_bytes()))
    obstacles = [
        Obstacle(center_enu_m=box["center"], size_m=box["size"], yaw_rad=box["yaw"])
        for box in loop["scene"]["boxes"]
    ]
    sensor = DepthSensor(PackedWorld(pack_obstacles(obstacles), flat_ground()), load_rig())
    for k, step in enumerate(loop["steps"]):
        (frame,) = sensor.frames(step["t"], Pose(tuple(step["position"]), step["yaw"]), k)
        assert len(frame.points_enu_m) == step["n_points"], f"step {k}"


def test_there_are_recorded_loops() -> None:
    assert len(LOOPS) >= 10
