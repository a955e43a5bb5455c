"""Choosing effects and fitting spread, on made-up predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.core.errors import InputFileError, StoreError
from uav_testgen.fidelity import calibration
from uav_testgen.fidelity.calibration import (
    SUGGESTED_SCATTER,
    Variant,
    calibrate,
    choose,
    fit_escape_share,
    fit_free_share,
    repeat_differences_m,
)
from uav_testgen.fidelity.flown import Progress
from uav_testgen.fidelity.flown_before import KIND, FlownBefore, Outcome, flight_key
from uav_testgen.fidelity.records import Record, parse_record, without
from uav_testgen.fidelity.score import chance_of_gain, fit, left_out_scores
from uav_testgen.loop.system import System, named_system
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.work.store import Store

RANDOM = np.random.default_rng(5)
MEASURED = RANDOM.uniform(0.2, 4.0, 300)
MISSIONS = [f"mission{1 + k % 3}" for k in range(300)]
NOISE = RANDOM.normal(0.0, 1.0, 300)


def variant(change: dict[str, object], spread_m: float) -> Variant:
    return Variant("effect" if change else "", change, MEASURED - 0.2 + spread_m * NOISE)


def test_better_alternative_is_taken_and_worse_is_not() -> None:
    rows = choose([variant({}, 0.4), variant({"a": 1}, 0.2), variant({"b": 1}, 0.5)], MEASURED, MISSIONS)
    assert [row["taken"] for row in rows] == [False, True, False]


def test_alternative_that_helps_one_mission_only_is_not_taken() -> None:
    lucky = MEASURED - 0.2 + np.where(np.array(MISSIONS) == "mission1", 0.0, 0.42) * NOISE
    rows = choose([variant({}, 0.4), Variant("effect", {"a": 1}, lucky)], MEASURED, MISSIONS)
    assert rows[1]["taken"] is False


def test_score_ignores_a_common_offset_and_bounds_outliers() -> None:
    near, far = MEASURED - 0.2 + 0.2 * NOISE, MEASURED - 0.7 + 0.2 * NOISE
    assert np.mean(left_out_scores(near, MEASURED, MISSIONS)) == pytest.approx(
        np.mean(left_out_scores(far, MEASURED, MISSIONS)), abs=1e-9
    )
    off = near.copy()
    off[0] += 50.0
    change = left_out_scores(off, MEASURED, MISSIONS) - left_out_scores(near, MEASURED, MISSIONS)
    assert np.max(np.abs(change)) <= 1.0


def test_spread_grows_with_the_error() -> None:
    narrow = fit(MEASURED - 0.2 + 0.2 * NOISE, MEASURED)
    wide = fit(MEASURED - 0.2 + 0.8 * NOISE, MEASURED)
    assert narrow[0] == pytest.approx(0.2, abs=0.05)
    assert narrow[1] < wide[1]


def test_gain_of_one_mission_is_not_sure() -> None:
    gain = np.where(np.array(MISSIONS) == "mission1", 1.0, -0.01)
    assert chance_of_gain(gain, MISSIONS, np.random.default_rng(1)) < 0.8
    assert chance_of_gain(gain + 0.02, MISSIONS, np.random.default_rng(1)) == 1.0


def test_free_share_is_that_of_the_free_flights() -> None:
    is_free = RANDOM.uniform(size=300) < 0.3
    slow, fast = MEASURED - np.where(is_free, 1.5, 0.1 * NOISE), MEASURED + np.where(is_free, 0.0, 1.5)
    share, _ = fit_free_share(slow, fast, MEASURED, MISSIONS)
    assert share in (0.2, 0.3, 0.4)
    assert fit_free_share(MEASURED, fast, MEASURED, MISSIONS)[0] == 0.0


class MadeUpFlights(FlownBefore):
    """Distances by how the vehicle was set: locked flights are right in seven of ten cases, capped ones in six."""

    def outcomes(
        self,
        records: Sequence[Record],
        system: System,
        seed: int,
        jobs: int,
        progress: Progress | None = None,
    ) -> list[Outcome]:
        assert isinstance(system.vehicle, Px4VehicleConfig)
        number = np.arange(len(records))
        if system.vehicle.speed_lock:
            wrong_m = np.where(number % 10 < 7, 0.0, 1.5)
        else:
            wrong_m = np.where(number % 10 >= 4, 0.0, -1.5)
            if system.vehicle.mpc_xy_cruise_mps > self.slow_mps:
                wrong_m = wrong_m + np.where(number % 2, 0.6, -0.6)
        measured = np.array([record.distance_m for record in records])
        return [Outcome(float(value), False) for value in measured + wrong_m + 0.05 * NOISE[: len(records)]]

    slow_mps = 1.4


def test_the_speed_without_the_lock_is_tried_in_a_mixture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "fit_scatter", lambda *_: (1.0, 0.1))
    box = {"x": 0.0, "y": 20.0, "l": 4.0, "w": 8.0, "h": 20.0, "r": 0.0}
    records = [
        parse_record(
            {"id": f"S-{k}", "mission": MISSIONS[k], "obstacles": [box], "min_distance_m": MEASURED[k].item()}
        )
        for k in range(120)
    ]
    records = [replace(record, mission=f"mission{1 + k % 5}") for k, record in enumerate(records)]
    free = SUGGESTED_SCATTER.model_copy(update={"free_speed_mps": None})
    system = named_system().model_copy(update={"scatter": free, "calibration": {}})
    found = MadeUpFlights()
    better, report = calibrate(records, system, effects=(), flown=found)
    assert better.scatter.free_speed_mps == report["free_speed_mps"] == 1.36
    assert better.scatter.free_share >= 0.2
    decision = next(row for row in report["decisions"] if row["name"] == "speed without lock")
    assert (decision["before"], decision["after"]) == (None, 1.36) and decision["gain"] > 0.0
    # A calibrated system keeps its shares where others are not better, whatever the speed.
    calibrated = system.model_copy(update={"calibration": {"records": 9}, "scatter": better.scatter})
    once_more, again = calibrate(records, calibrated, effects=(), flown=found)
    assert once_more.scatter == better.scatter and again["left_out_score_before"] is not None
    slow = better.scatter.model_copy(update={"free_speed_mps": None})
    faster, _ = calibrate(records, calibrated.model_copy(update={"scatter": slow}), effects=(), flown=found)
    assert faster.scatter == better.scatter
    found.slow_mps = 9.0
    same, _ = calibrate(records, system, effects=(), flown=found)
    assert same.scatter.free_speed_mps is None


def test_escapes_are_counted_where_the_model_hovers_far_away() -> None:
    predicted = np.array([4.0, 5.0, 6.0, 7.0, 1.0, 8.0])
    measured = np.array([0.5, 5.1, 1.9, 0.0, 0.9, 0.1])
    is_open = np.array([True, True, True, True, True, False])
    assert fit_escape_share(predicted, is_open, measured, 2.0) == pytest.approx(0.75)
    assert fit_escape_share(predicted, np.zeros(6, dtype=bool), measured, 2.0) == 0.0


def test_flights_flown_before_are_not_flown_again(tmp_path: Path) -> None:
    box = {"x": 0.0, "y": 20.0, "l": 4.0, "w": 8.0, "h": 20.0, "r": 0.0}
    record = parse_record({"id": "S-1", "mission": "mission1", "obstacles": [box], "min_distance_m": 1.0})
    system = named_system()
    # A distance that no flight gives: it can only come from the store. The last record was cut off.
    body = {"key": flight_key(system, record), "distance_m": 77.25, "open": True}
    with Store(tmp_path) as store:
        store.open()
        store.append([(KIND, body), (KIND, {**body, "distance_m": 1.0})])
    whole = store.path.read_bytes()
    store.path.write_bytes(whole[:-9])
    with Store(tmp_path) as store:
        assert FlownBefore(store).outcomes([record], system, 1, 1) == [Outcome(77.25, True)]
    store.path.write_bytes(whole.replace(b"77.25", b"71.25"))
    with Store(tmp_path) as store, pytest.raises(StoreError, match="line 1 is damaged"):
        FlownBefore(store)
    other = system.changed({"timing.plan_age_s": 0.02})
    assert flight_key(other, record) != flight_key(system, record)


def test_records_are_left_out_by_their_id() -> None:
    box = {"x": 0.0, "y": 20.0, "l": 4.0, "w": 8.0, "h": 20.0, "r": 0.0}
    records = [
        parse_record({"id": name, "mission": "mission1", "obstacles": [box], "min_distance_m": 1.0})
        for name in ("A-001", "A-160", "B-001")
    ]
    assert [record.id for record in without(records, ["A-0", "B"])] == ["A-160"]
    with pytest.raises(InputFileError, match="not a regular expression"):
        without(records, ["("])


def test_repeats_are_found_by_their_boxes() -> None:
    def flight(x: float, distance_m: float):  # type: ignore[no-untyped-def]
        box = {"x": x, "y": 20.0, "l": 4.0, "w": 8.0, "h": 20.0, "r": 0.0}
        return parse_record(
            {"id": "S-1", "mission": "mission1", "obstacles": [box], "min_distance_m": distance_m}
        )

    found = repeat_differences_m([flight(0.0, 1.0), flight(0.1, 1.3), flight(9.0, 5.0)])
    assert found.tolist() == pytest.approx([0.3])
