"""Every arena rule: just inside is accepted, just outside is named with its numbers."""

from __future__ import annotations

import math

import pytest

from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.model import LinearMotion, Obstacle, Shape
from uav_testgen.scenario.validity import Rule, is_valid, rotation_deg, violations
from uav_testgen.testing.factories import make_box, make_scenario


def rules(*obstacles: Obstacle) -> list[Rule]:
    return [violation.rule for violation in violations(make_scenario(*obstacles))]


def test_an_ordinary_layout_is_valid():
    assert is_valid(make_scenario(make_box(20.0, -10.0), make_box(30.0, 10.0, yaw_deg=-30.0)))


@pytest.mark.parametrize(
    "box, side, beyond_m",
    [
        (make_box(11.9, 0.0), "west", 0.1),
        (make_box(38.1, 0.0), "east", 0.1),
        (make_box(25.0, -37.1), "south", 0.1),
        (make_box(25.0, 27.1), "north", 0.1),
        # Turned by 45 degrees a square of 10 m reaches 7.07 m, not 5 m, from its centre.
        (make_box(16.0, 0.0, (10.0, 10.0, 20.0), -45.0), "west", math.sqrt(50.0) - 6.0),
    ],
)
def test_contained_when_rotated(box, side, beyond_m):
    (violation,) = violations(make_scenario(box))
    assert violation.rule is Rule.CONTAINED
    assert violation.numbers[f"beyond_{side}_m"] == pytest.approx(beyond_m)
    assert side in violation.message


def test_touching_the_border_is_inside():
    assert rules(make_box(12.0, 27.0)) == []


def test_overlap_touch_and_gap():
    assert rules(make_box(20.0, 0.0), make_box(23.0, 0.0)) == [Rule.APART]
    assert rules(make_box(20.0, 0.0), make_box(24.0, 0.0)) == [Rule.APART]
    assert rules(make_box(20.0, 0.0), make_box(24.01, 0.0)) == []


def test_overlap_only_when_rotated():
    straight = (make_box(20.0, 0.0, (2.0, 14.0, 20.0)), make_box(24.0, 0.0, (2.0, 14.0, 20.0)))
    turned = (straight[0], make_box(24.0, 0.0, (2.0, 14.0, 20.0), yaw_deg=-40.0))
    assert rules(*straight) == []
    (violation,) = violations(make_scenario(*turned))
    assert (violation.rule, violation.obstacle_index, violation.other_index) == (Rule.APART, 0, 1)


@pytest.mark.parametrize("height, wrong", [(10.0, True), (10.01, False), (25.0, False), (25.01, True)])
def test_height(height, wrong):
    assert (rules(make_box(size_m=(4.0, 4.0, height))) == [Rule.HEIGHT]) is wrong


@pytest.mark.parametrize("side, wrong", [(1.99, True), (2.0, False), (20.0, False), (20.01, True)])
def test_sides(side, wrong):
    assert (rules(make_box(25.0, 0.0, (3.0, side, 20.0))) == [Rule.SIDES]) is wrong


def test_floating_and_sunk():
    floating = Obstacle(center_enu_m=(25.0, 0.0, 12.0), size_m=(4.0, 4.0, 20.0))
    sunk = Obstacle(center_enu_m=(25.0, 0.0, 9.0), size_m=(4.0, 4.0, 20.0))
    assert rules(floating) == rules(sunk) == [Rule.ON_GROUND]
    assert violations(make_scenario(floating))[0].numbers["bottom_m"] == pytest.approx(2.0)


@pytest.mark.parametrize(
    "clockwise_deg, wrong", [(0, False), (90, False), (90.5, True), (135, True), (359, True)]
)
def test_rotation_range(clockwise_deg, wrong):
    box = make_box(25.0, 0.0, (4.0, 6.0, 20.0), -clockwise_deg)
    assert (rules(box) == [Rule.ROTATION]) is wrong


def test_rotation_way_out_is_the_same_box():
    (violation,) = violations(make_scenario(make_box(25.0, 0.0, (4.0, 6.0, 20.0), -120.0)))
    assert "30.000 deg with length and width exchanged" in violation.way_out
    assert rules(make_box(25.0, 0.0, (6.0, 4.0, 20.0), -30.0)) == []


def test_count():
    boxes = [make_box(25.0, north, (3.0, 3.0, 20.0)) for north in (-20.0, -10.0, 0.0, 10.0)]
    assert rules(*boxes) == [Rule.COUNT]


def test_moving_obstacle_counts_with_its_whole_way():
    leaving = LinearMotion(to_enu_m=(45.0, 0.0, 10.0), speed_mps=1.0)
    box = make_box(20.0, 0.0).model_copy(update={"motion": leaving})
    assert rules(box) == [Rule.CONTAINED]
    assert rules(box, make_box(30.0, 0.0)) == [Rule.CONTAINED, Rule.APART]


def test_cylinder_side_is_its_diameter_and_has_no_rotation():
    thin = Obstacle(
        center_enu_m=(25.0, 0.0, 10.0), size_m=(1.0, 1.0, 20.0), yaw_rad=-2.0, shape=Shape.CYLINDER
    )
    assert rules(thin) == [Rule.SIDES]


@pytest.mark.parametrize("direction_deg", [0.0, 20.0, 89.9999, 90.0, 135.0, 179.99999, -45.0, 270.0])
def test_walls_are_canonical_and_point_where_they_should(direction_deg):
    box = wall((25.0, 0.0), math.radians(direction_deg), 9.0, 2.0, 20.0)
    assert 0.0 <= rotation_deg(box) <= 90.0
    long_axis_deg = math.degrees(box.yaw_rad) + (0.0 if box.size_m[0] > box.size_m[1] else 90.0)
    difference = (long_axis_deg - direction_deg + 90.0) % 180.0 - 90.0
    assert difference == pytest.approx(0.0, abs=1e-3)


def test_a_heap_of_obstacles_is_told_in_a_few_lines() -> None:
    from uav_testgen.scenario.validity import MOST_PAIRS

    heap = make_scenario(*[make_box() for _ in range(200)])
    found = [violation for violation in violations(heap) if violation.rule is Rule.APART]
    assert len(found) == MOST_PAIRS


def test_obstacles_that_are_clearly_apart_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    from uav_testgen.scenario import validity

    asked: list[tuple[object, object]] = []
    real = validity.gap_m

    def counted(one: Obstacle, other: Obstacle) -> float:
        asked.append((one, other))
        return real(one, other)

    monkeypatch.setattr(validity, "gap_m", counted)
    rows = [make_box().model_copy(update={"center_enu_m": (40.0 * n, 0.0, 5.0)}) for n in range(60)]
    assert not any(violation.rule is Rule.APART for violation in violations(make_scenario(*rows)))
    assert not asked
