"""Logical scenarios: the published JSON form, its schema, the shipped files, errors."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.logical.declaration import (
    find_logical,
    load_logical,
    parse_logical,
    scenario_names,
)
from uav_testgen.scenario.logical.range_table import load_table
from uav_testgen.scenario.logical.schema import SCHEMA_FILE, schema_text
from uav_testgen.scenario.model import Shape, Surface

# The example printed in the publication.
EXAMPLE = {
    "name": "Test Scenario #1",
    "system": {"UAVs": [{"maneuvers": ["move to waypoint"]}]},
    "environment": {
        "flight area": {"landform": "flat", "surface nature": "land"},
        "obstacles": [
            {"kind": "dynamic", "size": "medium", "form": "sphere"},
            {"kind": "static", "size": "large", "form": "cuboid"},
        ],
        "weather": {
            "wind force": "moderate",
            "reduced visibility": "heavy_fog",
            "lighting": "normal",
            "temperature": "moderate",
            "precipitation": "none",
            "lightning": "none",
            "cloud cover": "none",
        },
    },
}
# Table III: number, landform, surface, kinds, sizes, forms, wind, visibility.
TABLE_III = """
1 | flat | mixture | DY DY DY DY | S S S S | CY SP CY CY | strong | thick fog
2 | depression | land | ST ST ST | L M M | SP CY CU | light | heavy fog
3 | elevation | water | DY | M | CU | moderate | fog
4 | steep transition | mixture | ST DY ST ST | M L L M | CU CU SP CU | none | none
5 | flat | land | ST ST | S L | CY CU | strong | none
6 | elevation | water | DY ST DY ST | L M L L | SP SP CY SP | none | fog
7 | depression | water | DY DY DY DY | M L M M | CY CY CU SP | moderate | heavy fog
8 | steep transition | land | ST ST ST DY | L S S L | CU CY SP CY | moderate | thick fog
9 | flat | water | DY DY ST DY | S M M S | SP CU SP CU | light | fog
10 | flat | mixture | ST | L | SP | none | thick fog
11 | steep transition | land | DY | S | CY | strong | heavy fog
12 | depression | land | ST ST DY ST | M S L S | CU SP CU CU | strong | heavy fog
13 | elevation | mixture | ST ST ST ST | S M S M | CY CY CU CY | light | fog
14 | steep transition | water | ST DY DY | M S S | SP SP CY | moderate | none
15 | flat | land | ST DY DY ST | M L M L | CU CU CY SP | light | thick fog
16 | depression | mixture | DY | S | CU | light | none
17 | depression | land | DY DY | L S | CY CY | none | fog
18 | depression | water | ST ST ST DY | L L L M | SP CY CY CY | strong | none
19 | elevation | mixture | DY DY DY ST | S S M L | CY CU SP CU | moderate | heavy fog
20 | elevation | land | ST DY ST DY | L L S S | CY CU CU SP | none | none
21 | flat | mixture | DY ST ST | S L L | CY SP SP | strong | fog
22 | steep transition | water | ST ST | M M | CU SP | light | thick fog
23 | flat | land | DY ST DY ST | S S M M | SP SP CY CY | none | heavy fog
24 | steep transition | mixture | DY ST DY DY | S M M L | SP SP CU SP | strong | none
25 | flat | land | ST DY DY DY | L M L S | CU CY CU CU | moderate | thick fog
26 | depression | water | ST ST DY ST | S S L M | CY CU SP SP | light | thick fog
27 | depression | land | DY DY DY DY | S M S L | CY SP CY CU | light | heavy fog
28 | elevation | mixture | DY ST | S M | SP SP | moderate | thick fog
29 | elevation | water | DY ST DY | L S S | CU CU CY | strong | thick fog
30 | steep transition | water | DY DY DY DY | M L M S | CU CU CY CY | light | fog
31 | flat | land | DY DY | M M | SP CY | moderate | heavy fog
32 | steep transition | mixture | DY ST ST | L L S | SP SP CU | none | none
"""


def changed(*path: object, to: object = None) -> dict:
    """The example with one value replaced, or removed."""
    data = copy.deepcopy(EXAMPLE)
    place = data
    for key in path[:-1]:
        place = place[key]  # type: ignore[index]
    if to is None:
        del place[path[-1]]  # type: ignore[arg-type]
    else:
        place[path[-1]] = to  # type: ignore[index]
    return data


def test_the_published_example() -> None:
    logical = parse_logical(Path("example.json"), EXAMPLE)
    assert logical.environment.flight_area.landform_word == "flat"
    assert logical.environment.flight_area.surface_kind is Surface.LAND
    assert [one.shape for one in logical.environment.obstacles] == [Shape.SPHERE, Shape.BOX]
    assert logical.environment.weather.reduced_visibility == "heavy_fog"


def test_two_words_with_space_or_underscore() -> None:
    area, weather = (
        ("environment", "flight area", "landform"),
        ("environment", "weather", "reduced visibility"),
    )
    for landform in ("steep transition", "steep_transition"):
        logical = parse_logical(Path("x.json"), changed(*area, to=landform))
        assert logical.environment.flight_area.landform_word == "steep_transition"
    for fog in ("thick fog", "thick_fog"):
        logical = parse_logical(Path("x.json"), changed(*weather, to=fog))
        assert logical.environment.weather.reduced_visibility == "thick_fog"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            changed("environment", "flight area", "landform", to="hilly"),
            ("flight area.landform", "elevation", "'hilly'"),
        ),
        (changed("environment", "obstacles", 1, "kind", to="flying"), ("obstacles.1.kind", "'dynamic'")),
        (changed("environment", "obstacles", 0, "size", to="huge"), ("obstacles.0.size", "large")),
        (changed("environment", "obstacles", 0, "form", to="cone"), ("obstacles.0.form", "'cylinder'")),
        (changed("environment", "weather", "wind force", to="storm"), ("weather.wind force", "strong")),
        (changed("environment", "weather", "humidity", to="high"), ("'humidity'", "lighting")),
        (changed("environment", "weather", "lightning", to="purple"), ("weather.lightning", "none, distant")),
        (changed("environment", "weather", "ligthing", to="dark"), ("did you mean 'lighting'",)),
        (changed("environment", "weather", "lighting", to=[1, 2]), ("weather.lighting", "words for this")),
        (changed("environment", "weather", "temperature", to=[10, 300]), ("temperature", "-60 to 60")),
        (changed("environment", "weather", "temperature", to=[30, 10]), ("temperature", "reversed")),
        (changed("environment", "weather", "temperature", to={"a": 1}), ("temperature", "a word or a range")),
        (
            changed("environment", "flight area", "landfrom", to="flat"),
            ("landfrom", "did you mean 'landform'"),
        ),
        (changed("environment", "flght area", to={}), ("flght area", "did you mean 'flight area'")),
        (changed("environment", "flight area"), ("environment.flight area", "required")),
        (changed("environment", "obstacles", to=[]), ("environment.obstacles", "at least 1")),
        (changed("system", "UAVs", to=[]), ("system.UAVs", "at least 1")),
        (
            changed("system", "UAVs", 0, "maneuvers", to=["loop"]),
            ("UAVs.0.maneuvers.0", "'move to waypoint'"),
        ),
        (changed("system"), ("system", "required")),
    ],
)
def test_errors_name_the_path_and_what_is_allowed(data: dict, words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ConfigError) as error:
        load_scenario(path)
    assert "wrong.json" in str(error.value)
    for word in words:
        assert word in str(error.value)


def test_the_schema_file_is_fresh() -> None:
    written = (config_folder("stella") / SCHEMA_FILE).read_text(encoding="utf-8")
    assert written == schema_text(load_table("px4", Path())), "write it anew with: make docs"


def test_the_schema_agrees_with_the_model() -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="the JSON schema validator is not installed")
    validator = jsonschema.Draft202012Validator(json.loads(schema_text(load_table("px4", Path()))))
    validator.validate(EXAMPLE)
    validator.validate(changed("environment", "weather", "temperature", to=[10.0, 30.0]))
    for name in scenario_names():
        validator.validate(read_yaml(find_logical(name, Path())))
    for wrong in (
        changed("environment", "flight area", "landform", to="hilly"),
        changed("environment", "weather", "humidity", to="high"),
        changed("environment", "weather", "lighting", to="purple"),
        changed("environment", "obstacles", to=[]),
        changed("environment", "flght area", to={}),
        changed("system"),
    ):
        assert not validator.is_valid(wrong)


def test_all_of_table_three_is_shipped() -> None:
    kinds = {"ST": "static", "DY": "dynamic"}
    sizes = {"S": "small", "M": "medium", "L": "large"}
    forms = {"CU": "cuboid", "SP": "sphere", "CY": "cylinder"}
    rows = [[part.strip() for part in line.split("|")] for line in TABLE_III.strip().splitlines()]
    assert len(rows) == 32
    for number, landform, surface, kind, size, form, wind, fog in rows:
        environment = load_logical(find_logical(f"scenario-{int(number):02d}", Path())).environment
        assert environment.flight_area.landform == landform
        assert environment.flight_area.surface_nature == surface
        expected = [
            (kinds[k], sizes[s], forms[f])
            for k, s, f in zip(kind.split(), size.split(), form.split(), strict=True)
        ]
        assert [(one.kind, one.size, one.form) for one in environment.obstacles] == expected
        assert environment.weather.wind_force == wind
        assert environment.weather.reduced_visibility == fog.replace(" ", "_")


def test_the_fifth_static_scenario() -> None:
    environment = load_logical(find_logical("static-5", Path())).environment
    assert environment.flight_area.landform_word == "depression"
    assert [(one.kind, one.form) for one in environment.obstacles] == [("static", "cuboid")]
    assert (environment.weather.wind_force, environment.weather.reduced_visibility) == ("moderate", "fog")


def test_an_unknown_name_lists_the_shipped_ones() -> None:
    with pytest.raises(InputFileError, match="did you mean 'scenario-01'"):
        find_logical("scenaro-01", Path())


def test_a_logical_scenario_brings_its_arena(tmp_path: Path) -> None:
    from uav_testgen.scenario.arena import Arena

    path = find_logical("scenario-09", tmp_path)
    base = load_scenario(path)
    assert base.obstacles == ()
    assert base.logical is not None and base.logical.name == "Table III, scenario 9"
    assert load_scenario(path, Arena()).arena == base.arena
    with pytest.raises(ConfigError, match="brings its arena"):
        load_scenario(path, Arena(max_obstacles=7))
