"""CSV, JUnit XML and pictures hold what they should, whatever the names are."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from uav_testgen.campaign.archive import Likeness
from uav_testgen.campaign.confirm import Confirmation
from uav_testgen.campaign.ranking import RankedTest, worth_of
from uav_testgen.campaign.result import SuiteTest
from uav_testgen.campaign.screening import FlownRun
from uav_testgen.core.errors import StoreError
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.standin.answers import Answer
from uav_testgen.standin.report import answers_csv
from uav_testgen.testing.evaluations import evaluation_at, scenario_at
from uav_testgen.testing.still_backend import StillBackend, StillConfig
from uav_testgen.view.cells import plain_cell
from uav_testgen.view.comparison_text import runs_csv, table_csv
from uav_testgen.view.plots import plot_flight
from uav_testgen.view.publish_study import timings_csv
from uav_testgen.view.repeats import confirmed_spread, predicted_spread
from uav_testgen.view.suite import overlap_matrix
from uav_testgen.view.tables import evaluations_csv, junit_xml


def test_a_message_cannot_become_a_formula() -> None:
    lost = EvaluationStatus.BACKEND_ERROR
    evaluation = Evaluation(0, scenario_at(-5.0), lost, message="=HYPERLINK(1)")
    row = next(csv.DictReader(io.StringIO(evaluations_csv([evaluation]))))
    assert row["message"] == "'=HYPERLINK(1)"
    assert (
        row["distance_m"] == row["min_distance_3d_m"] == row["outcome"] == ""
        and row["status"] == "backend_error"
    )


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        (" =1+1", "' =1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'\t=1"),
        ("-2+3", "'-2+3"),
        ("\uff1d1", "'\uff1d1"),
        ("-0.25", "-0.25"),
        ("+1e-3", "+1e-3"),
        ("wall", "wall"),
        ("a\0b", "a\ufffdb"),
    ],
)
def test_no_cell_is_a_formula(text: str, cell: str) -> None:
    assert plain_cell(text) == cell


def test_names_in_tables_of_a_comparison_are_no_formulas() -> None:
    row = {"scenario": "=A1", "algorithm": "@x", "repetition": 0, "seed": 1, "evaluations": 2}
    row |= {"violations": 0, "best_margin_m": -0.5, "flight_cpu_s": 1.0, "search_cpu_s": 1.0}
    row |= {"end_reason": "+1+1"}
    read = next(csv.DictReader(io.StringIO(runs_csv({"runs": [row]}))))
    assert (read["scenario"], read["algorithm"], read["end_reason"]) == ("'=A1", "'@x", "'+1+1")
    assert read["best_margin_m"] == "-0.5"
    assert table_csv(("", ["=h"], [["=x", "-0.3", "+0.4 %"]])) == "'=h\n'=x,-0.3,0.4\n"


@pytest.mark.parametrize("name", ["\uffff", "\ufffe", "\ud800", "\x0b", "\x7f", "\U0001fffe", "a\r\nb"])
def test_junit_can_be_read_whatever_the_name_is(name: str) -> None:
    text = junit_xml(f"campaign {name}", [])
    ElementTree.fromstring(text.encode("utf-8"))


def test_junit_survives_control_characters() -> None:
    evaluation = evaluation_at(0, 0.2)
    worth = worth_of(evaluation, ScatterConfig().error)
    test = SuiteTest(1, RankedTest(evaluation, worth, Likeness(0.0, None)), (), None)
    root = ElementTree.fromstring(junit_xml("a\x00b<&>\x1f", [test]))
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None and "prediction" in str(failure.get("message"))


def test_a_picture_is_the_same_twice(tmp_path: Path) -> None:
    scenario = scenario_at(-4.0)
    flight = StillBackend().fly(scenario, 1)
    for name in ("a.png", "b.png"):
        plot_flight(tmp_path / name, scenario, [flight], [judge(scenario, flight)], "a $name$ _with^ signs")
    one = (tmp_path / "a.png").read_bytes()
    assert one.startswith(b"\x89PNG") and one == (tmp_path / "b.png").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.png"]


def test_a_picture_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    scenario = scenario_at(-4.0)
    flight = StillBackend().fly(scenario, 1)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        plot_flight(tmp_path / "file" / "a.png", scenario, [flight], [judge(scenario, flight)])


def test_overlap_of_a_suite() -> None:
    matrix = overlap_matrix([scenario_at(0.0), scenario_at(2.0), scenario_at(20.0)])
    assert matrix[0][1] == matrix[1][0] == pytest.approx(1.0 / 3.0)
    assert matrix[0][2] == 0.0 and matrix[1][1] == 1.0


def test_repeats_of_prediction_and_confirmation() -> None:
    evaluation = evaluation_at(0, 0.4, runs=(2.0, 0.1, 1.0))
    ranked = RankedTest(evaluation, worth_of(evaluation, ScatterConfig().error), Likeness(0.0, None))
    drifting = StillBackend(StillConfig(drift_m=1.0))
    runs = tuple(
        FlownRun(0, 0, repeat, drifting.fly(evaluation.scenario, repeat), verdict)
        for repeat, verdict in enumerate(evaluation.verdicts)
    )
    lost = FlownRun(0, 0, 3, None, None, message="timeout")
    test = SuiteTest(1, ranked, runs, Confirmation("graph", (runs[0], runs[2], lost)))
    predicted, confirmed = predicted_spread(test), confirmed_spread(test)
    assert predicted is not None and confirmed is not None
    assert (predicted.failures, predicted.hard_failures, predicted.runs, predicted.flaky) == (2, 1, 3, True)
    assert predicted.dtw_max_m is not None and predicted.dtw_max_m > 0.0
    assert (confirmed.failures, confirmed.runs, confirmed.flaky) == (2, 2, False)


def test_without_whole_flights_only_the_verdicts_speak() -> None:
    evaluation = evaluation_at(0, 1.0, runs=(2.0, 1.0))
    ranked = RankedTest(evaluation, worth_of(evaluation, ScatterConfig().error), Likeness(0.0, None))
    found = predicted_spread(SuiteTest(1, ranked, (), None))
    assert found is not None and found.flaky and found.dtw_mean_m is None
    single = replace(ranked, evaluation=evaluation_at(0, 1.0, runs=(1.0,)))
    assert predicted_spread(SuiteTest(1, single, (), None)) is None
    assert confirmed_spread(SuiteTest(1, single, (), None)) is None


def test_what_a_program_said_is_no_formula(tmp_path: Path) -> None:
    answer = Answer(1, 2, "=id", None, "=HYPERLINK(1)", False, None, 3.0, "@ending")
    read = next(csv.DictReader(io.StringIO(answers_csv([answer], tmp_path))))
    assert (read["message"], read["ending"]) == ("'=HYPERLINK(1)", "'@ending")


def test_names_in_tables_of_a_study_are_no_formulas() -> None:
    run = {"case": "=A1", "generator": "@x", "budget": 2, "seed": 1, "search_cpu_s": 0.5}
    assert timings_csv({"runs": [run]}).splitlines()[1] == "'=A1,'@x,2,1,0.5"
