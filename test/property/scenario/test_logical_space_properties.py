"""Whatever vector a search proposes, what it decodes to belongs to the logical scenario."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uav_testgen.core.config import parse_config, read_yaml
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.conformance import nonconformities
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.logical.declaration import parse_logical, scenario_names
from uav_testgen.scenario.logical.range_table import RangeTable
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.logical.stage import stage
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.validity import Rule, violations

pytestmark = pytest.mark.property

SPACES = {
    name: LogicalSpace(load_scenario(config_folder("stella/scenarios") / f"{name}.json"))
    for name in scenario_names()
}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(SPACES)), st.data())
def test_only_places_can_be_wrong(name: str, data: st.DataObject) -> None:
    space = SPACES[name]
    # Corners and edges of the cube are where rounding could leave a range.
    share = st.one_of(st.sampled_from([0.0, 1.0, 0.5]), st.floats(0.0, 1.0))
    vector = np.array(data.draw(st.lists(share, min_size=space.dimension, max_size=space.dimension)))
    scenario = space.decode(vector)
    allowed = {Rule.APART, Rule.CONFORMS}
    assert {one.rule for one in violations(scenario)} <= allowed
    for one in nonconformities(scenario):
        assert "its way is" in one.message or "kept free" in one.message, one.message


FOUND = read_yaml(config_folder("stella") / "px4.yaml")
LARGE = {"max_side_m": 1e12, "max_height_m": 1e12, "min_side_m": 1e-9}
NUMBER = st.one_of(
    st.floats(allow_nan=False), st.sampled_from([0.0, 1e-9, 0.001, 1.0, 50.0, 60.0, 216.0, 360.0, 500.0, 1e4])
)
RANGE = st.tuples(NUMBER, NUMBER).map(lambda pair: sorted(pair))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_table_is_refused_or_every_corner_can_be_decoded(data: st.DataObject) -> None:
    """Whatever numbers stand in a range table: what it accepts, a scenario accepts."""
    table = copy.deepcopy(FOUND)
    table["arena"] |= LARGE
    place, key = data.draw(
        st.sampled_from(
            [
                (table, "speed_mps"),
                (table, "floating_m"),
                (table, "rotation_deg"),
                (table, "wind_direction_deg"),
                (table["sizes_m"], "small"),
                (table["sizes_m"], "large"),
                (table["wind_kmh"], "light"),
                (table["visibility"]["fog"], "range_m"),
                (table["landforms"]["elevation"], "height_m"),
                (table["arena"], "east_m"),
            ]
        )
    )
    place[key] = data.draw(RANGE)
    if place is table["arena"]:
        place["east_min_m"], place["east_max_m"] = place.pop(key)
    forms = [
        {"kind": kind, "size": size, "form": form}
        for kind in ("static", "dynamic")
        for size, form in (("small", "cuboid"), ("large", "sphere"), ("small", "cylinder"))
    ]
    situation = {
        "system": {"UAVs": [{"maneuvers": ["move to waypoint"]}]},
        "environment": {
            "flight area": {"landform": "elevation", "surface nature": "land"},
            "obstacles": forms,
            "weather": {"wind force": "light", "reduced visibility": "fog"},
        },
    }
    logical = parse_logical(Path("x.json"), situation)
    try:
        accepted = parse_config(RangeTable, table, source="x.yaml")
    except ConfigError:
        return
    space = LogicalSpace(stage(logical, accepted))
    for share in (0.0, 0.5, 1.0):
        space.decode(np.full(space.dimension, share))


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(SPACES)), st.integers(0, 2**32 - 1))
def test_what_is_decoded_survives_json(name: str, seed: int) -> None:
    space = SPACES[name]
    scenario = space.decode(np.random.default_rng(seed).random(space.dimension))
    again = Scenario.model_validate_json(scenario.model_dump_json())
    assert again == scenario
    assert again.id == scenario.id
