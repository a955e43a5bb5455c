"""What the page shows of one job, by its kind: read from the folder the command line writes."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from uav_testgen.view.planner_comparison import planner_figures
from uav_testgen.view.studio.job_kinds import planned_runs
from uav_testgen.view.studio.jobs import Jobs
from uav_testgen.view.studio.store_reader import StoreReader
from uav_testgen.work.store import FILE_NAME

MOST_POINTS = 1500
MOST_LISTED = 200
MOST_FAILURES = 1000
_CURVE_POINTS = 80
_MOST_CELLS = 5000


class JobViews:
    """Views of the jobs of one folder."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._cells: dict[Path, StoreReader] = {}

    def show(self, given: str) -> dict[str, Any]:
        """State, counts and what the view of its kind draws."""
        folder, _, kind = self._jobs.existing(given)
        found = self._jobs.summary(folder)
        reader = self._jobs.reader(folder)
        found |= {
            "settings": reader.header.get("config"),
            "command": self._jobs.command_text(given),
            "log": self._jobs.log_end(folder)[-12:],
        }
        if kind.name in ("campaign", "planners"):
            found |= search_view(reader)
        if kind.name == "planners":
            found |= planners_view(reader)
        if kind.name in ("study", "comparison"):
            found |= self._matrix_view(folder, reader)
        return found

    def _matrix_view(self, folder: Path, reader: StoreReader) -> dict[str, Any]:
        """Contenders side by side: finished runs, and how far the running ones are."""
        config = reader.header.get("config") or {}
        finished = {cell_place(cell): cell for cell in reader.cells}
        runs = [self._run(folder, place, finished.get(place)) for place in self._places(folder, finished)]
        contenders = config.get("generators") or config.get("algorithms") or []
        planned = planned_runs(config)
        nearest = [
            {**one, "cell": run["cell"], "contender": run["contender"], "case": run["case"]}
            for run in runs
            for one in run.pop("nearest")
        ]
        nearest.sort(key=lambda one: one["distance_m"])
        budgets = config.get("budgets") or [config.get("evaluations") or 0]
        evaluated = sum(run["evaluated"] for run in runs)
        pace = self._jobs.pace(
            folder, evaluated, sum(run["flights"] for run in runs), self._jobs.is_running(folder)
        )
        return {
            **pace,
            "contenders": [
                contender_view(name, runs, planned // max(1, len(contenders))) for name in contenders
            ],
            "runs": [{key: run[key] for key in run if key != "best"} for run in runs],
            "runs_planned": planned,
            "evaluated": evaluated,
            "flights": sum(run["flights"] for run in runs),
            "budget": planned // max(1, len(budgets)) * sum(budgets) if planned else None,
            "failures": sum(run["failures"] for run in runs),
            "best_m": min((run["best_m"] for run in runs if run["best_m"] is not None), default=None),
            "tests": nearest[:MOST_LISTED],
        }

    def _places(self, folder: Path, finished: dict[str, Any]) -> list[str]:
        stores = list((folder / "cells").glob(f"*/*/**/{FILE_NAME}"))[:_MOST_CELLS]
        return sorted({*finished, *(path.parent.relative_to(folder).as_posix() for path in stores)})

    def _run(self, folder: Path, place: str, cell: dict[str, Any] | None) -> dict[str, Any]:
        reader = self._cells.setdefault(folder / place, StoreReader(folder / place, is_brief=True))
        reader.read_on()
        counts = reader.counts()
        told = [one for one in reader.evaluations if one["distance_m"] is not None]
        told.sort(key=lambda one: one["distance_m"])
        cell = cell or {}
        _, case, contender, *rest = place.split("/")
        return {
            "cell": place,
            "case": case,
            "contender": contender,
            "run": " ".join(rest),
            "is_done": bool(cell),
            "evaluated": cell.get("simulations") or cell.get("evaluations") or counts["evaluated"],
            "flights": cell.get("flights") or counts["flights"],
            "failures": cell.get("failures", cell.get("violations", counts["failures"])),
            "first_failure": cell.get("first_failure"),
            "failure_probability": cell.get("failure_probability"),
            "best_m": cell.get("best_distance_m", counts["best_m"]),
            "best": reader.progress(MOST_POINTS)["best"],
            "nearest": [
                {key: one[key] for key in ("number", "distance_m", "fails")} for one in told[:5]
            ],
        }  # fmt: skip


def search_view(reader: StoreReader) -> dict[str, Any]:
    """A single search: how it went, its nearest scenes, and where the failures stand."""
    listed = sorted(
        reader.evaluations,
        key=lambda one: (one["margin"] if one["margin"] is not None else one["distance_m"]
                         if one["distance_m"] is not None else float("inf")),
    )  # fmt: skip
    failing = [one for one in listed if one["fails"]]
    return {
        "progress": reader.progress(MOST_POINTS),
        "tests": [{key: one[key] for key in one if key not in ("obstacles", "planners")} | {
            "obstacle_count": len(one["obstacles"])} for one in listed[:MOST_LISTED]],
        "failing_obstacles": [one["obstacles"] for one in failing[:MOST_FAILURES]],
        "flown_again": flown_again_view(reader),
        "scene": reader.header.get("base_scenario"),
        "accept_below_m": reader.accept_below_m,
    }  # fmt: skip


def flown_again_view(reader: StoreReader) -> list[dict[str, Any]]:
    """What other backends flew, beside what was predicted for the nominal run."""
    predicted = {one["number"]: one["nominal_m"] for one in reader.evaluations}
    return [{**one, "predicted_m": predicted.get(one["number"])} for one in reader.flown_again[-MOST_LISTED:]]


def planners_view(reader: StoreReader) -> dict[str, Any]:
    """The figures of every planner so far, and the scenes that only one of them fails."""
    named = reader.header.get("planners") or {}
    planners = [str(named[key]) for key in sorted(named, key=int)]
    flown = [(one["number"], one["planners"]) for one in reader.evaluations if "planners" in one]
    return planner_figures(planners, flown, reader.accept_below_m)


def cell_place(cell: dict[str, Any]) -> str:
    """Folder of a finished run inside the job's folder."""
    if "algorithm" in cell:
        return f"cells/{cell['scenario']}/{cell['algorithm']}/run-{int(cell['repetition']):02d}"
    return f"cells/{cell['case']}/{cell['generator']}/budget-{cell['budget']}/seed-{cell['seed']}"


def contender_view(name: str, runs: Sequence[dict[str, Any]], planned: int) -> dict[str, Any]:
    """One generator or algorithm over its runs: finished ones counted, the least distance so far as a curve."""
    own = [run for run in runs if run["contender"] == name]
    done = [run for run in own if run["is_done"]]
    return {
        "name": name,
        "done": len(done),
        "planned": planned,
        "evaluated": sum(run["evaluated"] for run in own),
        "failures_mean": statistics.fmean(run["failures"] for run in done) if done else None,
        "first_failure_median": _median([run["first_failure"] for run in done]),
        "best_m": min((run["best_m"] for run in own if run["best_m"] is not None), default=None),
        "curve": median_curve([run["best"] for run in own]),
    }


def median_curve(curves: Sequence[Sequence[float | None]]) -> list[tuple[int, float]]:
    """(evaluations, median over the runs that came so far) of the least distance, at a few places."""
    longest = max((len(curve) for curve in curves), default=0)
    every = max(1, longest // _CURVE_POINTS)
    points = []
    for place in sorted({*range(0, longest, every), *([longest - 1] if longest else [])}):
        known = _median([curve[place] for curve in curves if place < len(curve)])
        if known is not None:
            points.append((place + 1, round(known, 3)))
    return points


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None
