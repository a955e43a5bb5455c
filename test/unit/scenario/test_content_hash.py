"""The id of a scene: what is equal has equal ids, and ids never change between versions."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_box, make_scenario


def moved(scenario: Scenario, x_m: float, yaw_rad: float) -> Scenario:
    box = scenario.obstacles[0]
    center = (x_m, *box.center_enu_m[1:])
    return scenario.with_obstacles((box.model_copy(update={"center_enu_m": center, "yaw_rad": yaw_rad}),))


def unsigned(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: unsigned(value) for key, value in content.items()}
    if isinstance(content, list):
        return [unsigned(value) for value in content]
    return content + 0.0 if isinstance(content, float) else content


def as_first_defined(scenario: Scenario) -> str:
    """Every value looked at, as ids were made first."""
    rules = {"name", "seed", "arena", "logical", "conditions"}
    content = scenario.model_dump(mode="json", exclude=rules)
    content["mission"].pop("name")
    for obstacle in content["obstacles"]:
        obstacle.pop("name")
        obstacle.pop("triangles")
    content.pop("parameters")
    text = json.dumps(unsigned(content), sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


@pytest.mark.parametrize("x_m", [0.0, -0.0, -0.05, -10.0, 20.0])
@pytest.mark.parametrize("yaw_rad", [0.0, -0.0, -0.25, -1e-07])
def test_ids_are_those_of_all_versions(x_m: float, yaw_rad: float) -> None:
    scenario = moved(make_scenario(make_box(20.0, -10.0)), x_m, yaw_rad)
    assert scenario.id == as_first_defined(scenario)


def test_a_sign_of_zero_makes_no_other_scene() -> None:
    scenario = make_scenario(make_box(20.0, -10.0))
    assert moved(scenario, -0.0, -0.0).id == moved(scenario, 0.0, 0.0).id
    assert moved(scenario, -0.05, 0.0).id != moved(scenario, 0.05, 0.0).id
