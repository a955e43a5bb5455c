"""What a user sees: outputs, refusals, one-line errors."""

from __future__ import annotations

import csv
import json
import os
import statistics
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from test.system.command_line import run
from uav_testgen.cli.main import main
from uav_testgen.flight.json_io import load_flights
from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.testing.commands import start, stored_lines, trial, wait_until

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    words = ["campaign", str(trial(folder)), "--out", str(folder / "out"), "--jobs", "0"]
    assert main(words) == 0
    return folder / "out"


def test_every_output_is_there(finished: Path) -> None:
    stems = {path.stem for path in finished.glob("tests/*.yaml")}
    assert len(stems) == 4
    assert {path.stem for path in finished.glob("flights/*.json")} == stems
    assert {path.stem for path in finished.glob("plots/*.png")} == stems
    for name in ("summary.json", "evaluations.csv", "junit.xml", "report.html", "campaign.yaml", "case.yaml"):
        assert (finished / name).stat().st_size > 0


def test_the_written_tests_say_what_the_flights_show(finished: Path) -> None:
    for path in sorted(finished.glob("tests/*.yaml")):
        scenario = load_scenario(path)
        name, flights = load_flights(finished / "flights" / f"{path.stem}.json")
        assert name == path.name and len(flights) == 1 + 3, "the nominal run and three drawn ones"
        verdict = judge(scenario, flights[0])
        entry = next(t for t in summary(finished)["tests"] if t["file"] == f"tests/{path.name}")
        assert verdict.min_distance_aerialist_m == pytest.approx(entry["nominal_distance_m"], abs=1e-3)
        assert entry["distance_m"] == statistics.median(entry["distances_m"]) < 1.5
        document = yaml.safe_load(path.read_text())
        assert (path.parent / document["robot"]["mission_file"]).is_file()


def test_scores_fall_with_the_rank_apart_from_diversity(finished: Path) -> None:
    scores = [test["expected_score"] for test in summary(finished)["tests"]]
    assert scores[0] == max(scores)


def test_every_test_says_how_repeatable_it_is(finished: Path) -> None:
    for test in summary(finished)["tests"]:
        spread = test["repeatability"]
        near = [distance for distance in test["distances_m"] if distance < 1.5]
        assert (spread["runs"], spread["failures"]) == (3, len(near))
        assert spread["flaky"] == (0 < len(near) < 3) and spread["dtw_mean_m"] > 0.0
        assert test["confirmation_repeatability"] is None
        assert spread["sentence"] in (finished / "report.html").read_text()


def test_the_summary_names_no_place_on_this_machine(finished: Path) -> None:
    text = (finished / "summary.json").read_text() + (finished / "report.html").read_text()
    assert str(finished) not in text and os.path.expanduser("~") + "/" not in text


def test_csv_and_junit_can_be_read(finished: Path) -> None:
    rows = list(csv.DictReader((finished / "evaluations.csv").open()))
    assert [int(row["number"]) for row in rows] == list(range(24))
    failures = [row for row in rows if row["distance_m"] and float(row["distance_m"]) < 1.5]
    assert len(failures) == summary(finished)["failures"]
    suite = ElementTree.parse(finished / "junit.xml").getroot().find("testsuite")
    assert suite is not None and suite.get("tests") == suite.get("failures") == "4"


def test_the_settings_kept_in_the_folder_repeat_the_campaign(finished: Path, tmp_path: Path) -> None:
    done = run("campaign", "campaign.yaml", "--out", tmp_path / "again", "--jobs", "0", cwd=finished)
    assert done.returncode == 0, done.stderr
    again = {path.name: path.read_bytes() for path in (tmp_path / "again" / "tests").glob("*.yaml")}
    assert again == {path.name: path.read_bytes() for path in finished.glob("tests/*.yaml")}


def test_report_writes_the_same_again(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in [*finished.glob("tests/*"), *finished.glob("plots/*")]}
    (finished / "report.html").unlink()
    assert main(["report", str(finished), "--jobs", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["failures"] == summary(finished)["failures"]
    assert (finished / "report.html").is_file()
    assert before == {path: path.read_bytes() for path in before}


def test_another_seed_gives_other_tests(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["campaign", str(trial(tmp_path)), "--out", str(out), "--seed", "6", "--jobs", "0"]) == 0
    assert summary(out)["seed"] == 6
    assert {p.name for p in out.glob("tests/*.yaml")} != {p.name for p in finished.glob("tests/*.yaml")}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--out", "{out}"], "not empty; continue it with --resume"),
        (["--out", "{out}", "--resume", "--seed", "77"], "seed: 5 -> 77"),
        (["--out", "{out}/summary.json"], "cannot be made"),
        (["--out", "{tmp}/new", "--seed", "-1"], "at least 0"),
        (["--out", "{tmp}/new", "--jobs", "many"], "at least 0"),
    ],
)
def test_refusals_name_the_way_out(finished: Path, tmp_path: Path, words: list[str], says: str) -> None:
    config = trial(tmp_path)
    done = run("campaign", config, *(word.format(out=finished, tmp=tmp_path) for word in words))
    assert done.returncode == 2
    assert says in done.stderr and "Traceback" not in done.stderr


def test_a_changed_setting_is_named(finished: Path, tmp_path: Path) -> None:
    done = run("campaign", trial(tmp_path, simulations=25), "--out", finished, "--resume")
    assert done.returncode == 2
    assert "budget.simulations: 24 -> 25" in done.stderr


def test_two_campaigns_on_one_folder_are_refused(tmp_path: Path) -> None:
    config, out = trial(tmp_path, simulations=500, work_s=0.05), tmp_path / "out"
    process = start("campaign", config, "--out", out, "--jobs", "1")
    try:
        wait_until(lambda: stored_lines(out) > 1, "evaluations")
        second = run("campaign", config, "--out", out, "--resume")
        assert second.returncode == 2
        assert f"process {process.pid}" in second.stderr
    finally:
        process.kill()
        process.wait()


def test_a_read_only_folder_is_refused_before_anything_is_flown(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    if os.access(locked, os.W_OK):
        pytest.skip("this user may write everywhere (root)")
    done = run("campaign", trial(tmp_path), "--out", locked / "out")
    assert done.returncode == 2 and "cannot be made" in done.stderr


def test_a_full_disk_stops_in_one_line_and_keeps_what_was_stored(tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk: the kernel refuses the same write."""
    import resource
    import subprocess

    from uav_testgen.testing.commands import command

    config, out = trial(tmp_path, simulations=200), tmp_path / "out"

    def little_room() -> None:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    done = subprocess.run(
        command("campaign", config, "--out", out, "--jobs", "0"),
        capture_output=True, text=True, timeout=240, preexec_fn=little_room,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "may not grow further" in done.stderr and "--resume" in done.stderr
    assert "Traceback" not in done.stderr
    safe = stored_lines(out)
    assert safe > 5
    finished = run("campaign", config, "--out", out, "--resume", "--jobs", "0")
    assert finished.returncode == 0, finished.stderr
    assert stored_lines(out) > safe


def summary(folder: Path) -> dict:  # type: ignore[type-arg]
    return json.loads((folder / "summary.json").read_text())
