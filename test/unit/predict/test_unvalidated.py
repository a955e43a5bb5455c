"""What was never compared with real flights is named, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from uav_testgen.backend.registry import make_backend
from uav_testgen.cli._prediction import distance_lines
from uav_testgen.predict.runs import predict
from uav_testgen.predict.unvalidated import unvalidated, unvalidated_sentence
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import LinearMotion, Obstacle, Scenario, Shape, Terrain, Visibility, Wind

BOX = Obstacle(center_enu_m=(20.0, 0.0, 10.0), size_m=(2.0, 2.0, 20.0))


def scene(*obstacles: Obstacle, **more: Any) -> Scenario:
    return Scenario(mission=named_mission("mission2"), obstacles=obstacles or (BOX,), **more)


@pytest.mark.parametrize(
    "wind", [Wind(), Wind(velocity_mean_mps=4.0, velocity_max_mps=6.0), Wind(direction_variance=1.0)]
)
def test_boxes_in_calm_air_and_steady_wind_are_validated(wind: Wind) -> None:
    assert unvalidated(scene(wind=wind)) == ()
    assert unvalidated_sentence(scene(wind=wind)) == ""


@pytest.mark.parametrize(
    ("scenario", "name"),
    [
        (
            scene(BOX.model_copy(update={"motion": LinearMotion(to_enu_m=(9.0, 9.0, 9.0), speed_mps=1.0)})),
            "moving obstacles",
        ),
        (scene(BOX.model_copy(update={"shape": Shape.CYLINDER})), "obstacles other than boxes"),
        (scene(visibility=Visibility(range_m=8.0)), "fog"),
        (scene(terrain=Terrain(landform="elevation", height_m=5.0)), "landform"),
        (scene(terrain=Terrain(surface="water")), "water"),
        (scene(wind=Wind(velocity_mean_mps=3.0, velocity_variance=1.0)), "changing wind"),
        (scene(wind=Wind(velocity_mean_mps=3.0, direction_variance=0.1)), "changing wind"),
        (scene(wind=Wind(gust_duration_s=2.0, gust_velocity_mean_mps=3.0)), "changing wind"),
        (scene(wind=Wind(velocity_mean_mps=8.0)), "wind above 4 m/s"),
    ],
)
def test_everything_else_is_named(scenario: Scenario, name: str) -> None:
    assert unvalidated(scenario) == (name,)
    assert unvalidated_sentence(scenario) == f"not validated for {name}: no recorded flights to compare with"


def test_a_prediction_says_so_at_every_door() -> None:
    foggy = scene(visibility=Visibility(range_m=8.0))
    with make_backend("still", {}) as backend:
        said, plain = predict(backend, foggy, 1, 2), predict(backend, scene(), 1, 2)
    assert said.to_json()["unvalidated"] == ["fog"]
    assert any(line.startswith("validity") and "fog" in line for line in distance_lines(said))
    assert plain.to_json()["unvalidated"] == []
    assert not any(line.startswith("validity") for line in distance_lines(plain))
