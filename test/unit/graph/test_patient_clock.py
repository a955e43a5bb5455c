from __future__ import annotations

from collections.abc import Iterator

from uav_testgen.graph.patient_clock import PatientClock


def clock_reading(*times_s: float) -> PatientClock:
    source: Iterator[float] = iter(times_s)
    return PatientClock(longest_gap_s=0.5, source=lambda: next(source))


def test_it_goes_like_any_clock_while_somebody_looks() -> None:
    clock = clock_reading(100.0, 100.1, 100.3, 100.8)
    assert [round(clock.now_s(), 6) for _ in range(3)] == [0.1, 0.3, 0.8]


def test_it_stands_still_while_nobody_could_look() -> None:
    clock = clock_reading(0.0, 0.1, 60.0, 60.1)
    assert [round(clock.now_s(), 6) for _ in range(3)] == [0.1, 0.6, 0.7]
