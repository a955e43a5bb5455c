"""Comparison of candidate lists and trees, where nearly equal costs may come in either order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from uav_testgen.planner.vfh3d.base import Candidate, Tree
from uav_testgen.testing.golden.records import FloatArray, Record
from uav_testgen.testing.golden.report import CaseCheck

SAME_COST_RELATIVE: Final = 1e-5
COST_RELATIVE: Final = 1e-4
COST_FLOOR: Final = 0.01
POSITION_M: Final = 1e-3


def rows_of(candidates: Sequence[Candidate]) -> FloatArray:
    """(n, 3) rows [cost, elevation, azimuth]."""
    rows = [(c.cost, c.elevation_deg, c.azimuth_deg) for c in candidates]
    return np.array(rows, np.float64).reshape(-1, 3)


def compare_candidates(
    check: CaseCheck, quantity: str, got: FloatArray, expected: FloatArray, *, exact_order: bool, at: str = ""
) -> None:
    """Costs close, directions equal; directions whose costs are equal within 1e-5 may swap.

    At the end of the list such a swap may be with a direction that is not in the list at all.
    """
    check.close(
        f"{quantity}.cost", got[:, 0], expected[:, 0], absolute=COST_FLOOR, relative=COST_RELATIVE, at=at
    )
    if got.shape != expected.shape:
        return
    if exact_order:
        check.same(f"{quantity}.direction", got[:, 1:], expected[:, 1:], at)
        return
    cost = expected[:, 0]
    distinct = np.diff(cost) > SAME_COST_RELATIVE * np.abs(cost[1:])
    groups = np.split(np.arange(len(cost)), np.flatnonzero(distinct) + 1)
    for group in groups[:-1] if len(groups) > 1 and len(groups[-1]) > 1 else groups:
        same = _directions(got[group]) == _directions(expected[group])
        check.same(f"{quantity}.direction", same, True, f"at rank {group[0]} {at}".strip())


def _directions(rows: FloatArray) -> set[tuple[float, float]]:
    return {(float(e), float(z)) for _, e, z in rows}


def compare_tree(check: CaseCheck, tree: Tree, output: Record, *, exact_order: bool) -> None:
    """Topology exact, positions and costs close, and the candidates of every expansion."""
    recorded = output.record("tree")
    check.same("tree.size", len(tree), len(recorded.integers("parent")))
    check.same("tree.parent", tree.parent, recorded.integers("parent"))
    check.same("tree.depth", tree.depth, recorded.integers("depth"))
    check.same("tree.closed", tree.closed, recorded.array("closed", (None,)).astype(bool))
    check.same("tree.closed_order", tree.closed_order, output.integers("closed_order"))
    position, velocity = recorded.array("position", (None, 3)), recorded.array("velocity", (None, 3))
    check.close("tree.position", tree.position_enu_m, position, absolute=POSITION_M)
    check.close("tree.velocity", tree.velocity_enu_mps, velocity, absolute=POSITION_M)
    for name, got in (("total_cost", tree.total_cost), ("heuristic", tree.heuristic)):
        expected = recorded.array(name, (None,))
        check.close(f"tree.{name}", got, expected, absolute=COST_FLOOR, relative=COST_RELATIVE)
    expansions = list(output.records("expansions"))
    if not tree.expansions or len(expansions) != len(tree.closed_order):
        return
    for index, (got_expansion, expansion) in enumerate(zip(tree.expansions, expansions, strict=True)):
        compare_candidates(
            check,
            "expansion",
            rows_of(got_expansion.candidates),
            expansion.array("candidates", (None, 3)),
            exact_order=exact_order,
            at=f"in expansion {index}",
        )
