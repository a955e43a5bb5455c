"""`convert` between all formats: a sentence for what is lost, a refusal for what would be another test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.formats.aerialist import load_test
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.formats.scenes import load_scene

pytestmark = pytest.mark.system
STELLA = config_folder("stella/scenarios") / "scenario-01.json"


@pytest.mark.parametrize("kind", ["aerialist", "aerialist-old", "own"])
def test_there_and_back(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    assert main(["convert", "two_walls", str(first), "--to", kind]) == 0
    assert main(["convert", str(first), str(second)]) == 0
    came, went = load_scenario(second), load_scene("two_walls")
    assert [one.size_m for one in came.obstacles] == [one.size_m for one in went.obstacles]
    assert came.obstacles[0].center_enu_m == pytest.approx(went.obstacles[0].center_enu_m, abs=1e-6)
    if kind != "own":
        assert load_test(first).dialect == ("robot" if kind == "aerialist" else "drone")
        assert f"{kind} cannot hold: the rules of the arena" in capsys.readouterr().out


def test_a_world_and_its_plan_make_the_test_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world, plan, back = (tmp_path / name for name in ("w.world", "w.plan", "back.yaml"))
    assert main(["convert", "two_walls", str(world)]) == 0
    said = capsys.readouterr().out
    assert "world cannot hold: the mission" in said and "check: " in said
    assert main(["convert", "two_walls", str(plan)]) == 0
    assert "plan cannot hold: obstacles" in capsys.readouterr().out
    assert main(["convert", str(world), str(back), "--mission", str(plan)]) == 0
    assert load_scenario(back).obstacles == tuple(
        one.model_copy(update={"name": again.name})
        for one, again in zip(load_scene("two_walls").obstacles, load_scenario(back).obstacles, strict=True)
    )


def test_an_instance_of_a_logical_scenario_becomes_a_world(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, same, other = (tmp_path / f"{name}.yaml" for name in ("one", "same", "other"))
    for path, seed in ((one, "4"), (same, "4"), (other, "5")):
        assert main(["convert", str(STELLA), str(path), "--to", "instance", "--seed", seed]) == 0
    ids = [load_scenario(path).id for path in (one, same, other)]
    assert ids[0] == ids[1] != ids[2]
    assert all(obstacle.motion is not None for obstacle in load_scenario(one).obstacles)
    capsys.readouterr()
    assert main(["convert", str(one), str(tmp_path / "one.world"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["format"] == "world" and any("water" in what for what in told["cannot_hold"])


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["two_walls", "out.txt"], "must end with one of"),
        (["two_walls", "out.plan", "--to", "world"], "contradict each other"),
        (["two_walls", "taken.yaml"], "exists; name another file"),
        (["w.world", "out.yaml"], "name one with --mission"),
        (["two_walls", "out.yaml", "--mission", "mission2"], "goes with a Gazebo world"),
        (["two_walls", "out.yaml", "--to", "instance"], "needs a logical scenario"),
        ([str(STELLA), "out.world"], "write an instance of it first"),
        (["one.yaml", "out.yaml", "--to", "aerialist"], "cannot hold moving obstacles"),
    ],
)
def test_what_cannot_be_is_refused(
    words: list[str],
    word: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken.yaml").write_text("mine")
    assert main(["convert", "two_walls", "w.world"]) == 0
    if words[0] == "one.yaml":
        assert main(["convert", str(STELLA), "one.yaml", "--to", "instance"]) == 0
    capsys.readouterr()
    assert main(["convert", *words]) == ExitCode.INVALID_INPUT
    assert word in capsys.readouterr().err
    assert (tmp_path / "taken.yaml").read_text() == "mine"
    assert not any((tmp_path / f"out{suffix}").exists() for suffix in (".yaml", ".plan", ".world", ".txt"))
