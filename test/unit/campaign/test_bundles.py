"""Bundles: about a second each, fair at the end, and blame only where it is due."""

from __future__ import annotations

from uav_testgen.testing.tasks import Act
from uav_testgen.work.bundles import Bundles


def acts(count: int) -> list[Act]:
    return [Act(number) for number in range(count)]


def answer(bundles: Bundles, bundle: list[Act], seconds: float) -> list[tuple[int, str]]:
    return bundles.finished(bundle, [(task.number, "answered") for task in bundle], seconds)


def test_the_first_bundle_measures_and_the_next_lasts_a_second() -> None:
    bundles = Bundles(acts(1000), tries=3)
    first = bundles.take(4)
    assert len(first) == 1
    assert answer(bundles, first, 0.02) == [(0, "answered")]
    assert len(bundles.take(4)) == 50


def test_slow_tasks_travel_alone() -> None:
    assert len(Bundles(acts(100), tries=3, task_s=7.0).take(4)) == 1


def test_the_last_tasks_are_shared_among_all() -> None:
    bundles = Bundles(acts(12), tries=3, task_s=0.001)
    assert [len(bundles.take(4)) for _ in range(6)] == [3, 3, 2, 1, 1, 1]


def test_a_lost_bundle_is_flown_one_by_one_and_only_the_culprit_is_given_up() -> None:
    bundles = Bundles(acts(3), tries=2, task_s=0.1)
    lost = bundles.take(1)
    assert len(lost) == 3 and bundles.lost(lost, machine_lost=False) == []
    found = []
    died = 0
    while bundle := bundles.take(1):
        assert len(bundle) == 1
        if bundle[0].number == 1:
            died += 1
            found += bundles.lost(bundle, machine_lost=False)
        else:
            found += answer(bundles, bundle, 0.1)
    assert died == 2 and bundles.open_count == 0
    assert sorted(found) == [
        (0, "answered"),
        (1, "backend_error: in quarantine: 2 workers died while flying it"),
        (2, "answered"),
    ]


def test_a_lost_machine_is_nobodys_fault() -> None:
    bundles = Bundles(acts(1), tries=1)
    for _ in range(10):
        assert bundles.lost(bundles.take(1), machine_lost=True) == []
    assert answer(bundles, bundles.take(1), 1.0) == [(0, "answered")]


def test_an_answer_that_comes_twice_counts_once() -> None:
    bundles = Bundles(acts(1), tries=3)
    bundle = bundles.take(1)
    bundles.lost(bundle, machine_lost=True)
    again = bundles.take(1)
    assert len(answer(bundles, bundle, 1.0)) == 1
    assert answer(bundles, again, 1.0) == [] and bundles.open_count == 0


def test_what_was_queued_behind_a_death_is_not_suspect() -> None:
    bundles = Bundles(acts(6), tries=1, task_s=0.5)
    first, second = bundles.take(1), bundles.take(1)
    bundles.put_back(second)
    bundles.lost(first, machine_lost=False)
    assert [len(bundles.take(1)) for _ in range(4)] == [1, 1, 2, 2]


def test_a_late_bundle_is_flown_one_by_one_and_a_late_task_given_up() -> None:
    bundles = Bundles(acts(2), tries=3, task_s=0.1)
    assert bundles.late(bundles.take(1), 5.0) == []
    expected = (0, "timeout: the flight computed longer than 5 s and was stopped")
    assert bundles.late(bundles.take(1), 5.0) == [expected]
    assert [task.number for task in bundles.take(1)] == [1]


def test_a_suspect_waits_for_an_idle_worker() -> None:
    """Behind another bundle it could take that bundle's answer with it, and the other would be blamed."""
    bundles = Bundles(acts(2), tries=2)
    first = bundles.take(2)
    bundles.lost(first, machine_lost=False)
    assert bundles.is_suspect(first)
    assert bundles.take(2, idle=False) == []
    assert bundles.take(2, idle=True) == first
    assert [task.number for task in bundles.take(2, idle=False)] == [1]
