"""`uav-testgen replicate` as a user runs it, on the blind drone: milliseconds per flight."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from test.system.command_line import run
from uav_testgen.cli.main import main
from uav_testgen.scenario.formats.aerialist import load_obstacles
from uav_testgen.scenario.formats.plan_file import save_plan
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.model import Mission, Waypoint
from uav_testgen.testing.factories import make_box, make_scenario, make_trajectory
from uav_testgen.testing.flight_logs import REFERENCE_DEG, log_bytes
from uav_testgen.work.store import FILE_NAME

pytestmark = pytest.mark.system

Replicate = Callable[..., "Ran"]
SHARED = Path(__file__).resolve().parents[4] / "shared" / "flightlogs"


class Ran(NamedTuple):
    """What a command leaves behind."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A made log (up 4 m, 40 m east in a bow, down), its plan and a seed."""
    points = [(0.0, 0.0, 0.2 * k) for k in range(20)]
    points += [(0.4 * k, 0.002 * k * (100 - k), 4.0) for k in range(101)]
    points += [(40.0, 0.0, 4.0 - 0.2 * k) for k in range(21)]
    (tmp_path / "made.ulg").write_bytes(log_bytes(make_trajectory(points), offset_ned_m=(0.0, 0.0, 0.0)))
    mission = Mission(
        waypoints=(Waypoint(position_enu_m=(40.0, 0.0, 4.0)),), takeoff_altitude_m=4.0, name="made"
    )
    save_plan(tmp_path / "made.plan", mission, REFERENCE_DEG)
    save_scenario(
        tmp_path / "seed.yaml", make_scenario(make_box(20.0, 0.0, (3.0, 3.0, 5.0)), mission=mission)
    )
    return tmp_path


@pytest.fixture
def replicate(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """The command in this process (starting Python anew would cost more than the search itself)."""
    monkeypatch.chdir(folder)

    def call(*words: str) -> Ran:
        given = [] if "--budget" in words else ["--budget", "9"]
        backend = [] if "--backend" in words else ["--backend", "still"]
        capsys.readouterr()
        try:
            code = main(["replicate", "made.ulg", "--runs", "2", "--jobs", "0", *backend, *given, *words])
        except SystemExit as left:  # argparse
            code = int(left.code or 0)
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return call


def summary(ran: Ran) -> dict[str, Any]:
    assert ran.returncode == 0, ran.stderr
    data: dict[str, Any] = json.loads(ran.stdout)
    return data


def test_writes_scenarios_table_and_picture(folder: Path, replicate: Replicate) -> None:
    ran = replicate("--plan", "made.plan", "--seed-scenario", "seed.yaml", "--out", "out")
    assert ran.returncode == 0, ran.stderr
    for word in ("Seed DTW", "Best DTW", "Fréchet Red.", "Needed Budget", "Eval. Time", "predicted by still"):
        assert word in ran.stdout
    assert "evaluations" in ran.stderr, "progress goes to stderr"
    best = load_scenario(folder / "out" / "best.yaml")
    assert len(best.obstacles) == 1
    (written,) = load_obstacles(folder / "out" / "best_aerialist.yaml")
    assert written.center_enu_m == pytest.approx(best.obstacles[0].center_enu_m)
    assert (folder / "out" / "overlay.png").read_bytes().startswith(b"\x89PNG")
    data = json.loads((folder / "out" / "summary.json").read_text())
    assert 0 < data["evaluations"] <= 9
    # A blind drone flies straight past the bow: 5 m off in the middle, and no obstacle changes that.
    assert data["seed_frechet"] == pytest.approx(5.0, abs=0.6)
    assert data["best_dtw"] == data["seed_dtw"] > 50.0


def test_requirements_are_judged_when_the_search_is_over(folder: Path, replicate: Replicate) -> None:
    (folder / "mine.py").write_text(
        "from uav_testgen.oracle import Finding\n\n"
        "class Low:\n    name = 'low'\n\n"
        "    def judge(self, scenario, flight):\n"
        "        top_m = float(flight.trajectory.position_enu_m[:, 2].max())\n"
        "        return Finding(self.name, 3.0 - top_m, 'm', sentence=f'rose to {top_m:.1f} m')\n"
    )
    words = ("--plan", "made.plan", "--seed-scenario", "seed.yaml", "--out", "out")
    plain = summary(replicate(*words, "--json"))
    ran = replicate(
        *words, "--resume", "--requirement", "mine.py:Low", "--requirement", "max_duration(limit_s=1e4)"
    )
    assert ran.returncode == 0, ran.stderr
    assert "low: violated in 2 of 2 flights of the best, least margin -" in ran.stdout
    told = json.loads((folder / "out" / "summary.json").read_text())
    low, quick = told["requirements"]["best"]
    assert (low["violated"], quick["violated"], quick["flights"]) == (2, 0, 2)
    assert told["best_dtw"] == plain["best_dtw"], "the search looks at the likeness only"
    assert plain["requirements"] == {"seed": [], "best": []}
    assert replicate(*words, "--resume", "--requirement", "nothing").returncode == 2


def test_speed_is_replicated_and_the_log_tells_the_rest(folder: Path, replicate: Replicate) -> None:
    """Random seed, several obstacles, mutators beyond the paper's, another variable."""
    ran = replicate(
        "--plan", "made.plan", "--obstacles", "2", "--mutators", "move,z,speed,wind",
        "--match", "speed", "--seed", "4", "--json",
    )  # fmt: skip
    data = summary(ran)
    assert (data["variable"], data["seed"], len(data["best_obstacles"])) == ("speed", 4, 2)
    assert (folder / "results" / "replicate" / "made-4" / "best.yaml").is_file()


def test_same_seed_same_result_and_resume_recalls(folder: Path, replicate: Replicate) -> None:
    words = ("--plan", "made.plan", "--seed-scenario", "seed.yaml", "--json")
    first = summary(replicate(*words, "--out", "one"))
    store = folder / "one" / FILE_NAME
    lines = store.read_bytes().splitlines(keepends=True)
    # As after a kill in the middle of a write: three evaluations are kept, the fourth is torn.
    store.write_bytes(b"".join(lines[:4]) + lines[4][:50])
    again = summary(replicate(*words, "--out", "one", "--resume"))
    assert again["recalled"] == 3
    timing = ("recalled", "eval_wall_s", "eval_cpu_s", "notes")
    assert {k: v for k, v in again.items() if k not in timing} == {
        k: v for k, v in first.items() if k not in timing
    }


def test_other_settings_in_the_folder_are_refused(folder: Path, replicate: Replicate) -> None:
    words = ("--plan", "made.plan", "--seed-scenario", "seed.yaml", "--out", "out", "--budget", "3")
    assert replicate(*words).returncode == 0
    full = replicate(*words)
    assert full.returncode == 2 and "--resume" in full.stderr
    other = replicate(*words, "--resume", "--seed", "9")
    assert other.returncode == 2 and "other settings" in other.stderr and "seed" in other.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--mutators", "mvoe"), "move"),
        (("--mutators", ""), "at least one"),
        (("--vehicle", "px4"), "--vehicle"),
        (("--backend", "lfs", "--vehicle", "paper", "--mutators", "wind"), "wind"),
        (("--obstacles", "0"), "--obstacles"),
        (
            ("--plan", "made.plan", "--obstacles", "25"),
            "--obstacles: Input should be less than or equal to 20",
        ),
        (
            ("--plan", "made.plan", "--obstacles", "5000"),
            "--obstacles: Input should be less than or equal to 20",
        ),
        (
            ("--plan", "made.plan", "--min-rounds", "100000"),
            "--min-rounds: Input should be less than or equal",
        ),
        (("--plan", "made.plan", "--budget", "99999999"), "--budget: Input should be less than or equal to"),
        (("--plan", "absent.plan"), "absent.plan"),
        (("--plan", "far.plan"), "not the one"),
        ((), "--plan"),
        (("--plan", "made.plan", "--seed-scenario", "empty.yaml"), "no obstacle"),
        (("--plan", "made.plan", "--seed-scenario", "seed.yaml", "--obstacles", "3"), "--seed-scenario"),
        (("--plan", "made.plan", "--seed-scenario", "home.yaml"), "home"),
    ],
)
def test_bad_input_is_one_clear_line(
    folder: Path, replicate: Replicate, words: tuple[str, ...], message: str
) -> None:
    far = Mission(waypoints=(Waypoint(position_enu_m=(0.0, 90.0, 4.0)),), takeoff_altitude_m=4.0)
    save_plan(folder / "far.plan", far, REFERENCE_DEG)
    save_scenario(folder / "empty.yaml", make_scenario())
    save_scenario(folder / "home.yaml", make_scenario(make_box(0.0, 0.0, (3.0, 3.0, 5.0))))
    ran = replicate(*words, "--out", "out")
    assert ran.returncode == 2, (ran.stdout, ran.stderr)
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr


def test_damaged_log_is_named(folder: Path, replicate: Replicate) -> None:
    whole = (folder / "made.ulg").read_bytes()
    (folder / "made.ulg").write_bytes(whole[: len(whole) // 2])
    ran = replicate("--plan", "made.plan")
    assert ran.returncode == 2 and "made.ulg" in ran.stderr and "--accept-cut-log" in ran.stderr
    assert replicate("--plan", "made.plan", "--accept-cut-log", "--budget", "1").returncode == 0


def test_shared_real_flight_with_the_papers_seed(tmp_path: Path) -> None:
    if not SHARED.is_dir():
        pytest.skip("needs the flight logs in ../shared/flightlogs")
    ran = run(
        "replicate", SHARED / "real_container_flight.ulg", "--plan", SHARED / "real_container_flight.plan",
        "--seed-scenario", SHARED / "rq1-seed1.yaml", "--backend", "still", "--budget", "3", "--runs", "1",
        "--jobs", "0", "--out", tmp_path / "out", "--json",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    data = json.loads(ran.stdout)
    # The direct way passes 4.6 m from the flight around the container.
    assert data["seed_frechet"] == pytest.approx(4.6, abs=0.2)


def test_own_fitness_is_maximised_and_resume_needs_no_function_call(
    folder: Path, replicate: Replicate
) -> None:
    """Surrealist, section 3.1.4: the fitness function is an input."""
    (folder / "mine.py").write_text(
        "def north(flights, scenario):\n    return scenario.obstacles[0].center_enu_m[1]\n"
    )
    words = (
        "--plan",
        "made.plan",
        "--seed-scenario",
        "seed.yaml",
        "--fitness",
        "mine.py:north",
        "--out",
        "own",
    )
    data = summary(replicate(*words, "--json"))
    assert (data["seed_fitness"], data["fitness"]) == (0.0, "mine.py:north")
    assert data["best_fitness"] == data["best_obstacles"][0]["center_enu_m"][1] > 3.0
    again = replicate(*words, "--resume")
    assert again.returncode == 0 and "Best fitness" in again.stdout
    other = replicate(*words[:-2], "--out", "own", "--resume", "--fitness", "mine.py:south")
    assert other.returncode == 2


def test_own_fitness_that_never_answers_ends_with_its_reason(folder: Path, replicate: Replicate) -> None:
    (folder / "bad.py").write_text("def fitness(flights):\n    return flights[0].absent\n")
    ran = replicate("--plan", "made.plan", "--seed-scenario", "seed.yaml", "--fitness", "bad.py:fitness")
    assert ran.returncode == 3, ran.stderr
    assert "bad.py:2: AttributeError" in ran.stderr and "Traceback" not in ran.stderr


def test_another_series_of_the_log_is_matched(folder: Path, replicate: Replicate) -> None:
    """Surrealist, section 3.1.1: the property to reproduce can be any logged variable."""
    words = ("--plan", "made.plan", "--seed-scenario", "seed.yaml")
    ran = replicate(*words, "--match", "height", "--out", "height")
    assert ran.returncode == 0, ran.stderr
    assert "height [m]" in ran.stdout
    again = summary(replicate(*words, "--match", "height", "--out", "height", "--resume", "--json"))
    assert (again["variable"], again["unit"]) == ("height", "m") and again["recalled"] > 0
    absent = replicate(*words, "--match", "roll")
    assert absent.returncode == 2 and "this log offers: trajectory [m], speed [m/s], heading" in absent.stderr
    both = replicate(*words, "--match", "height", "--fitness", "mine.py:north")
    assert both.returncode == 2 and "exclude each other" in both.stderr


def test_min_dist_stops_the_search_and_says_so(folder: Path, replicate: Replicate) -> None:
    """Surrealist: MIN_DIST as a stop."""
    words = ("--plan", "made.plan", "--seed-scenario", "seed.yaml")
    data = summary(replicate(*words, "--min-dist", "0.5", "--json"))
    assert data["evaluations"] == 1, "the blind drone hits the seed obstacle"
    assert any("stop_at_m" in note for note in data["notes"])
    assert replicate(*words, "--min-dist", "-1").returncode == 2


def test_settings_of_the_search_are_taken_and_checked(replicate: Replicate, folder: Path) -> None:
    words = ("--plan", "made.plan", "--seed-scenario", "seed.yaml")
    refused = replicate(*words, "--setting", "move_stp_m=2")
    assert refused.returncode == 2
    assert "unknown key 'move_stp_m', did you mean 'move_step_m'?" in refused.stderr
    elsewhere = replicate(*words, "--setting", "runs=2")
    assert elsewhere.returncode == 2 and "takes it from --runs" in elsewhere.stderr
    (folder / "search.yaml").write_text("resize_step_m: 1.5\n")
    taken = replicate(
        *words, "--budget", "3", "--runs", "1", "--generator-settings", "search.yaml", "--setting", "move_step_m=2",
        "--out", "set",
    )  # fmt: skip
    assert taken.returncode == 0, taken.stderr
    header = (folder / "set" / FILE_NAME).read_text().splitlines()[0].replace(" ", "")
    assert '"move_step_m":2.0' in header and '"resize_step_m":1.5' in header


def test_repetitions_with_the_papers_tables(folder: Path, replicate: Replicate) -> None:
    """Surrealist, Tables 2 and 3, from any log; resuming flies nothing that is stored."""
    words = ("--plan", "made.plan", "--seed-scenario", "seed.yaml", "--repetitions", "3", "--budget", "4")
    ran = replicate(*words, "--stats", "--out", "reps")
    assert ran.returncode == 0, ran.stderr
    for said in ("Repetitions    3", "DTW Red.", "Fréchet Red.", "Seed to seed", "Shapiro-Wilk p", "ANOVA p", "A12",
                 "Cohen's d", "Needed Budget", "Eval. Time", "Crash Rate", "Unsafe Rate", "Round 1"):  # fmt: skip
        assert said in ran.stdout, said
    found = json.loads((folder / "reps" / "statistics.json").read_text())
    assert found["repetitions"] == 3 and found["crash_rate"] == 1.0, "the blind drone hits the obstacle"
    for name in ("dtw", "frechet"):
        assert (folder / "reps" / f"boxes-{name}.png").read_bytes().startswith(b"\x89PNG")
    seeds = [
        json.loads((folder / "reps" / f"rep-0{k}" / "summary.json").read_text())["seed"] for k in (1, 2, 3)
    ]
    assert seeds == [1, 2, 3]
    data = summary(replicate(*words, "--stats", "--out", "reps", "--resume", "--json"))
    assert all(one["recalled"] == one["evaluations"] for one in data["repetitions"])
    assert data["statistics"]["dtw_reduction_percent"] == found["dtw_reduction_percent"]


def test_the_folders_of_repetitions_are_what_statistics_reads(
    folder: Path, replicate: Replicate, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--plan", "made.plan", "--seed-scenario", "seed.yaml", "--repetitions", "2", "--budget", "2")
    ran = replicate(*words, "--out", "reps")
    assert ran.returncode == 0 and ran.stdout.count("DTW") == 2, "no table unless it is asked for"
    assert main(["statistics", "reps/rep-01", "reps/rep-02"]) == 0
    assert "Seed to seed" in capsys.readouterr().out


def test_statistics_of_one_search_are_refused(replicate: Replicate) -> None:
    ran = replicate("--plan", "made.plan", "--stats")
    assert ran.returncode == 2 and "--repetitions" in ran.stderr


def test_a_flight_by_hand_is_refused_with_what_would_be_needed(folder: Path, replicate: Replicate) -> None:
    """Surrealist, section 2.2.4: manual flights follow the sticks, and no backend here takes stick inputs."""
    points = [(0.2 * k, 0.0, min(0.2 * k, 4.0, 0.2 * (100 - k))) for k in range(101)]
    (folder / "made.ulg").write_bytes(log_bytes(make_trajectory(points), nav_states=[(0.0, 0)]))
    ran = replicate("--plan", "made.plan")
    assert ran.returncode == 2
    assert "made.ulg: flown by hand (100% of the flight in MANUAL)" in ran.stderr
    assert "manual_control_setpoint" in ran.stderr and "a backend would have to take it" in ran.stderr


def test_on_a_simulator_every_flight_is_flown_once(
    folder: Path, replicate: Replicate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops working in the middle; what it flew until then is on record, the fresh flights at the end, too."""
    stand_in = Path(__file__).parents[2] / "fakes" / "simulator.py"
    words = shlex.join([sys.executable, str(stand_in)]) + " --scene {scene} --out {out} --seed {seed}"
    (folder / "sim.yaml").write_text(f"command: {words}\nretries: 0\n")
    monkeypatch.setenv("STAND_IN_CALLS", str(folder / "calls"))
    monkeypatch.setenv("STAND_IN_PLAN", str(folder / "plan"))
    (folder / "plan").write_text("fly fly fly die")
    given = ["--plan", "made.plan", "--seed-scenario", "seed.yaml", "--budget", "3", "--min-rounds", "1"]
    given += ["--backend", "command", "--backend-settings", "sim.yaml", "--runs", "1", "--out", "out"]
    broken = replicate(*given)
    assert broken.returncode == 3 and "go on with --resume" in broken.stderr
    (folder / "plan").write_text("fly")
    found = summary(replicate(*given, "--resume", "--json"))
    assert found["prediction"] is False
    calls = [json.loads(line) for line in (folder / "calls").read_text().splitlines()]
    flown = [(Path(one["scene"]).parent.name.split("-")[0], one["seed"]) for one in calls]
    failed = len(flown) - len(set(flown))
    assert failed <= 3, "only what had left no flight was begun again"
    before = len(calls)
    summary(replicate(*given, "--resume", "--json"))
    assert len((folder / "calls").read_text().splitlines()) == before
