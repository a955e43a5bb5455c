"""Reading records: frames, repairs, and what is refused with which reason."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uav_testgen.core.errors import InputFileError
from uav_testgen.fidelity.records import impossible_depth_m, load_records, parse_record, relabelled

BOX = {"x": 3.0, "y": 20.0, "l": 4.0, "w": 8.0, "h": None, "r": 30.0}


def record(**changes: Any) -> dict[str, Any]:
    return {"id": "S-001", "mission": "mission1", "obstacles": [BOX], "min_distance_m": 1.5, **changes}


def test_obstacles_change_frame() -> None:
    (box,) = parse_record(record()).scenario.obstacles
    assert box.center_enu_m == (20.0, 3.0, 10.0)
    assert box.size_m == (8.0, 4.0, 20.0)
    assert box.yaw_rad == pytest.approx(math.radians(-30.0))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"id": None}, "id"),
        ({"mission": "mission99"}, "mission99"),
        ({"min_distance_m": None}, "min_distance_m"),
        ({"min_distance_m": math.inf}, "not finite"),
        ({"min_distance_m": -1.0}, "below 0"),
        ({"min_distance_m": "near"}, "a number"),
        ({"obstacles": []}, "obstacles"),
        ({"obstacles": [{**BOX, "l": 0}]}, "size"),
        ({"obstacles": [{**BOX, "x": math.nan}]}, "obstacles[0].x"),
        ({"obstacles": [7]}, "obstacles[0]"),
        ({"path_txyz": [[1, 2]]}, "path_txyz"),
    ],
)
def test_malformed_records_are_listed(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    lines = [json.dumps(record()), json.dumps(record(**changes)), "{broken"]
    (tmp_path / "layouts.jsonl").write_text("\n".join(lines))
    records, skipped = load_records(tmp_path)
    assert [r.id for r in records] == ["S-001"]
    assert [s.where for s in skipped] == ["layouts.jsonl:2", "layouts.jsonl:3"]
    assert reason in skipped[0].reason


def test_folder_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"flights\.jsonl"):
        load_records(tmp_path)
    with pytest.raises(InputFileError, match="no such folder"):
        load_records(tmp_path / "absent")


def climb(takeoff_s: float) -> list[list[float]]:
    rows = [[t, 0.0, 0.0, min(max(t - takeoff_s, 0.0), 10.0)] for t in np.arange(0.0, 40.0)]
    return [*rows, [200.0, 1.0, 50.0, 10.0]]


def test_halved_time_axis_is_repaired() -> None:
    assert parse_record(record(path_txyz=climb(18.0))).path_txyz[-1, 0] == 200.0
    repaired = parse_record(record(path_txyz=climb(8.0)))
    assert repaired.path_txyz[-1].tolist() == [400.0, 50.0, 1.0, 10.0]


def test_flight_through_a_solid_box_is_impossible() -> None:
    box = {"x": 0.0, "y": 20.0, "l": 10.0, "w": 10.0, "h": 20.0, "r": 0.0}
    through = [[float(t), 0.0, float(t), 10.0] for t in range(40)]
    beside = [[float(t), 4.5, float(t), 10.0] for t in range(40)]
    above = [[float(t), 0.0, float(t), 25.0] for t in range(40)]
    for path, impossible in ((through, True), (beside, False), (above, False)):
        found = parse_record(record(obstacles=[box], min_distance_m=0.0, path_txyz=path))
        assert found.impossible is impossible
    found = parse_record(record(obstacles=[box], path_txyz=through))
    assert impossible_depth_m(found) == pytest.approx(4.0)


def test_labels_can_be_disputed() -> None:
    records = [parse_record(record(id=f"S-00{k}")) for k in (1, 2)]
    changed = relabelled(records, ["S-001=mission2"])
    assert [r.mission for r in changed] == ["mission2", "mission1"]
    assert len(changed[0].scenario.mission.waypoints) == 2
    with pytest.raises(InputFileError, match="PATTERN=MISSION"):
        relabelled(records, ["mission2"])
    with pytest.raises(InputFileError, match="unknown mission"):
        relabelled(records, ["S=mission0"])
