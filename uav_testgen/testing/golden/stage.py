"""Replay of one planning call from a given state."""

from __future__ import annotations

from typing import Final

import numpy as np

from uav_testgen.core.errors import InputFileError
from uav_testgen.planner.vfh3d.base import Planner, PlannerMemory, PlannerResult, make_planner
from uav_testgen.testing.golden.matching import (
    COST_FLOOR,
    COST_RELATIVE,
    POSITION_M,
    compare_candidates,
    compare_tree,
    rows_of,
)
from uav_testgen.testing.golden.records import FloatArray, Record
from uav_testgen.testing.golden.report import CaseCheck

DISTANCE_M: Final = 1e-4
ANGLE_DEG: Final = 1e-4
AGE_S: Final = 1e-3
DEMANDED_JITTER: Final = "1e-05"
"""Path and tree are demanded where the original itself is stable against this jitter."""


def plan_stage(record: Record, implementation: str, *, trace: bool = True) -> PlannerResult:
    """Put the planner into the recorded state and run the cycle."""
    given = record.record("input")
    px4, mission_speed = given.px4_parameters()
    planner: Planner = make_planner(implementation, given.planner_config(), px4, given.fields_of_view())
    planner.set_mission_item_speed(mission_speed)
    planner.set_goal(given.array("goal", (3,)), given.array("prev_goal", (3,)))
    memory = given.array("memory", (None, 4)).astype(np.float32)
    planner.set_memory(PlannerMemory(memory[:, :3], memory[:, 3], given.number("last_process_time")))
    return planner.plan(
        given.number("time"),
        given.array("position", (3,)),
        given.array("velocity", (3,)),
        given.array("quaternion_wxyz", (4,)),
        clouds_of(given),
        trace=trace,
    )


def clouds_of(record: Record) -> list[FloatArray]:
    """The clouds, one per camera; null coordinates become NaN."""
    clouds = record["clouds"]
    if not isinstance(clouds, list):
        raise InputFileError(f"{record.where}: field 'clouds' must be a list with one cloud per camera")
    named = Record({f"clouds[{i}]": cloud for i, cloud in enumerate(clouds)}, record.where)
    return [named.array(f"clouds[{i}]", (None, 3)) for i in range(len(clouds))]


def replay_stage(record: Record, name: str, implementation: str) -> CaseCheck:
    """Compare every recorded quantity of the call."""
    check = CaseCheck(name)
    result = plan_stage(record, implementation)
    output = record.record("output")
    is_tie = "tie_case" in record and record.flag("tie_case")
    _compare_cloud(check, result, output)
    _compare_histogram(check, result, output, record.record("input"))
    _compare_costs(check, result, output, exact_order=is_tie and implementation == "reference")
    _compare_outcome(check, result, record, is_tie=is_tie, implementation=implementation)
    return check


def _compare_cloud(check: CaseCheck, result: PlannerResult, output: Record) -> None:
    assert result.trace is not None
    check.close("yaw_deg", result.trace.yaw_deg, output.number("yaw_deg"), absolute=ANGLE_DEG)
    check.close("pitch_deg", result.trace.pitch_deg, output.number("pitch_deg"), absolute=ANGLE_DEG)
    check.same("kept_new", result.trace.kept_new, output.integers("kept_new"))
    check.same("kept_memory", result.trace.kept_memory, output.integers("kept_memory"))
    cloud = output.array("processed_cloud", (None, 4)).astype(np.float32)
    check.same("processed_cloud.xyz", result.cloud_enu_m, cloud[:, :3])
    check.close("processed_cloud.age", result.cloud_age_s, cloud[:, 3], absolute=AGE_S)


def compare_histogram(check: CaseCheck, result: PlannerResult, record: Record, at: str = "") -> None:
    """Same filled cells, distances close."""
    recorded = record.matrix("histogram")
    check.same("histogram.cells", result.histogram_m > 0, recorded > 0, at)
    check.close("histogram.distance", result.histogram_m, recorded, absolute=DISTANCE_M, at=at)
    check.same("histogram_empty", result.histogram_empty, record.flag("histogram_empty"), at)


def _compare_histogram(check: CaseCheck, result: PlannerResult, output: Record, given: Record) -> None:
    assert result.trace is not None
    compare_histogram(check, result, output)
    closest = output.array("closest_point", (3,))
    check.close("closest_point", result.closest_point_enu_m, closest, absolute=POSITION_M)
    if not given.px4_parameters()[0].cp_dist_m > 0:
        return  # the original makes no obstacle distances then
    row = output.array("compressed_row", (60,))
    check.close("compressed_row", result.trace.compressed_row_m, row, absolute=DISTANCE_M)
    ranges = np.zeros(0) if result.obstacle_distance_m is None else result.obstacle_distance_m
    check.close("obstacle_distance", ranges, output.array("obstacle_distance", (60,)), absolute=DISTANCE_M)


def _compare_costs(check: CaseCheck, result: PlannerResult, output: Record, *, exact_order: bool) -> None:
    assert result.trace is not None
    costs = result.trace.costs
    if output.flag("histogram_empty") or costs is None:
        return  # a difference in emptiness is reported with the histogram
    check.same("obstacle_facing_goal", costs.obstacle_facing_goal, output.flag("obstacle_facing_goal"))
    for name, got, wanted in (
        ("raw_obstacle_cost", costs.raw_obstacle_cost, output.matrix("raw_obstacle_cost")),
        ("raw_other_cost", costs.raw_other_cost, output.array("raw_other_cost", (30, 60))),
        ("cost_matrix", costs.cost_matrix, output.array("cost_matrix", (30, 60))),
    ):
        check.close(name, got, wanted, absolute=COST_FLOOR, relative=COST_RELATIVE)
    recorded = output.array("candidates", (None, 3))
    compare_candidates(check, "candidates", rows_of(costs.candidates), recorded, exact_order=exact_order)


def _compare_outcome(
    check: CaseCheck, result: PlannerResult, record: Record, *, is_tie: bool, implementation: str
) -> None:
    """Path and tree, where they are determined by the input and not by the last bit of it.

    In exactly symmetric scenes they depend on the order of equal costs, which only the strict implementation
    promises.
    """
    assert result.trace is not None
    output = record.record("output")
    check.close("last_path_time", result.last_path_time_s, output.number("last_path_time"), absolute=1e-6)
    cruise = output.number("cruise_velocity")
    check.close("cruise_velocity", result.cruise_velocity_mps, cruise, absolute=1e-5, relative=1e-5)
    strict_tie = is_tie and implementation == "reference"
    path = output.array("path", (None, 3))
    if strict_tie or _stable(record, "path"):
        check.close("path", result.path_enu_m, path, absolute=POSITION_M)
    else:
        optional = CaseCheck(check.case)
        optional.close("path", result.path_enu_m, path, absolute=POSITION_M)
        differs = "differs from" if optional.failures else "equals"
        check.notes.append(f"path depends on ties, not demanded; it {differs} the recorded one")
    costs = result.trace.costs
    if costs is not None and "tree" in output and (strict_tie or _stable(record, "tree")):
        compare_tree(check, costs.tree, output, exact_order=strict_tie)


def _stable(record: Record, what: str) -> bool:
    """Did the original give the same under jitter? Files without the statement are taken as stable."""
    if "robust" not in record or DEMANDED_JITTER not in record.record("robust"):
        return True
    return bool(record.record("robust").record(DEMANDED_JITTER).flag(what))
