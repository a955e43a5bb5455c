"""Held-out runs: the same for everybody, other runs than those a search saw."""

from __future__ import annotations

import pytest

from uav_testgen.backend.base import Backend
from uav_testgen.predict.held_out import failing_share, held_out_seed, predict_held_out
from uav_testgen.predict.runs import predict
from uav_testgen.scenario.model import Mission, Scenario, Waypoint, obstacle_on_ground
from uav_testgen.testing.still_backend import StillBackend, StillConfig

BESIDE = Scenario(
    mission=Mission(
        waypoints=(Waypoint(position_enu_m=(9.0, 0.0, 5.0)),), home_enu_m=(0.0, 0.0, 5.0), takeoff=False, land=False
    ),
    obstacles=(obstacle_on_ground(5.0, 2.4, (1.0, 1.0, 10.0)),),
)  # fmt: skip
RUNS = 20


@pytest.fixture(scope="module")
def drifting() -> Backend:
    return StillBackend(StillConfig(drift_m=0.4))


def distances(backend: Backend, seed: int | None = None) -> list[float | None]:
    found = (
        predict_held_out(backend, BESIDE, RUNS)
        if seed is None
        else predict(backend, BESIDE, seed=seed, runs=RUNS)
    )
    return [run.distance_m for run in found.runs]


def test_held_out_runs_depend_on_the_test_alone(drifting: Backend) -> None:
    assert distances(drifting) == distances(drifting)
    assert distances(drifting) == distances(drifting, held_out_seed(BESIDE))


def test_they_are_none_of_the_runs_a_search_sees(drifting: Backend) -> None:
    seen = {distance for seed in range(5) for distance in distances(drifting, seed)}
    assert not seen & set(distances(drifting))
    other = predict_held_out(drifting, BESIDE, RUNS, seed=1)
    assert not {run.distance_m for run in other.runs} & set(distances(drifting))


def test_choosing_flatters_and_held_out_runs_tell(drifting: Backend) -> None:
    """Of many seeds the one with the nearest runs is chosen, as a search chooses; held-out runs are not so near."""
    shares = [failing_share(predict(drifting, BESIDE, seed=seed, runs=5)) for seed in range(40)]
    known = [share for share in shares if share is not None]
    held_out = failing_share(predict_held_out(drifting, BESIDE, 200))
    assert held_out is not None
    assert max(known) > held_out > min(known)
    assert sum(known) / len(known) == pytest.approx(held_out, abs=0.12)
