"""The generator's own selection decides what the suite is chosen from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from uav_testgen.campaign import retrospect
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.record import evaluation_to_body
from uav_testgen.campaign.search import KIND
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.testing.evaluations import evaluation_at
from uav_testgen.work.store import Store

CONFIG = CampaignConfig(case="mission2", ranking={"suite_size": 2})


def test_without_an_opinion_everything_counts(tmp_path: Path) -> None:
    evaluations = [evaluation_at(number, 1.0) for number in range(3)]
    for report in (None, GeneratorReport()):
        assert retrospect.own_choice(evaluations, report, CONFIG, Store(tmp_path)) is evaluations


def test_others_are_left_out_and_lost_trajectories_are_read_again(tmp_path: Path) -> None:
    whole = [evaluation_at(number, 0.5 + 0.1 * number, north_m=-20.0 + 5.0 * number) for number in range(6)]
    report = GeneratorReport(selection=(4, 1))
    with Store(tmp_path) as store:
        store.open()
        store.append([(KIND, evaluation_to_body(evaluation, 0.0)) for evaluation in whole])
        light = [replace(evaluation, trajectory=None) for evaluation in whole]
        chosen = retrospect.own_choice(light, report, CONFIG, store)
    assert [evaluation.number for evaluation in chosen] == [1, 4]
    for evaluation in chosen:
        stored = whole[evaluation.number].trajectory
        assert evaluation.trajectory is not None and stored is not None
        assert len(evaluation.trajectory) == len(stored)


def test_the_newest_report_counts(tmp_path: Path) -> None:
    first, second = GeneratorReport(selection=(1,)), GeneratorReport(({"generation": 0},), (1, 2))
    with Store(tmp_path) as store:
        store.open()
        for report in (first, second):
            store.append([(retrospect.KIND, report.to_json())])
    with Store(tmp_path) as store:
        records = store.open()
        assert retrospect.stored(records, "here") == second
        assert retrospect.stored(records[:0], "here") is None
