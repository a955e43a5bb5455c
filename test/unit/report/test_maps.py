"""Pictures keep one convention: north is up, headings do not jump, headings of pictures are not cut off."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from uav_testgen.backend.lfs import LfsBackend
from uav_testgen.flight.model import Trajectory
from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.model import Obstacle
from uav_testgen.shape.mesh import unit_form
from uav_testgen.testing.evaluations import scenario_at
from uav_testgen.view import scene_map
from uav_testgen.view.map_drawing import draw_arena, draw_mission, draw_obstacle, obstacle_patch, prepare_map
from uav_testgen.view.plots import _heading, flight_figure, headings_deg


def turning(*compass_deg: float) -> Trajectory:
    """A flight that only turns."""
    count = len(compass_deg)
    yaw = [math.remainder(math.radians(90.0 - heading), 2.0 * math.pi) for heading in compass_deg]
    return Trajectory(np.arange(count) * 0.1, np.zeros((count, 3)), np.zeros((count, 3)), np.array(yaw))


def signed_area(ring: np.ndarray) -> float:
    x, y = ring[:, 0], ring[:, 1]
    return float(0.5 * np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


def test_north_is_up() -> None:
    scenario = scenario_at(-5.0, east_m=20.0)
    axis = Figure().add_subplot()
    draw_arena(axis, scenario.arena)
    draw_mission(axis, scenario.mission)
    draw_obstacle(axis, scenario.obstacles[0], None)
    prepare_map(axis)
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("east [m]", "north [m]")
    arena, box = axis.patches
    assert arena.get_xy() == (scenario.arena.east_min_m, scenario.arena.north_min_m)
    assert np.mean(box.get_xy()[:-1], axis=0) == pytest.approx((20.0, -5.0))
    assert axis.lines[0].get_xydata()[1] == pytest.approx(scenario.mission.waypoints[0].position_enu_m[:2])


def test_a_mesh_is_drawn_with_its_true_footprint() -> None:
    frame = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    rings = [
        [(r * x, r * y, z) for x, y in frame] for r, z in ((6.0, 0.0), (6.0, 5.0), (4.0, 5.0), (4.0, 0.0))
    ]
    triangles = []
    for one, other in zip(rings, rings[1:] + rings[:1], strict=True):  # a court yard: four walls round a hole
        for k in range(4):
            n = (k + 1) % 4
            triangles += [(one[k], one[n], other[n]), (one[k], other[n], other[k])]
    unit, size = unit_form(triangles)
    yard = Obstacle(center_enu_m=(20.0, 5.0, 2.5), size_m=size, shape="mesh", triangles=unit)
    path = obstacle_patch(yard).get_path()
    assert path.get_extents().bounds == pytest.approx((14.0, -1.0, 12.0, 12.0))
    border, hole = (signed_area(ring) for ring in path.to_polygons())
    # Wound in opposite directions, the inner ring is a hole.
    assert (border, hole) == pytest.approx((144.0, -64.0))


def test_headings_do_not_jump_and_runs_lie_beside_each_other() -> None:
    first, other = headings_deg([turning(170.0, 178.0, -175.0, -170.0), turning(-179.0, 179.0, 170.0)])
    assert first == pytest.approx([170.0, 178.0, 185.0, 190.0])
    assert other == pytest.approx([181.0, 179.0, 170.0])
    assert headings_deg([turning(), turning(-10.0)])[1] == pytest.approx([-10.0])


def test_a_drone_that_turns_round_and_round_has_headings_of_the_compass() -> None:
    rounds = [float(angle % 360) for angle in range(0, 1100, 50)]
    spinning, calm = headings_deg([turning(*rounds), turning(-20.0, -10.0)])
    assert calm == pytest.approx([340.0, 350.0])
    known = spinning[~np.isnan(spinning)]
    assert np.all((known >= 0.0) & (known < 360.0)) and np.isnan(spinning).sum() == 2
    steps = np.diff(spinning)
    assert steps[~np.isnan(steps)] == pytest.approx(50.0)


def test_nothing_is_cut_off_and_everything_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moving obstacles bring the longest legend; the mission ends at the very right of the map."""
    scenario = load_scene("logical_scenario")
    flight = LfsBackend().fly(scenario)
    drawn: list[Figure] = []
    monkeypatch.setattr(scene_map, "_png", lambda figure: drawn.append(figure) or b"")
    scene_map.save_scene_map(
        tmp_path / "map.png", scenario, [flight, flight], [judge(scenario, flight)], "Title", "A sentence.",
        flight.trajectory.position_enu_m,
    )  # fmt: skip
    drawn.append(flight_figure(scenario, [flight, flight], [judge(scenario, flight)], "Title", "A sentence."))
    for figure in drawn:
        figure.draw_without_rendering()
        axis = figure.axes[-1]
        legend = axis.get_legend()
        box = legend.get_window_extent()
        label = axis.xaxis.label.get_window_extent()
        assert box.x0 >= 0.0 and box.x1 <= figure.bbox.width and box.y0 >= 0.0 and box.y1 <= label.y0
        names = [text.get_text() for text in legend.get_texts()]
        assert len(names) == len(set(names)) and "way of a moving obstacle" in names
        for text in axis.texts:
            place = text.get_window_extent()
            assert place.x0 >= 0.0 and place.x1 <= axis.bbox.x1, text.get_text()
    assert [text.get_text() for text in drawn[0].texts] == ["Title", "A sentence."]


def test_a_long_heading_is_wrapped_and_makes_room() -> None:
    sentence = (
        "Passed 'a wall with a long name' at 1.10 m after 36.3 s, inside the 1.5 m safety distance. " * 2
    )
    figure = Figure(figsize=(11.0, 6.8))
    short = _heading(Figure(figsize=(11.0, 6.8)), "name", "")
    top = _heading(figure, "name", sentence)
    (text,) = figure.texts
    assert sentence.split() == text.get_text().split()[1:]
    box = text.get_window_extent()
    assert box.x0 >= 0.0 and box.x1 <= figure.bbox.width and box.y0 >= top * figure.bbox.height
    assert top < short
