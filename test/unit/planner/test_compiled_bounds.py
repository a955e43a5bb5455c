"""The kernels stay inside their arrays: run once with Numba's bounds checking, on the worst input."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
import numpy as np
from uav_testgen.planner.vfh3d.base import FieldOfView, PlannerMemory, make_planner
from uav_testgen.planner.vfh3d.config import PlannerConfig

rng = np.random.default_rng(5)
cases = [
    PlannerConfig(n_expanded_nodes=4),
    PlannerConfig(smoothing_margin_deg=90, children_per_node=100, n_expanded_nodes=3, max_sensor_range_m=40),
    PlannerConfig(smoothing_margin_deg=0, tree_node_distance_m=0, n_expanded_nodes=3),
    PlannerConfig(children_per_node=0, n_expanded_nodes=2),
    PlannerConfig(n_expanded_nodes=0),
]
for config in cases:
    planner = make_planner("compiled", config, None, [FieldOfView(0, 0, 59, 46)])
    planner.set_goal((0, 0, 30), (0, 0, -30))
    clouds = [
        np.zeros((0, 3)),
        np.full((50, 3), np.nan),
        np.full((50, 3), np.inf),
        np.zeros((40, 3)),
        rng.normal(0, 1e-30, (40, 3)),
        rng.normal(0, 6, (20000, 3)),
        np.array([[0, 0, 1], [0, 0, -1], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0]]) * 5.0,
    ]
    for k, cloud in enumerate(clouds):
        for position in ((0, 0, 0), (0, 0, 30), (0.0, 0.0, 29.999)):
            result = planner.plan(1 + k, position, (0, 0, 2), (0.7, 0, 0.7, 0), [cloud])
            assert np.isfinite(result.path_enu_m).all()
    full = rng.normal(0, 6, (16200, 3)).astype(np.float32)
    planner.set_memory(PlannerMemory(full, np.zeros(16200, np.float32), 0.0))
    planner.plan(50, (0, 0, 0), (0, 0, 0), (1, 0, 0, 0), [rng.normal(0, 6, (20000, 3))])
print("stayed inside")
"""


@pytest.mark.timeout(1200)
def test_kernels_stay_inside_their_arrays(tmp_path: Path) -> None:
    # Not optimised: the checks are the same and compiling takes a fraction of the time.
    environment = {
        **os.environ,
        "NUMBA_BOUNDSCHECK": "1",
        "NUMBA_OPT": "0",
        "NUMBA_LOOP_VECTORIZE": "0",
        "NUMBA_SLP_VECTORIZE": "0",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "stayed inside" in done.stdout
