"""Values show themselves in notebooks; what they show is escaped."""

from __future__ import annotations

from dataclasses import replace

import pytest

import uav_testgen
from uav_testgen import fly, predict
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.notebook import plan_view, table_html
from uav_testgen.testing.factories import make_box, make_mission, make_scenario
from uav_testgen.testing.still_backend import StillBackend

EVIL = "<script>alert(1)</script>"


def test_flight_verdict_scenario_and_prediction_show_themselves() -> None:
    scenario = make_scenario(make_box(), mission=make_mission()).model_copy(update={"name": EVIL})
    prediction = predict(scenario, backend="still", runs=1, requirements=["max_tilt", "separation"])
    flight, verdict = fly(scenario, backend="still", requirements=["max_altitude(limit_m=1)"])
    evil = replace(flight, reason=EVIL)
    shown = [one._repr_html_() for one in (scenario, prediction, evil, replace(verdict, sentence=EVIL))]
    assert all("<script" not in text and "<table>" in text for text in shown)
    assert "<svg" in shown[0] and "<svg" in shown[1] and "<svg" in shown[2]
    assert "uncalibrated" in shown[1]
    assert "max_altitude" in shown[3]


def test_tables_escape_names_and_leave_out_what_is_unknown() -> None:
    text = table_html(EVIL, [(EVIL, EVIL), ("nothing", None), ("number", 1.23456)])
    assert "<script" not in text and "nothing" not in text and "1.23" in text
    assert plan_view([]) == "" and plan_view([[]]) == ""


def test_dir_shows_the_public_names() -> None:
    assert {"Finding", "Requirement", "Plan", "campaign", "fly", "judge", "plot"} <= set(dir(uav_testgen))
    assert dir(uav_testgen) == sorted(dir(uav_testgen))
    for name in dir(uav_testgen):
        assert getattr(uav_testgen, name) is not None


def test_parts_are_given_as_objects_and_runs_as_a_number() -> None:
    scenario = make_scenario(make_box(), mission=make_mission())
    pairs = fly(scenario, backend=StillBackend, runs=2)
    assert [flight.scenario_id for flight, _ in pairs] == [scenario.id] * 3
    flight, verdict = fly(scenario, backend=StillBackend())
    assert verdict == pairs[0][1] and flight.ending is pairs[0][0].ending
    with pytest.raises(ConfigError, match="as it is"):
        fly(scenario, backend=StillBackend(), planner="straight")

    class Local: ...

    with pytest.raises(ConfigError, match="has no cycles_per_step"):
        fly(scenario, vehicle=Local)


def test_a_flight_at_a_prompt_is_one_line() -> None:
    flight, _ = fly(make_scenario(make_box(), mission=make_mission()), backend="still")
    said = repr(flight)
    assert (
        said.startswith(f"<Flight of scenario {flight.scenario_id} by still") and flight.ending.value in said
    )
    assert len(said) < 300 and repr(flight.trajectory).startswith(f"<Trajectory: {len(flight.trajectory)} ")
