"""Recorded high-fidelity flights as scenarios with a measured distance.

`flights.jsonl` and `layouts.jsonl` hold one JSON object a line (Aerialist's test frame: x north, y east,
rotation in degrees counter-clockwise in x-y). A line that cannot be used is listed with the reason.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import InputFileError, UavTestgenError
from uav_testgen.core.frames import position_test_to_enu
from uav_testgen.scenario.formats.aerialist_frame import wind_from_section
from uav_testgen.scenario.formats.aerialist_schema import WindSection
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import Obstacle, Scenario, Wind

MEASURES = ("aerialist_centre", "aerialist")
FILES = ("flights.jsonl", "layouts.jsonl")
MAX_BYTES = 512 * 1024 * 1024
TALL_M = 20.0
"""Height of a box whose height is not known: taller than the flight."""
SOLID_SHARE = 0.8
"""Aerialist's boxes are solid in this part of their length and width; the rest is only seen."""
IMPOSSIBLE_M = 1.0
_FLIGHT_HEIGHT_M = 6.0
_HALVED_TAKEOFF_S = 13.0
_AIRBORNE_M = 1.0


@dataclass(frozen=True, slots=True)
class Record:
    """One measured flight. `path_txyz` (n, 4) is time [s] and ENU position [m]; empty if not recorded."""

    id: str
    source: str
    mission: str
    scenario: Scenario
    distance_m: float
    path_txyz: NDArray[np.float64]
    exact: bool = True
    """Obstacles from the published test file; False: read from a plot."""
    measure: str = "aerialist_centre"
    """How the distance was measured: Aerialist's with (`aerialist`) or without the vehicle's half width."""
    says_measure: bool = False
    """The record names its measure; otherwise it is the one of records that do not."""

    @property
    def impossible(self) -> bool:
        """The recorded path leads through solid matter: the obstacle was not in the simulator."""
        return impossible_depth_m(self) > IMPOSSIBLE_M


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that was not used."""

    where: str
    id: str
    reason: str


def load_records(folder: Path) -> tuple[list[Record], list[Skipped]]:
    """All usable records of a folder, in file order."""
    if not folder.is_dir():
        raise InputFileError(f"{folder}: no such folder; a folder with {' or '.join(FILES)} is expected")
    present = [folder / name for name in FILES if (folder / name).is_file()]
    if not present:
        raise InputFileError(f"{folder}: holds neither {' nor '.join(FILES)}")
    records: list[Record] = []
    skipped: list[Skipped] = []
    for path in present:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputFileError(f"{path}: {size} bytes, at most {MAX_BYTES} are accepted")
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    _add(line, f"{path.name}:{number}", records, skipped)
    return records, skipped


def _add(line: bytes, where: str, records: list[Record], skipped: list[Skipped]) -> None:
    name = ""
    try:
        data = json.loads(line)
        if not isinstance(data, dict):
            raise ValueError("an object is expected")
        name = str(data.get("id", ""))[:100]
        records.append(parse_record(data))
    except RecursionError:
        skipped.append(Skipped(where, name, "nested too deeply"))
    except (ValueError, TypeError, OverflowError, UavTestgenError) as error:
        skipped.append(Skipped(where, name, " ".join(str(error).split())[:200]))


def parse_record(data: dict[str, Any]) -> Record:
    """A record from its JSON object; ValueError says what is wrong."""
    name = data.get("id")
    if not isinstance(name, str) or not name:
        raise ValueError("id: a text is expected")
    mission = data.get("mission")
    if not isinstance(mission, str):
        raise ValueError("mission: a name is expected")
    distance_m = _number(data.get("min_distance_m"), "min_distance_m")
    if distance_m < 0.0:
        raise ValueError(f"min_distance_m: {distance_m} is below 0")
    boxes = data.get("obstacles")
    if not isinstance(boxes, list) or not boxes:
        raise ValueError("obstacles: none, so there is no distance to predict")
    obstacles = tuple(_obstacle(box, index) for index, box in enumerate(boxes))
    return Record(
        id=name,
        source=name.rsplit("-", 1)[0],
        mission=mission,
        scenario=Scenario(
            mission=named_mission(mission), obstacles=obstacles, name=name[:200], wind=_wind(data.get("wind"))
        ),
        distance_m=distance_m,
        path_txyz=_path(data.get("path_txyz")),
        exact=bool(data.get("obstacles_exact", True)),
        measure=_measure(data.get("measure")),
        says_measure=bool(data.get("measure")),
    )


def _wind(value: Any) -> Wind:
    """Wind under Aerialist's keys; none: still air."""
    if value is None:
        return Wind()
    return wind_from_section(parse_config(WindSection, value, source="wind"), Path("wind"))


def _measure(value: Any) -> str:
    if value not in (None, *MEASURES):
        raise InputFileError(f"measure: '{str(value)[:40]}' is not one of {', '.join(MEASURES)}")
    return str(value or MEASURES[0])


def relabelled(records: list[Record], rules: Sequence[str]) -> list[Record]:
    """Records with the missions that `PATTERN=MISSION` rules give to matching ids; for disputed labels."""
    changed = list(records)
    for matches, mission in _rules(rules, "MISSION, such as 'A-0.*=mission1'"):
        flown = named_mission(mission)
        changed = [
            replace(r, mission=mission, scenario=r.scenario.model_copy(update={"mission": flown}))
            if matches(r.id)
            else r
            for r in changed
        ]
    return changed


def measured_by(records: list[Record], rules: Sequence[str]) -> list[Record]:
    """Records with the measures that `PATTERN=MEASURE` rules give to matching ids that do not say theirs."""
    changed = list(records)
    for matches, measure in _rules(rules, "MEASURE, such as 'S-.*=aerialist'"):
        known = _measure(measure)
        changed = [replace(r, measure=known) if matches(r.id) and not r.says_measure else r for r in changed]
    return changed


def _rules(rules: Sequence[str], form: str) -> list[tuple[Callable[[str], object], str]]:
    """(matches an id, what it gets) of each rule."""
    found: list[tuple[Callable[[str], object], str]] = []
    for rule in rules:
        pattern, _, value = rule.rpartition("=")
        try:
            matches = re.compile(pattern).match
        except re.error as error:
            raise InputFileError(f"'{rule}': not a regular expression ({error})") from None
        if not pattern:
            raise InputFileError(f"'{rule}': PATTERN={form}, is expected")
        found.append((matches, value))
    return found


def without(records: list[Record], patterns: Sequence[str]) -> list[Record]:
    """Records whose id matches none of the patterns."""
    kept = list(records)
    for pattern in patterns:
        try:
            matches = re.compile(pattern).match
        except re.error as error:
            raise InputFileError(f"'{pattern}': not a regular expression ({error})") from None
        kept = [record for record in kept if not matches(record.id)]
    return kept


def impossible_depth_m(record: Record) -> float:
    """How deep the recorded path goes into the solid part of an obstacle; 0 if it never does."""
    points = record.path_txyz[record.path_txyz[:, 3] > _FLIGHT_HEIGHT_M]
    deepest = 0.0
    for obstacle in record.scenario.obstacles if len(points) else ():
        offset = points[:, 1:3] - np.array(obstacle.center_enu_m[:2])
        cosine, sine = math.cos(obstacle.yaw_rad), math.sin(obstacle.yaw_rad)
        x = 0.5 * SOLID_SHARE * obstacle.size_m[0] - np.abs(cosine * offset[:, 0] + sine * offset[:, 1])
        y = 0.5 * SOLID_SHARE * obstacle.size_m[1] - np.abs(cosine * offset[:, 1] - sine * offset[:, 0])
        below_top = points[:, 3] < obstacle.top_m
        deepest = max(deepest, float(np.max(np.where(below_top, np.minimum(x, y), 0.0))))
    return deepest


def _number(value: Any, field: str) -> float:
    if value is None:
        raise ValueError(f"{field}: not given")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{field}: a number is expected, got {str(value)[:40]!r}")
    if not math.isfinite(value):
        raise ValueError(f"{field}: {value} is not finite")
    return float(value)


def _obstacle(box: Any, index: int) -> Obstacle:
    if not isinstance(box, dict):
        raise ValueError(f"obstacles[{index}]: an object is expected")
    x, y, length, width, turn = (_number(box.get(key), f"obstacles[{index}].{key}") for key in "xylwr")
    height = TALL_M if box.get("h") is None else _number(box["h"], f"obstacles[{index}].h")
    if min(length, width, height) <= 0.0:
        raise ValueError(f"obstacles[{index}]: every size must be above 0")
    # x and y change places, so do l and w, and the sense of rotation turns round.
    return Obstacle(
        center_enu_m=position_test_to_enu((x, y, 0.5 * height)),
        size_m=(width, length, height),
        yaw_rad=math.radians(-turn),
    )


def _path(rows: Any) -> NDArray[np.float64]:
    if rows is None:
        return np.zeros((0, 4))
    try:
        path = np.array(rows, dtype=np.float64).reshape(-1, 4)
    except (ValueError, TypeError):
        raise ValueError("path_txyz: rows of four numbers are expected") from None
    if not np.all(np.isfinite(path)):
        raise ValueError("path_txyz: holds a number that is not finite")
    path = path[:, [0, 2, 1, 3]]
    return real_time(path[np.argsort(path[:, 0], kind="stable")])


def real_time(path: NDArray[np.float64]) -> NDArray[np.float64]:
    """Undo a reading error of the long flights: their time axis was taken at half its scale.

    Arming and climbing take 17-20 s in every flight; where they seem to take 8-10 s all speeds of the flight
    are also twice those of the others (docs/lab/fidelity.md).
    """
    airborne = np.flatnonzero(path[:, 3] > _AIRBORNE_M)
    if len(airborne) and 5.0 < path[airborne[0], 0] < _HALVED_TAKEOFF_S and path[-1, 0] > 100.0:
        path = path * np.array([2.0, 1.0, 1.0, 1.0])
    return path
