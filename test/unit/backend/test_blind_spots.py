"""Wind that the chosen vehicle does not feel is announced."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.backend.blind_spots import blind_spots
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario, Wind
from uav_testgen.testing.factories import make_scenario

WINDY = make_scenario().model_copy(update={"wind": Wind(velocity_mean_mps=3.0)})
GUSTY = make_scenario().model_copy(update={"wind": Wind(gust_velocity_mean_mps=3.0, gust_duration_s=5.0)})
LOGICAL = load_scenario(Path(__file__).resolve().parents[3] / "config/stella/scenarios/scenario-02.json")


@pytest.mark.parametrize("scenario", [WINDY, GUSTY, LOGICAL])
def test_the_paper_vehicle_does_not_feel_wind(scenario: Scenario) -> None:
    (sentence,) = blind_spots("lfs", {"system": "paper"}, scenario)
    assert sentence == "system 'paper' does not feel the wind of this scenario; px4_mission_v1.12 does"


@pytest.mark.parametrize(
    ("backend", "settings", "scenario"),
    [
        ("lfs", {}, WINDY),
        ("lfs", {"system": "paper", "vehicle": "px4"}, WINDY),
        ("px4", {}, WINDY),
        ("lfs", {}, make_scenario()),
    ],
)
def test_nothing_to_say(backend: str, settings: dict[str, str], scenario: Scenario) -> None:
    assert blind_spots(backend, settings, scenario) == ()
