"""QGroundControl plans: the seven missions, the way back, and what is refused."""

from __future__ import annotations

import json

import pytest

from uav_testgen.core.errors import InputFileError, StoreError
from uav_testgen.scenario.formats.missions import load_mission, mission_names, named_mission
from uav_testgen.scenario.formats.plan_file import (
    load_plan,
    plan_data,
    save_plan,
    to_global_deg,
    to_local_enu_m,
)
from uav_testgen.testing.factories import make_mission

# Published local coordinates (test frame: x north, y east) of the competition's missions.
PUBLISHED = {
    1: [(3.30, 53.09)],
    2: [(-6.84, 53.97), (-12.36, 0.13)],
    3: [(3.30, 53.09), (-14.71, 54.11), (-17.87, 0.99)],
    4: [(46.14, 50.96), (35.07, 60.60), (-17.87, 0.99)],
    5: [(36.81, 28.11), (-6.93, 49.99), (-0.34, -0.06)],
    6: [(-0.85, 7.71), (26.61, 31.02), (-6.04, 46.08), (-41.18, 19.67), (3.51, 3.98)],
    7: [(3.30, 53.09), (-14.71, 54.11), (-18.19, 0.93), (-35.31, 1.91), (-32.30, 55.24)],
}


@pytest.mark.parametrize("number", PUBLISHED)
def test_shipped_missions_have_the_published_waypoints(number):
    mission = named_mission(f"mission{number}")
    local = [(w.position_enu_m[1], w.position_enu_m[0]) for w in mission.waypoints]
    for (x, y), expected in zip(local, PUBLISHED[number], strict=True):
        # Published to a centimetre, so half of one either way.
        assert (x, y) == pytest.approx(expected, abs=0.0051)
    assert mission.takeoff and mission.land and mission.takeoff_altitude_m == 10.0
    assert all(w.position_enu_m[2] == 10.0 for w in mission.waypoints)


@pytest.mark.parametrize("number", PUBLISHED)
def test_original_plans_equal_the_shipped_missions(shared_data, number):
    plan = load_plan(shared_data / "missions" / f"mission{number}.plan")
    shipped = named_mission(f"mission{number}")
    for one, other in zip(plan.waypoints, shipped.waypoints, strict=True):
        assert one.position_enu_m == pytest.approx(other.position_enu_m, abs=0.0006)


def test_seven_missions_are_shipped():
    assert mission_names() == [f"mission{number}" for number in range(1, 8)]


def test_degrees_and_back():
    latitude, longitude = to_global_deg(53.965, -6.836)
    assert to_local_enu_m(latitude, longitude) == pytest.approx((53.965, -6.836), abs=1e-9)


@pytest.mark.parametrize("name", ["mission2", "mission6"])
def test_written_plan_is_the_same_mission(tmp_path, name):
    path = tmp_path / f"{name}.plan"
    save_plan(path, named_mission(name))
    assert load_mission(path) == named_mission(name)


def test_mission_without_takeoff_and_landing(tmp_path):
    mission = make_mission(((10.0, 5.0, 8.0), (20.0, 5.0, 12.0))).model_copy(
        update={"takeoff": False, "land": False, "name": "air", "takeoff_altitude_m": 0.0}
    )
    save_plan(tmp_path / "air.plan", mission)
    assert load_plan(tmp_path / "air.plan") == mission


def broken(**changes):
    """A good plan with one item changed."""
    data = plan_data(named_mission("mission2"))
    data["mission"]["items"][1].update(changes)
    return data


@pytest.mark.parametrize(
    "data, message",
    [
        ([], "not a QGroundControl plan"),
        ({"mission": {"items": {}}}, "not a QGroundControl plan"),
        ({"mission": {"items": []}}, "no waypoint"),
        (broken(command=999), "command 999 is not supported"),
        (broken(command="16"), "'command' must be a whole number"),
        (broken(command=True), "'command' must be a whole number"),
        (broken(frame=[]), "'frame' must be a whole number"),
        (broken(type="ComplexItem"), "only SimpleItem"),
        (broken(params=[0, 0]), "list of 7 values"),
        (broken(params=[0, 0, 0, None, float("nan"), 8.5, 10]), "latitude must be a number"),
        (broken(params=[0, 0, 0, None, 1e999, 8.5, 10]), "latitude must be a number"),
        (broken(params=[0, 0, 0, None, None, 8.5, 10]), "latitude must be a number"),
        (broken(params=[0, 0, 0, None, 10**400, 8.5, 10]), "latitude must be a number"),
        (broken(params=[0, 0, 0, None, 47.39, 91.0, 10]), "at most 10 km"),
        (broken(command=22), "second take-off"),
        (broken(command=21), "comes after landing"),
        ({"mission": {"items": [{"command": 16}] * 2000}}, "at most 1000"),
    ],
)
def test_wrong_plans_say_what_is_wrong(tmp_path, data, message):
    path = tmp_path / "wrong.plan"
    path.write_text(json.dumps(data))
    with pytest.raises(InputFileError, match=message) as caught:
        load_plan(path)
    assert str(path) in str(caught.value)


def test_absolute_altitude_is_relative_to_home(tmp_path):
    data = broken(frame=0)
    data["mission"]["items"][1]["params"][6] = 500.0
    (tmp_path / "a.plan").write_text(json.dumps(data))
    assert load_plan(tmp_path / "a.plan").waypoints[0].position_enu_m[2] == pytest.approx(12.0)


def test_unknown_mission_name_and_kind(tmp_path):
    with pytest.raises(InputFileError, match="did you mean 'mission2'"):
        named_mission("mision2")
    with pytest.raises(InputFileError, match="a mission is a"):
        load_mission(tmp_path / "mission.txt")


def test_unwritable_folder_is_a_store_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        save_plan(tmp_path / "file" / "x.plan", named_mission("mission2"))
