"""`uav-testgen fleet` as a user runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SHIPPED = Path(__file__).parents[3] / "config" / "fleet"


def fleet(*words: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "uav_testgen.cli.main", "fleet", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=120)


def test_text_output() -> None:
    result = fleet(SHIPPED / "package-delivery.json")
    assert result.returncode == 0, result.stderr
    assert "Score: 1.0" in result.stdout
    assert "9 of 9 tasks done" in result.stdout


def test_json_log_picture_and_animation(tmp_path: Path) -> None:
    outputs = {name: tmp_path / f"run.{name}" for name in ("jsonl", "png", "gif")}
    result = fleet(
        SHIPPED / "survey-area.json", "--json", "--log", outputs["jsonl"],
        "--picture", outputs["png"], "--animation", outputs["gif"],
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    summary = json.loads(result.stdout)
    lines = [json.loads(line) for line in outputs["jsonl"].read_text().splitlines()]
    assert lines[-1]["summary"] | {"flights": []} == summary
    assert [line["tick"] for line in lines[:-1]] == list(range(1, summary["ticks"] + 1))
    assert outputs["png"].read_bytes().startswith(b"\x89PNG")
    assert outputs["gif"].read_bytes().startswith(b"GIF8")


def test_step_mode_with_commands() -> None:
    typed = "\npause\nblock 3 3 0\nstatus\nplay\n" + "\n" * 40
    result = fleet(SHIPPED / "survey-area.json", "--step", stdin=typed)
    assert "cell (3, 3, 0) is blocked" in result.stdout
    assert "X" in result.stdout
    assert result.returncode == 0, result.stdout


def test_quitting_leaves_tasks_open() -> None:
    result = fleet(SHIPPED / "survey-area.json", "--step", stdin="pause\nquit\n")
    assert result.returncode == 1
    assert "0 of 1 tasks done" in result.stdout


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"environment": {"size": [5, 5, 1]}, "dron": []}', ["dron", "did you mean 'drones'"]),
        ('{"environment": {"size": [5, 5]}}', ["environment.size"]),
        ('{"environment": {"size": [5, 5, 1], "blocked": [[9, 0, 0]]}}', ["outside"]),
        ('{"environment": "../secret.json"}', ["leads out of"]),
        ('{"environment": {"size": [5, 5, 1]}, "controllers": [{"tasks": [[{"IType": "FLY"}]]}]}',
         ["controllers.0.tasks.0.instructions.0.IType", "GOTO"]),
        ('{"environment": {"size": [5, 5, 1]}, "controllers": [{"tasks": [[{"IType": "GOTO"}]]}]}',
         ["GOTO needs Position"]),
        ('{"environment": {"size": [5, 5, 1]', ["not valid JSON"]),
        ("[1, 2]", ["object is expected"]),
    ],
)  # fmt: skip
def test_bad_files_are_one_line_errors(tmp_path: Path, content: str, words: list[str]) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content)
    result = fleet(path)
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
    for word in ["bad.json", *words]:
        assert word in result.stderr


def test_parts_in_files_of_their_own(tmp_path: Path) -> None:
    whole = json.loads((SHIPPED / "survey-area.json").read_text())
    whole["tasks"] = whole.pop("controllers")[0]["tasks"]
    for part in ("environment", "drones", "tasks"):
        (tmp_path / f"{part}.json").write_text(json.dumps(whole[part]))
        whole[part] = f"{part}.json"
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(whole))
    assert fleet(path, "--json").stdout == fleet(SHIPPED / "survey-area.json", "--json").stdout


def test_flown_tasks_change_the_trust() -> None:
    """The blind still backend flies straight through blocked cells, which costs trust."""
    plain = json.loads(fleet(SHIPPED / "package-delivery-disturbed.json", "--json").stdout)
    flown = json.loads(fleet(SHIPPED / "package-delivery-disturbed.json", "--json", "--fly", "still").stdout)
    assert len(flown["flights"]) == 9
    hit = {flight["drone"] for flight in flown["flights"] if flight["outcome"] == "hard_fail"}
    assert hit
    for before, after in zip(plain["drones"], flown["drones"], strict=True):
        assert after["trust"] <= before["trust"]
        if after["id"] in hit:
            assert after["trust"] <= 0.25 * before["trust"] + 1e-6
