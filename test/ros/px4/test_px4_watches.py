"""Stamps, origin, resets, ages, the point PX4 is drawn to."""

from __future__ import annotations

import math

import pytest

from uav_testgen.ros.px4.frames import Estimate
from uav_testgen.ros.px4.ground import GroundWatch
from uav_testgen.ros.px4.latest import Latest
from uav_testgen.ros.px4.origin import Origin, ResetWatch
from uav_testgen.ros.px4.stamps import StampKind, StampWatch
from uav_testgen.vehicle.px4_offboard.carrot import CarrotConfig, draw_near, turn_towards

STILL = (0.0, 0.0, 0.0)
EPOCH_US = 1_794_789_651_000_000


def estimate(x: float = 0.0, y: float = 0.0, z: float = 0.0, vx: float = 0.0) -> Estimate:
    return Estimate((x, y, z), (vx, 0.0, 0.0), STILL)


def test_boot_stamps_and_corrections_are_no_jump() -> None:
    watch = StampWatch()
    kinds = []
    for number in range(3000):
        t_s = 0.01 * number
        stamp = EPOCH_US + int(1e6 * 0.99 * t_s) + (200_000 if number > 1500 else 0)
        if number in (500, 2000):
            stamp = int(1e6 * t_s)
        kinds.append(watch.see(stamp, t_s))
    assert kinds.count(StampKind.OUTLIER) == 2
    assert watch.jumps == 0
    assert watch.real_time_factor == pytest.approx(0.99, abs=0.002)


def test_restart_is_a_jump() -> None:
    watch = StampWatch()
    for number in range(100):
        watch.see(EPOCH_US + 10_000 * number, 0.01 * number)
    found = [watch.see(10_000 * number, 1.0 + 0.01 * number) for number in range(400)]
    assert found.count(StampKind.JUMP) == 1
    assert watch.last_jump_s == pytest.approx(-1e-6 * EPOCH_US, rel=1e-6)


@pytest.mark.parametrize("knows_the_time", [True, False])
def test_simulation_quicker_than_real_time_is_set_back(knows_the_time: bool) -> None:
    """Five times real time: the stamps run away and are corrected every two seconds."""
    watch = StampWatch(true_offset_s=1e-6 * EPOCH_US if knows_the_time else None)
    for number in range(2000):
        t_s = 0.01 * number
        watch.see(EPOCH_US + int(1e6 * (2.0 * (t_s // 2.0) + 5.0 * (t_s % 2.0))), t_s)
    assert (watch.jumps, watch.corrections) == ((0, 9) if knows_the_time else (0, 0))
    assert watch.real_time_factor == pytest.approx(5.0, abs=0.05)


@pytest.mark.parametrize("tells", [True, False])
def test_a_pause_of_the_listener_is_no_jump_of_a_quick_simulation(tells: bool) -> None:
    """Twice real time; nobody listens for 1.5 s, in which the vehicle's time advances by 3 s."""
    watch = StampWatch(true_offset_s=1e-6 * EPOCH_US)
    for number in range(1000):
        t_s = 0.01 * number + (1.5 if number > 300 else 0.0)
        if tells and number == 303:  # the beat that notices it comes after the first samples
            watch.begin_again()
        watch.see(EPOCH_US + int(2e6 * t_s), t_s)
    assert watch.jumps == (0 if tells else 1)


def test_clock_that_runs_away_for_good_is_a_jump() -> None:
    watch = StampWatch(true_offset_s=1e-6 * EPOCH_US)
    for number in range(600):
        watch.see(EPOCH_US + 10_000 * number + (60_000_000 if number > 100 else 0), 0.01 * number)
    assert (watch.jumps, watch.corrections) == (1, 0)


def test_burst_of_boot_stamps_is_no_jump() -> None:
    """Tenths of a second at 100 Hz: many samples, but no evidence over time."""
    watch = StampWatch(true_offset_s=1e-6 * EPOCH_US)
    for number in range(1000):
        t_s = 0.01 * number
        boot = 200 <= number < 300
        watch.see(int(1e6 * t_s) + (0 if boot else EPOCH_US), t_s)
        assert watch.is_burst is (200 <= number < 219), "the first ones are not worth using"
    assert (watch.jumps, watch.outliers) == (0, 100)


def test_ground_is_known_without_a_land_detector() -> None:
    watch = GroundWatch()
    seen = []
    for number in range(2000):
        t_s = 0.01 * number
        height_m = min(3.0, max(0.0, t_s - 2.0)) if t_s < 10.0 else max(0.0, 13.0 - t_s)
        speed_mps = 1.0 if 2.0 < t_s < 5.0 or 10.0 < t_s < 13.0 else 0.0
        watch.see(estimate(z=0.43 + height_m, vx=speed_mps), armed=t_s > 1.0, now_s=t_s)
        seen.append((t_s, watch.landed))
    changes = [t for (t, now), (_, before) in zip(seen[1:], seen, strict=False) if now is not before]
    assert changes == pytest.approx([2.51, 14.52], abs=0.05)


def test_origin_is_the_mean_on_the_ground() -> None:
    origin = Origin()
    for number in range(200):
        origin.see(estimate(0.02 + 0.1 * (-1) ** number, 0.35, 0.43))
    origin.see(estimate(50.0, vx=3.0))  # not at rest: does not count
    assert origin.settle((10.0, 20.0, 0.0)) == pytest.approx((0.02, 0.35, 0.43))
    assert origin.to_mission((0.02, 0.35, 5.43)) == pytest.approx((10.0, 20.0, 5.0))
    assert origin.to_px4(origin.to_mission((1.0, 2.0, 3.0))) == pytest.approx((1.0, 2.0, 3.0))


def test_reset_is_measured_against_the_motion() -> None:
    watch = ResetWatch()
    assert watch.see(13, estimate(0.0, vx=5.0), 0.0) == 0.0
    assert watch.see(13, estimate(0.05, vx=5.0), 0.01) == 0.0
    assert watch.see(14, estimate(0.10, z=0.02, vx=5.0), 0.02) == pytest.approx(0.02, abs=1e-6)
    assert watch.see(15, estimate(4.15, vx=5.0), 0.03) == pytest.approx(4.0, abs=0.03)
    assert watch.resets == 2


def test_age() -> None:
    cell: Latest[int] = Latest()
    assert cell.fresh(0.0, 1e9) is None
    cell.put(7, 10.0)
    assert cell.fresh(10.5, 0.5) == 7
    assert cell.fresh(10.6, 0.5) is None
    assert cell.age_s(12.0) == 2.0


@pytest.mark.parametrize("distance_m", [0.0, 0.1, 1.0, 3.0, 40.0])
def test_speed_stays_within_cruise(distance_m: float) -> None:
    config = CarrotConfig()
    x, y, z = draw_near(0.0, 0.0, 5.0, 0.6 * distance_m, 0.8 * distance_m, 5.0, config.numbers(3.0))
    assert config.mpc_xy_p * math.hypot(x, y) <= min(3.0, config.mpc_xy_p * distance_m) + 1e-9
    assert z == 5.0
    if distance_m > 20.0:
        assert config.mpc_xy_p * math.hypot(x, y) == pytest.approx(3.0)


def test_climb_and_sink_are_limited() -> None:
    config = CarrotConfig()
    assert draw_near(*STILL, 0.0, 0.0, 50.0, config.numbers(3.0))[2] == pytest.approx(
        config.climb_mps / config.mpc_z_p
    )
    assert draw_near(*STILL, 0.0, 0.0, -50.0, config.numbers(3.0))[2] == pytest.approx(
        -config.sink_mps / config.mpc_z_p
    )


def test_heading_turns_the_short_way() -> None:
    config = CarrotConfig(yaw_rate_degps=90.0)
    assert turn_towards(3.0, -3.0, 0.05, config.numbers()) == pytest.approx(3.0 + math.radians(4.5))
    assert turn_towards(1.0, math.nan, 0.05, config.numbers()) == 1.0
