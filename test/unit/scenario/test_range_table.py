"""Range tables: what categories mean, and what a wrong table is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from uav_testgen.core.config import parse_config, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.logical.declaration import scenario_names
from uav_testgen.scenario.logical.range_table import RangeTable, load_table


def shipped() -> dict:
    return read_yaml(config_folder("stella") / "px4.yaml")


HIGH = {**shipped()["landforms"]["flat"], "height_m": [-3.0, 501.0]}


def test_published_meanings() -> None:
    table = load_table("px4", Path())
    assert table.sizes_m["medium"] == (5.0, 10.0)
    assert table.wind_kmh["light"] == (1.0, 4.0)
    assert table.wind_kmh["moderate"] == (4.0, 8.0)
    assert table.wind_kmh["strong"][0] == 8.0


def test_every_shipped_scenario_has_a_stage() -> None:
    for name in scenario_names():
        stage = load_scenario(config_folder("stella/scenarios") / f"{name}.json")
        assert problems(stage) == ()
        assert stage.logical is not None
        assert stage.logical.landform is stage.terrain.landform


def test_wind_becomes_metres_per_second() -> None:
    stage = load_scenario(config_folder("stella/scenarios") / "scenario-03.json")
    assert stage.logical is not None
    assert stage.logical.wind_mps == pytest.approx((4.0 / 3.6, 8.0 / 3.6), abs=1e-6)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"speed_mps": [2.0, 0.5]}, ("speed_mps", "reversed", "exchange")),
        ({"sizes_m": {"small": [5.0, 1.0]}}, ("sizes_m.small", "reversed")),
        ({"sizes_m": {"small": [1.0, 40.0]}}, ("40", "arena allows")),
        ({"sizes_m": {"": [1.0, 2.0]}}, ("sizes_m", "1 to 100 characters")),
        ({"sizes_m": {"a b": [1.0, 2.0], "a_b": [1.0, 2.0]}}, ("sizes_m", "duplicate word")),
        ({"landforms": {"hilly": shipped()["landforms"]["flat"]}}, ("landforms", "'hilly' needs a form")),
        ({"weather": {"wind force": {}}}, ("weather", "is simulated")),
        ({"weather": {"dust": {"usual": "some", "words": {"none": None}}}}, ("usual 'some'", "none")),
        ({"sizes_m": {}}, ("sizes_m", "at least one")),
        ({"wind_kmh": {"light": [1.0, 4.0, 9.0]}}, ("wind_kmh.light",)),
        ({"visibility": {"fog": {"range": [1, 2]}}}, ("visibility.fog.range", "range_m")),
        ({"keep_out_m": -1}, ("keep_out_m", "greater than or equal")),
        ({"speed_mps": [0.0, 1.5]}, ("speed_mps: the range must lie within 0.001 to 50 m/s",)),
        ({"speed_mps": [0.00001, 1.5]}, ("speed_mps: the range must lie within 0.001 to 50 m/s",)),
        ({"speed_mps": [0.5, 100.0]}, ("speed_mps: the range must lie within 0.001 to 50 m/s",)),
        ({"wind_kmh": {"none": [-1.0, 0.0]}}, ("wind_kmh.none: the range must lie within 0 to 216 km/h",)),
        ({"wind_kmh": {"strong": [8.0, 1e6]}}, ("wind_kmh.strong: the range must lie within 0 to 216",)),
        (
            {"visibility": {"fog": {"range_m": [-5.0, 18.0]}}},
            ("visibility.fog.range_m: the range must lie within 0.001 to 100000 m",),
        ),
        ({"floating_m": [-1e9, 8.0]}, ("floating_m: the range must lie within 0 to 1000 m",)),
        ({"rotation_deg": [-1e9, 0.0]}, ("rotation_deg: the range must lie within 0 to 360 deg",)),
        (
            {"wind_direction_deg": [0.0, 1e300]},
            ("wind_direction_deg: the range must lie within -360 to 360",),
        ),
        ({"sizes_m": {"small": [-1.0, 5.0]}}, ("sizes_m.small: the range must lie within 0.001 to 1000 m",)),
        ({"arena": {**shipped()["arena"], "east_max_m": 1e9}}, ("arena: a border lies 1e+09 m", "10000 m")),
        ({"landforms": {"flat": HIGH}}, ("landforms.flat.height_m: the range must lie within 0 to 500 m",)),
    ],
)
def test_wrong_tables(change: dict, words: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as error:
        parse_config(RangeTable, {**shipped(), **change}, source="mine.yaml")
    assert all(word in str(error.value) for word in ("mine.yaml", *words)), str(error.value)


def test_a_wrong_table_is_told_with_both_files(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump({**shipped(), "speed_mps": [0.0, 1.5]}))
    scenario = read_yaml(config_folder("stella/scenarios") / "scenario-05.json")
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**scenario, "ranges": "mine.yaml"}))
    with pytest.raises(ConfigError, match=r"mine\.json: .*mine\.yaml: speed_mps: the range must lie within"):
        load_scenario(path)


def test_ranges_in_a_scenario_file_keep_the_same_bounds(tmp_path: Path) -> None:
    """A stage that was saved comes back through the model, not through a table."""
    stage = load_scenario(config_folder("stella/scenarios") / "scenario-05.json")
    path = tmp_path / "stage.yaml"
    for change, words in (
        ({"logical": {"wind_mps": [0.0, 1e6]}}, r"logical\.wind_mps: the range must lie within 0 to 60 m/s"),
        ({"arena": {"east_max_m": 1e9}}, "arena: with 'logical' its borders lie within 10000 m"),
    ):
        data = stage.model_dump(mode="json")
        for key, value in change.items():
            data[key] |= value
        path.write_text(json.dumps(data))
        with pytest.raises(ConfigError, match=words):
            load_scenario(path)


def test_a_category_the_table_lacks(tmp_path: Path) -> None:
    table = shipped()
    table["sizes_m"] = {"medium": [5.0, 10.0]}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(table))
    scenario = read_yaml(config_folder("stella/scenarios") / "scenario-05.json")
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**scenario, "ranges": "mine.yaml"}))
    with pytest.raises(ConfigError, match=r"environment.obstacles.0.size: .*'small'.* it has: medium"):
        load_scenario(path)
    path.write_text(json.dumps({**scenario, "ranges": "px5"}))
    with pytest.raises(InputFileError, match="unknown range table 'px5', did you mean 'px4'"):
        load_scenario(path)
    path.write_text(json.dumps({**scenario, "ranges": "absent.yaml"}))
    with pytest.raises(InputFileError, match=r"absent\.yaml: no such file"):
        load_scenario(path)
