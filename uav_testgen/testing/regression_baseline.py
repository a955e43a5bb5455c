"""The last release of a planner as numbers, and the one question: is a scene worse than that?

A scene is worse when fewer runs complete their mission, or when the mean least distance is smaller by more than the
scene scatters by itself: twice the standard deviation of the baseline's own runs, and at least the suite's tolerance.
"""

from __future__ import annotations

import json
import math
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from uav_testgen import __version__
from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import InputFileError
from uav_testgen.core.files import write_text
from uav_testgen.predict.prediction import Prediction

FORMAT: Final = "uav_testgen planner baseline"
_SPREADS: Final = 2.0


@dataclass(frozen=True, slots=True)
class SceneResult:
    """How a planner flew one scene: least distances [m] of all runs (none without obstacles), completed missions."""

    scenario_id: str
    seed: int
    distances_m: tuple[float, ...]
    completed: int
    flown: int

    @classmethod
    def of(cls, prediction: Prediction) -> SceneResult:
        """Of every flight, as flown: distances are compared with their like, so nothing is corrected."""
        verdicts = [run.verdict for run in prediction.flown]
        distances = [verdict.min_distance_aerialist_m for verdict in verdicts]
        return cls(
            prediction.scenario.id,
            prediction.seed,
            tuple(round(distance, 4) for distance in distances if distance is not None),
            sum(verdict.completed for verdict in verdicts),
            len(verdicts),
        )


def worse(before: SceneResult, now: SceneResult, tolerance_m: float) -> str:
    """A sentence where the planner has become worse, else nothing."""
    if before.scenario_id != now.scenario_id:
        return "the scene is another one than in the baseline; update the baseline"
    share_before, share_now = before.completed / before.flown, now.completed / now.flown
    # Where missions failed in the baseline already, one more or less is chance.
    chance = 0.0 if before.completed == before.flown else 1.0 / now.flown
    if share_now < share_before - chance - 1e-9:
        return (
            f"{now.completed} of {now.flown} missions completed, "
            f"{before.completed} of {before.flown} in the baseline"
        )
    if not before.distances_m or not now.distances_m:
        return ""
    mean_before, mean_now = statistics.fmean(before.distances_m), statistics.fmean(now.distances_m)
    spread_m = statistics.stdev(before.distances_m) if len(before.distances_m) > 1 else 0.0
    allowed_m = max(tolerance_m, _SPREADS * spread_m)
    if mean_before - mean_now > allowed_m:
        return (
            f"mean least distance {mean_now:.2f} m, {mean_before:.2f} m in the baseline: "
            f"{mean_before - mean_now:.2f} m less, its scatter allows {allowed_m:.2f} m"
        )
    return ""


def read_baseline(path: Path) -> dict[str, SceneResult]:
    """Results by scene; InputFileError says what is wrong with the file."""
    data = read_yaml(path)
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != 1:
        raise InputFileError(f"{path}: not a planner baseline; make one with --update-planner-baseline")
    try:
        return {name: _result(entry) for name, entry in data["scenes"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputFileError(
            f"{path}: damaged ({error}); make it anew with --update-planner-baseline"
        ) from None


def _result(entry: dict[str, Any]) -> SceneResult:
    result = SceneResult(
        str(entry["scenario_id"]),
        int(entry["seed"]),
        tuple(float(distance) for distance in entry["distances_m"]),
        int(entry["completed"]),
        int(entry["flown"]),
    )
    if not (0 <= result.completed <= result.flown and result.flown > 0):
        raise ValueError(f"{result.completed} of {result.flown} missions completed")
    if not all(math.isfinite(distance) for distance in result.distances_m):
        raise ValueError("a distance is not finite")
    return result


def write_baseline(path: Path, results: dict[str, SceneResult]) -> None:
    """The file for the next release to be compared with."""
    scenes = {name: asdict(result) for name, result in sorted(results.items())}
    data = {"format": FORMAT, "version": 1, "made_with": f"uav_testgen {__version__}", "scenes": scenes}
    write_text(path, json.dumps(data, indent=1) + "\n")
