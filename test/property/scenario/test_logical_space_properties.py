"""Whatever vector a search proposes, what it decodes to belongs to the logical scenario."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uav_testgen.resources import config_folder
from uav_testgen.scenario.conformance import nonconformities
from uav_testgen.scenario.logical import scenario_names
from uav_testgen.scenario.logical_space import LogicalSpace
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.scenario_file import load_scenario
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


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(SPACES)), st.integers(0, 2**32 - 1))
def test_what_is_decoded_survives_json(name: str, seed: int) -> None:
    space = SPACES[name]
    scenario = space.decode(np.random.default_rng(seed).random(space.dimension))
    again = Scenario.model_validate_json(scenario.model_dump_json())
    assert again == scenario
    assert again.id == scenario.id
