"""Cells on a machine that does not see the output folder: results come home with their records."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.campaign.observe import Silent
from uav_testgen.campaign.result import Options
from uav_testgen.campaign.study import matrix
from uav_testgen.campaign.study.config import StudyConfig
from uav_testgen.campaign.study.runner import StudyResult, run_study
from uav_testgen.standin.program_cell import program_task
from uav_testgen.work.choose import Placement
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.inline import InlineExecutor
from uav_testgen.work.stop import StopRequest

CONFIG = {
    "generators": ["random"],
    "cases": ["mission2"],
    "seeds": [1],
    "budgets": [3],
    "held_out": {"tests": 1, "runs": 5},
    "backend": "still",
}


def studied(out: Path, cluster: Placement | None) -> StudyResult:
    config = StudyConfig.model_validate(CONFIG)
    options = Options(out=out, jobs=0, cluster=cluster)
    return run_study(config, out.parent, options, Silent(), StopRequest(), program_task, {})


def test_a_cell_elsewhere_leaves_what_a_cell_here_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Placement] = []

    def inline(plan: WorkerPlan, placement: Placement, **limits: float) -> InlineExecutor:
        asked.append(placement)
        return InlineExecutor(plan)

    here = studied(tmp_path / "here", None)
    monkeypatch.setattr(matrix, "make_executor", inline)
    ray = Placement(None, "ray")
    away = studied(tmp_path / "away", ray)
    assert asked == [ray]
    assert away.runs[0].to_json() | {"search_cpu_s": 0.0} == here.runs[0].to_json() | {"search_cpu_s": 0.0}
    stores = {
        name: (tmp_path / name / "cells/mission2/random/budget-3/seed-1/evaluations.jsonl").read_bytes()
        for name in ("here", "away")
    }
    assert stores["away"].count(b"\n") == stores["here"].count(b"\n") == 4
