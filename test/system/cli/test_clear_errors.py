"""Errors speak the file's own words and give advice that can be followed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main

pytestmark = pytest.mark.system


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("drone: {mission_file: nowhere.plan}\n", "drone.mission_file: no file 'nowhere.plan'"),
        ("robot: {mission_file: nowhere.plan}\n", "robot.mission_file: no file 'nowhere.plan'"),
        ("drone: {port: ros}\n", "neither drone.mission_file nor test.waypoints is given"),
        ("drone: {port: ros}\ntest: {waypoints: 3}\n", "test.waypoints:"),
        ("robot: {port: ros}\nmission: {waypoints: 3}\n", "mission.waypoints:"),
    ],
)
def test_an_aerialist_file_is_spoken_of_in_its_own_words(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "test.yaml"
    path.write_text(text)
    assert main(["fly", str(path)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert not ("drone" in text and "robot." in told)


def test_only_files_of_the_same_kind_are_suggested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mission1-2.png").write_bytes(b"")
    assert main(["fly", str(tmp_path / "mission2.yaml")]) == 2
    assert "did you mean" not in capsys.readouterr().err
    (tmp_path / "mission1.yml").write_text("name: another\n")
    assert main(["fly", str(tmp_path / "mission2.yaml")]) == 2
    assert "did you mean 'mission1.yml'?" in capsys.readouterr().err


def test_a_worker_without_aerialist_does_not_advise_to_use_a_worker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "settings.yaml"
    settings.write_text("command: [no-such-aerialist]\n")
    assert main(["worker", str(tmp_path / "jobs"), "--settings", str(settings), "--until-empty"]) == 3
    told = capsys.readouterr().err
    assert "no-such-aerialist: program not found; install Aerialist" in told
    assert "uav-testgen worker" not in told


def test_a_worker_speaks_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "worker",
        str(tmp_path / "jobs"),
        "--backend",
        "still",
        "--name",
        "mine",
        "--until-empty",
        "--json",
    ]
    assert main(words) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["worker"], said["backend"], said["handled"], said["flown"]) == ("mine", "still", 0, 0)
