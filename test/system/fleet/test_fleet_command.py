"""`uav-testgen fleet` as a user runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from test.system.command_line import run

SHIPPED = Path(__file__).parents[3] / "config" / "fleet"


def fleet(*words: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return run("fleet", *words, stdin=stdin)


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
        ('{"environment": "a\\u0000b.json"}', ["environment", "is no file name"]),
        ('{"environment": "' + "a" * 5000 + '.json"}', ["environment"]),
        ('{"environment": {"size": [5, 5, 1]}, "effector": {"enabled": true, "effects": '
         '[{"type": "weather", "attr": "wind", "value": 1, "cells": [[7, 0, 0]]}]}}',
         ["effector.effects.0.cells (7, 0, 0)", "outside the world"]),
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


def test_without_a_file_the_shipped_scenarios_are_listed() -> None:
    """Lightweight drone simulator, section III-D: the user selects from a list of scenarios."""
    listed = fleet()
    assert listed.returncode == 0
    described = json.loads(fleet("--json").stdout)
    assert set(described) == {path.stem for path in SHIPPED.glob("*.json")}
    for name, sentence in described.items():
        assert sentence.endswith(".")
        assert f"{name} " in listed.stdout and sentence in listed.stdout


def test_names_of_shipped_scenarios_are_arguments() -> None:
    by_name = fleet("survey-area", "--json")
    assert by_name.returncode == 0
    assert by_name.stdout == fleet(SHIPPED / "survey-area.json", "--json").stdout
    wrong = fleet("survey-aria")
    assert wrong.returncode == 2
    assert "did you mean 'survey-area'" in wrong.stderr


def test_listing_4_on_the_console() -> None:
    """Lightweight drone simulator, Listing 4, with --messages."""
    lines = fleet("two-drones", "--messages").stdout.splitlines()
    assert lines[:6] == [
        "NET: 1: MessageType.INFO_UPDATE",
        "NET: 1: MessageType.REQ_PATH",
        "NET: 2: MessageType.INFO_UPDATE",
        "NET: 2: MessageType.REQ_PATH",
        "Controller: 0 ticking...",
        "1.0909090909090908 : (0, 0, 0) (0, 0, 0) (5, 7, 0)",
    ]


def test_listing_6_on_the_console() -> None:
    """Lightweight drone simulator, Listing 6: the first nine lines of the output."""
    lines = fleet("package-delivery").stdout.splitlines()[:9]
    ticks = [20, 25, 27, 25, 30, 35, 30, 43, 36]
    drones = [3, 2, 1, 3, 2, 1, 2, 3, 1]
    assert lines == [
        f"Drone_id: {drone}, Score: 1.0, Est: {tick}, Act: {tick}"
        for drone, tick in zip(drones, ticks, strict=True)
    ]


def test_listing_8_on_the_console() -> None:
    """Lightweight drone simulator, Listing 8, to the comma."""
    lines = fleet("survey-area", "--readings").stdout.splitlines()[:5]
    assert lines == [
        f"1, 0, MessageType.CELL_ATTR, content : (4, {y}, 0), content : temperature, content : {36 - 2 * y},"
        for y in range(5)
    ]


@pytest.mark.parametrize("option", ["--picture", "--animation"])
def test_a_picture_goes_exactly_where_it_was_asked_for(tmp_path: Path, option: str) -> None:
    result = fleet("survey-area", option, tmp_path / "name")
    assert result.returncode == 2
    assert "name must end in" in result.stderr
    assert list(tmp_path.iterdir()) == []
    missing = fleet("survey-area", option, tmp_path / "no" / "name.gif")
    assert missing.returncode == 2


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("method", ["dijkstra", "a_star"])
def test_a_walled_in_target_on_a_large_map_ends_with_a_sentence(
    tmp_path: Path, method: str, known: bool
) -> None:
    """49 million cells, limited to 1.5 GiB of address space."""
    wall = [[6899, 6900, 0], [6901, 6900, 0], [6900, 6899, 0], [6900, 6901, 0]]
    path = tmp_path / "large.json"
    path.write_text(
        json.dumps(
            {
                "environment": {"size": [7000, 7000, 1], "blocked": wall, "known": known},
                "drones": [{"id": 1, "battery_max": 1e9, "speed": 1000, "init_pos": [0, 0, 0]}],
                "tasks": [[{"IType": "GOTO", "Position": [6900, 6900, 0]}]],
                "path_method": method,
            }
        )
    )
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1536 << 20, 1536 << 20)); "
    code = limit + f"from uav_testgen.cli.main import main; sys.exit(main(['fleet', {str(path)!r}]))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert result.returncode == 1, result.stderr
    assert "failed (no way to (6900, 6900, 0))" in result.stdout
