"""PRGenUAV-LFS, section II and Figure 1: the first wall, its parts A and B and the obtuse angle."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.generator.registry import build_generator
from uav_testgen.scenario.formats.missions import mission_names, named_mission
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Waypoint
from uav_testgen.scenario.validity import violations
from uav_testgen.scenario.wall_parts import first_wall

FIGURE_1 = Path(__file__).parents[3] / "config/scenarios/figure1.yaml"
# A flight due east through the middle of the arena.
EASTWARD = Mission(waypoints=(Waypoint(position_enu_m=(60.0, 0.0, 10.0)),))


def test_a_wall_of_known_parts() -> None:
    """A wall from north-north-east to south-south-west, met two metres from its northern end."""
    along = math.radians(60.0)
    center = (25.0 - math.cos(along), -math.sin(along), 10.0)
    wall = Obstacle(center_enu_m=center, size_m=(6.0, 2.0, 20.0), yaw_rad=along)
    parts = first_wall(Scenario(mission=EASTWARD, obstacles=(wall,)))
    assert parts.crossing_enu_m == pytest.approx((25.0, 0.0))
    assert (parts.part_a_m, parts.part_b_m) == (pytest.approx(2.0), pytest.approx(4.0))
    assert parts.end_a_enu_m == pytest.approx((25.0 + 2 * math.cos(along), 2 * math.sin(along)))
    assert parts.angle_deg == pytest.approx(120.0)


def test_the_nearest_wall_counts_and_others_do_not() -> None:
    far = Obstacle(center_enu_m=(35.0, 0.0, 10.0), size_m=(2.0, 9.0, 20.0))
    near = Obstacle(center_enu_m=(15.0, 1.0, 10.0), size_m=(2.0, 9.0, 20.0))
    aside = Obstacle(center_enu_m=(12.0, 20.0, 10.0), size_m=(2.0, 9.0, 20.0))
    assert first_wall(Scenario(mission=EASTWARD, obstacles=(far, aside, near))).obstacle == near
    with pytest.raises(InvalidScenario, match="no box crosses the segment of interest"):
        first_wall(Scenario(mission=EASTWARD, obstacles=(aside,)))


@pytest.mark.parametrize("mission", mission_names())
def test_every_prgen_scene_has_the_published_split_and_an_obtuse_angle(mission: str) -> None:
    """Part A one third, part B two thirds, the angle above 90 degrees, on every mission."""
    generator = build_generator("prgen", Scenario(mission=named_mission(mission)), seed=3)
    for scenario in generator.ask(5):
        parts = first_wall(scenario)
        assert parts.part_b_m == pytest.approx(2.0 * parts.part_a_m, abs=2e-3)
        assert 95.0 - 0.1 <= parts.angle_deg <= 135.0 + 0.1


def test_the_shipped_scene_is_figure_1() -> None:
    scenario = load_scenario(FIGURE_1)
    assert violations(scenario) == ()
    parts = first_wall(scenario)
    assert parts.part_b_m == pytest.approx(2.0 * parts.part_a_m, abs=2e-3)
    assert parts.angle_deg > 90.0
    first, second = scenario.obstacles
    assert max(second.size_m[:2]) == pytest.approx(1.75 * max(first.size_m[:2]), abs=1e-3)
    # Part A lies to the left of the segment in the test frame (x north), as in the figure.
    assert parts.end_a_enu_m[1] < parts.crossing_enu_m[1] < parts.end_b_enu_m[1]
