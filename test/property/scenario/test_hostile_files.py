"""Whatever is in a file, reading it gives a scenario or one of our errors: never anything else."""

from __future__ import annotations

import contextlib
import json

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.aerialist_frame import flat_numbers, obstacle_from_numbers
from uav_testgen.scenario.formats.aerialist_write import aerialist_document, save_test
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.plan_file import plan_data, save_plan
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.testing.factories import make_box, make_scenario

FUZZ = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)

nasty_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        ["../../etc/passwd", "/dev/zero", "mission2", "a\x00b.plan", ".plan", "~/x.plan", "1e999"]
    ),
)
nasty = st.recursive(
    nasty_scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                [
                    "mission",
                    "obstacles",
                    "size",
                    "position",
                    "l",
                    "w",
                    "h",
                    "x",
                    "y",
                    "r",
                    "waypoints",
                    "arena",
                ]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@pytest.fixture
def folder(tmp_path):
    save_plan(tmp_path / "mission2.plan", named_mission("mission2"))
    return tmp_path


def read(path):
    """Read and check; anything but our own errors escapes and fails the test."""
    with contextlib.suppress(UavTestgenError):
        problems(load_scenario(path))


def places(data, prefix=()):
    """Every path into nested data."""
    yield prefix
    if isinstance(data, dict):
        for key, value in data.items():
            yield from places(value, (*prefix, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from places(value, (*prefix, number))


def replaced(data, place, value):
    if not place:
        return value
    data[place[0]] = replaced(data[place[0]], place[1:], value)
    return data


GOOD_DOCUMENT = json.dumps(aerialist_document(make_scenario(make_box()), "mission2.plan"))
GOOD_SCENARIO = json.dumps(make_scenario(make_box()).model_dump(mode="json"))
GOOD_PLAN = json.dumps(plan_data(named_mission("mission2")))


@given(st.data(), st.sampled_from([GOOD_DOCUMENT, GOOD_SCENARIO]))
@FUZZ
def test_one_value_of_a_good_file_replaced(folder, data, good):
    parsed = json.loads(good)
    place = data.draw(st.sampled_from(list(places(parsed))))
    path = folder / "case.json"
    path.write_text(json.dumps(replaced(parsed, place, data.draw(nasty))))
    read(path)


@given(st.data())
@FUZZ
def test_one_value_of_a_good_plan_replaced(folder, data):
    parsed = json.loads(GOOD_PLAN)
    place = data.draw(st.sampled_from(list(places(parsed))))
    path = folder / "case.plan"
    path.write_text(json.dumps(replaced(parsed, place, data.draw(nasty))))
    read(path)


@given(nasty)
@FUZZ
def test_nested_rubbish_as_yaml(folder, data):
    path = folder / "case.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8", errors="surrogatepass")
    read(path)


@given(st.binary(max_size=200), st.sampled_from(["yaml", "json", "plan"]))
@FUZZ
def test_any_bytes(folder, content, suffix):
    path = folder / f"case.{suffix}"
    path.write_bytes(content)
    read(path)


@given(st.text(alphabet="[]{}:,-&*!|> \n\t\"'abc123%@`?#", max_size=120))
@FUZZ
def test_anything_that_looks_like_yaml(folder, text):
    path = folder / "case.yaml"
    path.write_text(text)
    read(path)


boxes = st.tuples(
    st.floats(2.0, 20.0),
    st.floats(2.0, 20.0),
    st.floats(10.1, 25.0),
    st.floats(-60, 60),
    st.floats(-60, 60),
    st.just(0.0),
    st.floats(0.0, 90.0),
).map(lambda numbers: tuple(round(number, 4) for number in numbers))


@given(boxes)
def test_numbers_of_a_box_survive(numbers):
    assert flat_numbers(obstacle_from_numbers(*numbers)) == list(numbers)


@given(st.lists(boxes, max_size=3), st.sampled_from(["robot", "drone"]), st.booleans())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_boxes_are_the_same_after_a_file(tmp_path, numbers, dialect, flat):
    scenario = make_scenario(*(obstacle_from_numbers(*box) for box in numbers))
    save_test(tmp_path / "t.yaml", scenario, dialect=dialect, flat=flat)
    assert load_scenario(tmp_path / "t.yaml").id == scenario.id
    save_scenario(tmp_path / "s.yaml", scenario)
    assert load_scenario(tmp_path / "s.yaml") == scenario


@given(boxes)
def test_a_box_turned_by_a_right_angle_with_its_sides_exchanged_breaks_the_same_rules(numbers):
    l, w, h, x, y, z, r = numbers  # noqa: E741
    one, same = obstacle_from_numbers(*numbers), obstacle_from_numbers(w, l, h, x, y, z, r + 90.0)
    rules = [{p.rule for p in problems(make_scenario(box)) if p.rule != "rotation"} for box in (one, same)]
    assert rules[0] == rules[1]
