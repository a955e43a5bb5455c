"""StellaUAV, section III-A, Tables I and II: words are those of the range table, or numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from uav_testgen.backend.blind_spots import blind_spots
from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.conformance import nonconformities
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import Landform, Scenario

TABLE_I = {
    "temperature": [10.0, 30.0],
    "precipitation": [0.1, 0.25],
    "cloud coverage": [10.0, 50.0],
    "reduced visibility": [200.0, 1000.0],
}
TABLE_II = [
    {"temperature": 15.2, "precipitation": 0.21, "cloud coverage": 44.8, "visibility": 430.0},
    {"temperature": 27.1, "precipitation": 0.13, "cloud coverage": 31.9, "visibility": 873.5},
]


def scenario_file(folder: Path, table: dict[str, Any] | None = None, **changes: Any) -> Path:
    data = read_yaml(config_folder("stella/scenarios") / "scenario-05.json")
    data["environment"]["weather"] |= changes.pop("weather", {})
    data["environment"]["flight area"] |= changes.pop("area", {})
    data["environment"]["obstacles"][0] |= changes.pop("obstacle", {})
    if table is not None:
        (folder / "mine.yaml").write_text(yaml.safe_dump(table))
        data["ranges"] = "mine.yaml"
    path = folder / "mine.json"
    path.write_text(json.dumps(data))
    return path


def shipped() -> dict[str, Any]:
    table: dict[str, Any] = read_yaml(config_folder("stella") / "px4.yaml")
    return table


def first_instance(stage: Scenario) -> Scenario:
    space = LogicalSpace(stage)
    return space.decode(np.full(space.dimension, 0.5))


def test_table_1_loads_as_numbers(tmp_path: Path) -> None:
    """Table I: temperature, precipitation, cloud coverage and reduced visibility as ranges."""
    stage = load_scenario(scenario_file(tmp_path, weather=TABLE_I))
    assert stage.logical is not None
    assert stage.logical.conditions["temperature"] == (10.0, 30.0)
    assert stage.logical.conditions["precipitation"] == (0.1, 0.25)
    assert stage.logical.conditions["cloud coverage"] == (10.0, 50.0)
    assert stage.logical.visibility_m == (200.0, 1000.0)
    assert stage.logical.weather["temperature"] == "10 to 30"


@pytest.mark.parametrize("row", TABLE_II)
def test_table_2_instances_conform_and_others_do_not(tmp_path: Path, row: dict[str, float]) -> None:
    """Table II: two concrete scenarios of Table I."""
    stage = load_scenario(scenario_file(tmp_path, weather=TABLE_I))
    conditions = {key: value for key, value in row.items() if key != "visibility"}
    instance = first_instance(stage).model_copy(
        update={
            "conditions": conditions,
            "visibility": stage.visibility.model_copy(update={"range_m": row["visibility"]}),
        }
    )
    save_scenario(tmp_path / "instance.yaml", instance)
    again = load_scenario(tmp_path / "instance.yaml")
    assert again.conditions == conditions
    assert nonconformities(again) == ()
    hot = again.model_copy(update={"conditions": {"temperature": 31.0}})
    assert any("temperature is 31.000" in one.message for one in nonconformities(hot))


def test_what_no_simulator_uses_is_said(tmp_path: Path) -> None:
    stage = load_scenario(scenario_file(tmp_path, weather=TABLE_I))
    sentences = blind_spots("lfs", {"vehicle": "px4"}, stage)
    assert "cloud coverage, precipitation, temperature: recorded, but no simulator here uses it" in sentences
    assert any(sentence.startswith("a visibility of 200 m changes nothing") for sentence in sentences)
    usual = load_scenario(config_folder("stella/scenarios") / "scenario-05.json")
    assert blind_spots("lfs", {"vehicle": "px4"}, usual) == ()


def test_conditions_change_neither_the_search_nor_the_scene(tmp_path: Path) -> None:
    usual = load_scenario(config_folder("stella/scenarios") / "scenario-05.json")
    stage = load_scenario(scenario_file(tmp_path, weather={"temperature": [10.0, 30.0]}))
    assert LogicalSpace(stage).dimension == LogicalSpace(usual).dimension
    assert first_instance(stage).conditions["temperature"] == 20.0
    assert first_instance(stage).id == first_instance(usual).id


def test_numbers_in_place_of_sizes_and_winds(tmp_path: Path) -> None:
    stage = load_scenario(scenario_file(tmp_path, obstacle={"size": [2.0, 3.0]}, weather={"wind force": 5.4}))
    assert stage.logical is not None
    assert stage.logical.obstacles[0].size_m == (2.0, 3.0)
    assert stage.logical.wind_mps == (1.5, 1.5)
    with pytest.raises(ConfigError, match=r"obstacles\.0\.size: 2 to 99 leaves the bounds"):
        load_scenario(scenario_file(tmp_path, obstacle={"size": [2.0, 99.0]}))


def test_a_table_may_add_words_and_parameters(tmp_path: Path) -> None:
    """Section III-A: "if necessary, the list of parameters can be extended by the user"."""
    table = shipped()
    table["sizes_m"]["tiny"] = [1.0, 1.5]
    table["wind_kmh"]["storm"] = [60.0, 90.0]
    table["visibility"]["snowfall"] = {"range_m": [6.0, 9.0], "contrast_loss": 0.2}
    table["landforms"]["rolling hills"] = {**shipped()["landforms"]["elevation"], "form": "elevation"}
    table["weather"]["humidity"] = {"unit": "%", "words": {"high": [70.0, 100.0]}}
    path = scenario_file(
        tmp_path,
        table,
        obstacle={"size": "tiny"},
        area={"landform": "rolling hills"},
        weather={"wind force": "storm", "reduced visibility": "snowfall", "humidity": "high"},
    )
    stage = load_scenario(path)
    assert stage.logical is not None
    assert stage.terrain.landform is Landform.ELEVATION
    assert stage.logical.obstacles[0].size_m == (1.0, 1.5)
    assert stage.logical.wind_mps[1] == 25.0
    assert stage.logical.visibility_m == (6.0, 9.0)
    assert stage.logical.conditions["humidity"] == (70.0, 100.0)
    assert nonconformities(first_instance(stage)) == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"weather": {"wind force": "strongg"}}, "did you mean 'strong'"),
        ({"weather": {"lighting": "purple"}}, r"weather\.lighting: range table 'px4' has no 'purple'"),
        ({"area": {"landform": "elevtion"}}, "did you mean 'elevation'"),
        ({"obstacle": {"size": "larg"}}, "did you mean 'large'"),
    ],
)
def test_undeclared_words_are_refused_with_the_nearest(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        load_scenario(scenario_file(tmp_path, **changes))


def test_over_elevation_and_water_obstacles_stand_on_the_surface() -> None:
    """Table III, scenario 3: a hill under water is the bed; what floats there stands at its level."""
    stage = load_scenario(config_folder("stella/scenarios") / "scenario-03.json")
    instance = first_instance(stage)
    assert [round(obstacle.bottom_m, 3) for obstacle in instance.obstacles] == [0.0]


def documented_table() -> dict[str, Any]:
    """The table of one's own that the reference shows."""
    page = (Path(__file__).parents[3] / "docs/reference/stella.md").read_text()
    block = page[page.index("extends: px4\nwind_kmh") :]
    table: dict[str, Any] = yaml.safe_load(block[: block.index("```")])
    return table


def test_a_table_that_extends_the_shipped_one_adds_words_and_parameters(tmp_path: Path) -> None:
    """Section III-A: further parameters and words may be added."""
    table = documented_table()
    stage = load_scenario(
        scenario_file(
            tmp_path, table, weather={"wind force": "storm", "humidity": "high", "lighting": "dark"}
        )
    )
    assert first_instance(stage).conditions["humidity"] == 85.0
    load_scenario(scenario_file(tmp_path, table, weather={"wind force": "light"}))
    with pytest.raises(ConfigError, match="did you mean 'storm'"):
        load_scenario(scenario_file(tmp_path, table, weather={"wind force": "stomr"}))


def test_a_table_can_extend_only_a_shipped_one(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"mine.yaml: extends: unknown range table 'px5', did you mean 'px4'"
    ):
        load_scenario(scenario_file(tmp_path, {"extends": "px5"}))
