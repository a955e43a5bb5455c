"""Planners side by side: failure rates, distances, durations, and the scenes that only one of them fails."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from uav_testgen.campaign.planners.runner import PlannerComparison
from uav_testgen.core.files import write_text
from uav_testgen.core.plain_text import printable
from uav_testgen.statistics.intervals import share_interval
from uav_testgen.statistics.percent import percent, percent_range
from uav_testgen.view.comparison_text import Table, table_csv
from uav_testgen.view.tables_page import tables_page

_NOTE = (
    "All planners flew the same scenes on the same vehicle, with the same differences between runs and without any "
    "correction that was measured with one of them. The generator was told the worst of each scene; rates are "
    "over its scenes, not over situations of everyday flight."
)


def comparison_of(result: PlannerComparison) -> dict[str, Any]:
    """Plain data of a comparison."""
    accept_m = result.config.screening.accept_below_m
    scenes = [_scene(result, evaluation.number, evaluation.scenario.id, facts, accept_m)
              for evaluation, facts in result.scenes]  # fmt: skip
    return {
        "name": result.config.name,
        "case": result.case.name,
        "generator": result.config.generator,
        "system": result.system,
        "seed": result.config.seed,
        "requirements": list(result.config.requirements),
        "scenes_flown": len(scenes),
        "flights": result.progress.flights,
        "ended_because": result.end_reason,
        "planners": [_planner(name, scenes) for name in result.planners],
        "differential": [scene for scene in scenes if scene["only_fails"] is not None],
        "scenes": scenes,
        "note": _NOTE,
        "elapsed_s": round(result.elapsed_s, 3),
        "versions": result.versions,
    }


def _scene(
    result: PlannerComparison, number: int, scenario_id: str, facts: Mapping[str, Any], accept_m: float
) -> dict[str, Any]:
    judged = judged_scene(number, facts, accept_m)
    only = judged["only_fails"]
    file = f"tests/only-{result.planners.index(only) + 1}-{number:06d}-{scenario_id}.yaml" if only else None
    return {**judged, "scenario_id": scenario_id, "file": file}


def judged_scene(number: int, facts: Mapping[str, Any], accept_m: float) -> dict[str, Any]:
    """What every planner did on one scene, whether it fails, and which one is alone with that."""
    planners = {name: {**one, "fails": _fails(one, accept_m)} for name, one in facts.items()}
    failing = [name for name, one in planners.items() if one["fails"]]
    told = all(one["fails"] is not None for one in planners.values())
    only = failing[0] if told and len(failing) == 1 else None
    return {"number": number, "only_fails": only, "planners": planners}


def planner_figures(
    planners: Sequence[str], flown: Sequence[tuple[int, Mapping[str, Any]]], accept_m: float
) -> dict[str, Any]:
    """Figures over the scenes flown so far (number, facts), also while the comparison runs."""
    scenes = [judged_scene(number, facts, accept_m) for number, facts in flown]
    return {
        "planners": [_planner(name, scenes) for name in planners],
        "differential": [scene for scene in scenes if scene["only_fails"] is not None],
    }


def _fails(facts: Mapping[str, Any], accept_m: float) -> bool | None:
    """Does the planner fail the scene? None where its flight says nothing."""
    if facts["status"] != "valid":
        return None
    objective_m = facts["objective_m"]
    return objective_m is not None and objective_m < accept_m


def _planner(name: str, scenes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    facts = [scene["planners"][name] for scene in scenes]
    told = [one for one in facts if one["fails"] is not None]
    failures = sum(bool(one["fails"]) for one in told)
    low, high = share_interval(failures, len(told)) if told else (None, None)
    return {
        "planner": name,
        "scenes": len(told),
        "failures": failures,
        "failure_rate": failures / len(told) if told else None,
        "failure_rate_95": [low, high],
        "collisions": sum(one["outcome"] == "hard_fail" for one in told),
        "incomplete": sum(one["outcome"] == "incomplete" for one in told),
        "without_result": len(facts) - len(told),
        "planner_errors": sum(one["status"] in ("planner_error", "planner_late") for one in facts),
        "only_this_fails": sum(scene["only_fails"] == name for scene in scenes),
        "distance_m": _spread([one["distance_m"] for one in told]),
        "duration_s": _spread([one["duration_s"] for one in told]),
    }


def _spread(values: Sequence[float | None]) -> dict[str, float] | None:
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    low, _, high = quantiles(known, n=4, method="inclusive") if len(known) > 1 else (known[0],) * 3
    return {"min": known[0], "q25": low, "median": median(known), "q75": high, "max": known[-1]}


def tables_of(data: Mapping[str, Any]) -> list[Table]:
    """Planners, and scenes that only one fails."""
    head = ["planner", "scenes", "fails", "failure rate", "95 % CI", "collides", "incomplete", "no result",
            "only this fails", "distance median (min to max) [m]", "duration median (min to max) [s]"]  # fmt: skip
    rows = []
    for one in data["planners"]:
        low, high = one["failure_rate_95"]
        rows.append(
            [
                one["planner"], str(one["scenes"]), str(one["failures"]),
                "-" if one["failure_rate"] is None else percent(one["failure_rate"]),
                "-" if low is None else percent_range(low, high),
                str(one["collisions"]), str(one["incomplete"]), str(one["without_result"]),
                str(one["only_this_fails"]), _spread_text(one["distance_m"], 2), _spread_text(one["duration_s"], 0),
            ]
        )  # fmt: skip
    names = [one["planner"] for one in data["planners"]]
    only = [
        [
            str(scene["number"]),
            scene["only_fails"],
            *(_result(scene["planners"][name]) for name in names),
            scene["file"],
        ]
        for scene in data["differential"]
    ]
    return [
        ("Planners", head, rows),
        ("Scenes that only one planner fails", ["scene", "only fails", *names, "test"], only),
    ]


def _result(facts: Mapping[str, Any]) -> str:
    if facts["fails"] is None:
        return str(facts["status"])
    if facts["margin"] is not None:
        return f"margin {facts['margin']:.3g}"
    return "no obstacle" if facts["distance_m"] is None else f"{facts['distance_m']:.2f} m"


def _spread_text(spread: Mapping[str, float] | None, digits: int) -> str:
    if spread is None:
        return "-"
    return f"{spread['median']:.{digits}f} ({spread['min']:.{digits}f} to {spread['max']:.{digits}f})"


def text_of(data: Mapping[str, Any]) -> str:
    """For a terminal: a block for each planner, then the scenes that tell them apart."""
    lines = [f"{data['case']}: {data['scenes_flown']} scenes of generator '{data['generator']}', seed {data['seed']}, "
             f"system {data['system']}"]  # fmt: skip
    for one in data["planners"]:
        low, high = one["failure_rate_95"]
        rate = "no result" if low is None else f"fails {one['failures']} of {one['scenes']} scenes"
        rate += (
            "" if low is None else f" ({percent(one['failure_rate'])}, 95 % CI {percent_range(low, high)})"
        )
        lines.append(
            f"  {one['planner']}: {rate}, {one['collisions']} collisions, {one['incomplete']} incomplete"
        )
        distance, duration = _spread_text(one["distance_m"], 2), _spread_text(one["duration_s"], 0)
        only = f"only this one fails: {one['only_this_fails']}"
        lines.append(f"    distance [m] {distance}, duration [s] {duration}, {only}")
        if one["without_result"]:
            lines.append(
                f"    {one['without_result']} scenes without a result ({one['planner_errors']} ended by the planner)"
            )
    for scene in data["differential"][:10]:
        lines.append(f"  only {scene['only_fails']} fails scene {scene['number']}: {scene['file']}")
    if len(data["differential"]) > 10:
        lines.append(f"  ... and {len(data['differential']) - 10} more")
    return "\n".join(printable(line) for line in lines)


def publish_planners(result: PlannerComparison) -> dict[str, Any]:
    """planners.csv, scenes.csv, tests/, plots/, report.html and comparison.json; returns the data."""
    data, out = comparison_of(result), result.out
    found = tables_of(data)
    write_text(out / "planners.csv", table_csv(_planner_rows(data)))
    write_text(out / "scenes.csv", table_csv(_scene_rows(data)))
    by_number = {evaluation.number: evaluation for evaluation, _ in result.scenes}
    for scene in data["differential"]:
        result.case.write_test(out / scene["file"], by_number[scene["number"]].scenario)
    pictures = _plots(data, out)
    lines = [f"{data['scenes_flown']} scenes of generator '{data['generator']}' on {data['case']}, flown with "
             f"{len(data['planners'])} planners on system {data['system']}, seed {data['seed']}.", _NOTE]  # fmt: skip
    write_text(
        out / "report.html", tables_page(data["name"], "comparison of planners", lines, found, pictures)
    )
    write_text(out / "comparison.json", json.dumps(data, indent=1, allow_nan=False) + "\n")
    return data


def _planner_rows(data: Mapping[str, Any]) -> Table:
    plain = ("planner", "scenes", "failures", "failure_rate", "collisions", "incomplete", "without_result",
             "planner_errors", "only_this_fails")  # fmt: skip
    parts = ("min", "q25", "median", "q75", "max")
    spreads = [
        f"{kind}_{part}_{unit}" for kind, unit in (("distance", "m"), ("duration", "s")) for part in parts
    ]
    rows = []
    for one in data["planners"]:
        cells = [one[name] for name in plain] + list(one["failure_rate_95"])
        for kind in ("distance_m", "duration_s"):
            cells += [(one[kind] or {}).get(part) for part in parts]
        rows.append(["" if cell is None else str(cell) for cell in cells])
    return "planners", [*plain, "failure_rate_low_95", "failure_rate_high_95", *spreads], rows


def _scene_rows(data: Mapping[str, Any]) -> Table:
    columns = (
        "status",
        "fails",
        "outcome",
        "ending",
        "distance_m",
        "margin",
        "duration_s",
        "counts",
        "message",
    )
    rows = [
        [str(scene["number"]), scene["scenario_id"], name,
         *("" if facts[column] is None else str(facts[column]) for column in columns), scene["only_fails"] or ""]
        for scene in data["scenes"]
        for name, facts in scene["planners"].items()
    ]  # fmt: skip
    return "scenes", ["number", "scenario_id", "planner", *columns, "only_fails"], rows


def _plots(data: Mapping[str, Any], out: Path) -> list[Path]:
    from uav_testgen.view.plots import plot_boxes

    pictures = []
    for key, label in (("distance_m", "least distance to an obstacle [m]"), ("duration_s", "duration [s]")):
        groups = {
            one["planner"][-30:]: [
                scene["planners"][one["planner"]][key]
                for scene in data["scenes"]
                if scene["planners"][one["planner"]]["fails"] is not None
                and scene["planners"][one["planner"]][key] is not None
            ]
            for one in data["planners"]
        }
        if all(groups.values()):
            pictures.append(out / "plots" / f"{key.rpartition('_')[0]}.png")
            plot_boxes(pictures[-1], groups, label, "the same scenes for every planner")
    return pictures
