"""The same scenario and seed flown by the compiled simulator and over topics gives the same flight."""

from __future__ import annotations

import typing
from dataclasses import replace

import numpy as np
import pytest
from uav_testgen.backend.lfs.config import LfsConfig

from uav_testgen.backend.lfs.backend import LfsBackend
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.judge import judge
from uav_testgen.oracle.model import Verdict
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig

from .scenes import TEN_SCENES, short_scene

TOLERANCE_M = 1e-6
VEHICLES = typing.get_args(LfsConfig.model_fields["vehicle"].annotation)


def difference(one: Flight, other: Flight) -> str:
    """Empty if the flights are equal."""
    if one.ending is not other.ending or len(one.trajectory) != len(other.trajectory):
        return (
            f"{one.ending} after {len(one.trajectory)}, {other.ending} after {len(other.trajectory)} samples"
        )
    if not np.array_equal(one.trajectory.t_s, other.trajectory.t_s):
        return "times differ"
    apart_m = float(np.abs(one.trajectory.position_enu_m - other.trajectory.position_enu_m).max())
    return f"{apart_m} m apart" if apart_m > TOLERANCE_M else ""


def test_ten_scenes(composed: GraphBackend) -> None:
    compare(composed, "paper")


@pytest.mark.parametrize("vehicle", [name for name in VEHICLES if name != "paper"])
def test_ten_scenes_with_other_vehicles(vehicle: str) -> None:
    with GraphBackend(GraphConfig(vehicle=vehicle)) as graph:
        compare(graph, vehicle)


def compare(graph: GraphBackend, vehicle: str) -> None:
    lfs = LfsBackend(LfsConfig(vehicle=vehicle, stepwise=vehicle != "paper"))
    assert len(TEN_SCENES) == 10
    wrong = {}
    for number, (name, scenario) in enumerate(TEN_SCENES.items()):
        predicted, flown = lfs.fly(scenario, number), graph.fly(scenario, number)
        assert flown.vehicle == vehicle and flown.seed == number
        verdict = judge(scenario, predicted)
        problem = difference(predicted, flown)
        if not problem and Verdict.from_json(flown.details["verdict"]) != judge(scenario, flown):
            problem = "the oracle node judged otherwise"
        if not problem and replace(verdict, sentence="") != replace(judge(scenario, flown), sentence=""):
            same_kind = verdict.outcome is judge(scenario, flown).outcome
            problem = "" if same_kind else f"{verdict.sentence} / {judge(scenario, flown).sentence}"
        if problem:
            wrong[name] = problem
    assert not wrong


def test_noise_latency_and_three_cameras_too(tmp_path) -> None:
    """Noise depends on seed, step and pixel, not on the process; delay and second camera are the same too."""
    rig = tmp_path / "rig.yaml"
    rig.write_text(
        "cameras:\n"
        "- {name: front, noise: {range_std_m: 0.03, latency_s: 0.2}}\n"
        "- {name: left, mount: {yaw_rad: 0.9}}\n"
    )
    settings = {
        "depth_cloud_node": {"rig": str(rig), "renderer": "analytic"},
        "planner_node": {"rig": str(rig)},
    }
    predicted = LfsBackend(LfsConfig(camera=str(rig), stepwise=True)).fly(short_scene(), 5)
    with GraphBackend(GraphConfig(settings=settings)) as graph:
        flown = graph.fly(short_scene(), 5)
        other = graph.fly(short_scene(), 6)
    assert difference(predicted, flown) == ""
    assert difference(flown, other) != "", "noise must depend on the seed"
