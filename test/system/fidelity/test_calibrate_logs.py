"""`uav-testgen calibrate LOGS --from PRESET --out mine.yaml` on a user's own PX4 logs, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen import fly
from uav_testgen.cli.main import main
from uav_testgen.fidelity.flown_before import FlownBefore
from uav_testgen.flight.ulog.flight_log import flight_log_bytes
from uav_testgen.loop.system import named_system
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.scenario_file import save_scenario
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import obstacle_on_ground

DRAG_PER_S = 0.9


def write_logs(folder: Path) -> None:
    """Flights of a vehicle with another drag than the preset's, logged by PX4 in three scenes of one mission."""
    other = named_system().changed({"vehicle.drag_per_s": DRAG_PER_S})
    for number, side_m in enumerate((-1.0, 0.5, 2.0)):
        scenario = Scenario(
            mission=named_mission("mission1"), obstacles=(obstacle_on_ground(22.0, side_m, (3.0, 9.0, 20.0)),)
        )
        flight, _ = fly(scenario, system=other)
        (folder / f"flight{number}.ulg").write_bytes(flight_log_bytes(scenario, flight))
        save_scenario(folder / f"flight{number}.yaml", scenario)


def test_own_logs_make_a_preset_and_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, mine = tmp_path / "logs", tmp_path / "mine.yaml"
    logs.mkdir()
    write_logs(logs)
    (logs / "lost.ulg").write_bytes(b"not a log")
    command = [
        "calibrate", str(logs), "--from", "px4_mission_v1.12", "--out", str(mine), "--effect", "goal delay",
        "--jobs", "1", "--flown", str(tmp_path / "flown"),
    ]  # fmt: skip
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "3 records" in said and "score on scenes left out" in said
    assert "decided" in said and "goal delay" in said and "bias [m]" in said
    assert "skipped lost.ulg lost: its scene lost.yaml is missing" in said
    made = named_system(str(mine))
    assert made.version == named_system().version + 1
    assert made.calibration["records"] == 3 and made.calibration["left_out"] == "scenes"
    assert made.calibration["measures"] == ["aerialist"]

    # Nothing is flown a second time: an interrupted calibration goes on where it was.
    flown = []
    before = FlownBefore.outcomes

    def counted(self: FlownBefore, *given: object, **named: object) -> object:
        flown.append(len(self._known))
        return before(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(FlownBefore, "outcomes", counted)
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert len(set(flown)) == 1 and flown[0] >= 9
    (about,) = [one for one in report["decisions"] if one["name"] == "goal delay"]
    assert about["before"] == 0.2 and about["chance"] is not None and about["decided"] in (True, False)
    assert {one["name"] for one in report["decisions"]} >= {"bias [m]", "spread [m]", "share without lock"}
    assert [one["id"] for one in report["skipped"]] == ["lost"]
    assert report["left_out_score_before"] is not None


def test_too_few_logs_say_how_many_are_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.ulg").write_bytes(b"not a log")
    assert main(["calibrate", str(tmp_path), "--out", str(tmp_path / "mine.yaml")]) == 2
    said = capsys.readouterr().err
    assert "0 usable records" in said and "at least 3 scenes" in said and "one.yaml is missing" in said
