"""Suites flown again: other seeds, redrawn presets, wind; what is fragile and what is robust."""

from __future__ import annotations

from dataclasses import replace

import pytest

from uav_testgen.backend.lfs import LfsBackend, LfsConfig
from uav_testgen.campaign.held_out import from_body, to_body
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ModelError
from uav_testgen.loop.system import named_system, system_names
from uav_testgen.predict.presets import redrawn
from uav_testgen.predict.runs import predict
from uav_testgen.predict.unseen import Unseen, UnseenFlights, UnseenRun, fly_unseen
from uav_testgen.testing.factories import make_box, make_scenario
from uav_testgen.testing.still_backend import StillBackend, StillConfig

SCENARIO = make_scenario(make_box(north_m=-1.0))


def unseen(*distances_m: float, in_wind: tuple[float, ...] = ()) -> Unseen:
    """One flight of each preset."""
    airs = [(False, distances_m), (True, in_wind)]
    runs = [
        UnseenRun(preset, windy, distance_m, 120.0, Ending.GOAL_REACHED)
        for windy, all_m in airs
        for preset, distance_m in enumerate(all_m)
    ]
    return Unseen(tuple(runs), ModelError(0.2), 1, calibrated=True)


@pytest.mark.parametrize("name", system_names())
def test_every_redrawn_preset_is_a_system(name: str) -> None:
    system = named_system(name)
    for number in range(1, 6):
        drawn = redrawn(system, 0, number)
        assert drawn.is_calibrated == system.is_calibrated
        assert (drawn == system) == (not system.undecided)


def test_redrawn_values_lie_in_their_ranges_and_differ() -> None:
    system = named_system()
    drags = [redrawn(system, 0, number).vehicle.drag_per_s for number in range(1, 9)]  # type: ignore[union-attr]
    low, high = system.undecided["vehicle.drag_per_s"]
    assert all(low <= drag <= high for drag in drags) and len(set(drags)) == len(drags)
    assert redrawn(system, 0, 0) is system
    assert redrawn(system, 0, 3) == redrawn(system, 0, 3) != redrawn(system, 1, 3)


def test_the_shipped_value_is_among_what_is_undecided() -> None:
    data = named_system().model_dump()
    for path, (low, high) in named_system().undecided.items():
        room, field = path.split(".")
        assert low <= data[room][field] <= high, path


def test_a_value_that_does_not_exist_is_refused() -> None:
    system = named_system().model_copy(update={"undecided": {"vehicle.wings": (1.0, 2.0)}})
    with pytest.raises(ConfigError, match=r"vehicle\.wings"):
        redrawn(system, 0, 1)


def test_the_same_test_gets_the_same_flights_and_another_seed_others() -> None:
    backend = StillBackend(StillConfig(drift_m=1.0))
    flights = UnseenFlights(runs=3, presets=4)
    first = fly_unseen(backend, SCENARIO, flights)
    assert first == fly_unseen(backend, SCENARIO, flights)
    assert first != fly_unseen(backend, SCENARIO, UnseenFlights(runs=3, presets=4, seed=1))
    assert len(first.runs) == 3, "a simulator without a system has no presets"


def test_wind_flies_everything_once_more() -> None:
    found = fly_unseen(StillBackend(), SCENARIO, UnseenFlights(runs=2, presets=0, wind_mps=4.0))
    assert [run.in_wind for run in found.runs] == [False, False, True, True]
    assert found.is_robust is True


def test_failing_on_few_presets_is_fragile() -> None:
    assert unseen(1.0, 3.0, 3.0, 3.0).is_fragile
    assert unseen(1.0, 3.0).is_fragile, "only one preset"
    assert not unseen(1.0, 1.0, 1.2, 3.0).is_fragile
    assert not unseen(1.0).is_fragile, "one preset says nothing about others"
    assert unseen(1.0, 1.0, 3.0).presets == (2, 3)


def test_robust_means_failing_with_and_without_wind() -> None:
    assert unseen(1.0, 1.0).is_robust is None
    assert unseen(1.0, 1.0, in_wind=(1.1, 0.9)).is_robust is True
    assert unseen(1.0, 1.0, in_wind=(2.5, 2.9)).is_robust is False
    assert unseen(2.5, 2.5, in_wind=(1.0, 1.0)).is_robust is False


def test_points_and_score_follow_the_competition() -> None:
    certain = unseen(0.0, 0.0)
    assert certain.expected_points == pytest.approx(5.0, abs=0.4)
    assert certain.expected_score == pytest.approx(certain.expected_points * 10.0 / 2.0)
    assert certain.collision_probability is not None and certain.collision_probability > 0.8
    assert unseen(9.0, 9.0).expected_score == pytest.approx(0.0, abs=1e-9)


def test_what_was_never_compared_with_real_flights_has_no_probability() -> None:
    known = unseen(1.0, 2.0, in_wind=(1.4, 9.0))
    other = replace(known, calibrated=False)
    told = other.to_json()
    assert told["failure_probability"] is None is told["collision_probability"] and told["too_close"] == 2
    assert other.presets == known.presets and other.is_fragile == known.is_fragile
    assert from_body(to_body(other)) == other and from_body(to_body(known)) == known


@pytest.mark.parametrize("planner", [None, "straight"])
def test_only_the_planner_that_was_compared_has_probabilities(planner: str | None) -> None:
    """Also when the suite is flown again."""
    with LfsBackend(LfsConfig(planner=planner)) as backend:
        found = fly_unseen(backend, SCENARIO, UnseenFlights(runs=1, presets=0, wind_mps=0.0))
        told = predict(backend, SCENARIO, 0, runs=1)
    assert (found.failure_probability is None) == (planner is not None)
    assert (told.failure_probability is None) == (planner is not None)
    assert told.to_json()["failure_probability"] == told.failure_probability
