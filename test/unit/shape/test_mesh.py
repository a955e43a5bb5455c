"""Meshes: what a closed surface is, and that a box of triangles is a box."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.scenario.footprint import footprint, swept_footprint
from uav_testgen.scenario.model import LinearMotion, Obstacle, Scenario, Shape
from uav_testgen.shape.compiled.choose import body_distance, obstacle_entry, way_distance
from uav_testgen.shape.forms import FORMS
from uav_testgen.shape.mesh import hull, scaled, triangles_fault, unit_form
from uav_testgen.testing.factories import GATE, TETRAHEDRON, make_mission
from uav_testgen.world.packed import pack_obstacle

SIZE = (4.0, 6.0, 8.0)


def box_of_triangles() -> tuple:
    mesh = FORMS[Shape.BOX].mesh((2.0, 2.0, 2.0), (), 0.0)
    return unit_form(mesh.vertices[mesh.triangles])[0]


def pair(yaw_rad: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a box, and of the same box as a mesh."""
    common = {"center_enu_m": (1.0, -2.0, 4.0), "size_m": SIZE, "yaw_rad": yaw_rad}
    mesh = Obstacle(**common, shape="mesh", triangles=box_of_triangles())
    return pack_obstacle(Obstacle(**common)), pack_obstacle(mesh)


def gate(**changes: object) -> Obstacle:
    base = {"center_enu_m": (20.0, 0.0, 6.0), "size_m": (10.0, 2.0, 12.0), "shape": "mesh", "triangles": GATE}
    return Obstacle(**{**base, **changes})


def test_a_box_of_triangles_is_as_far_away_as_the_box() -> None:
    rng = np.random.default_rng(3)
    box, mesh = pair()
    for p in rng.uniform(-8.0, 8.0, (300, 3)):
        for horizontal in (False, True):
            own = (p[0], p[1], 0.0 if horizontal else p[2])
            assert body_distance(mesh, own, horizontal) == pytest.approx(
                body_distance(box, own, horizontal), abs=1e-9
            )


def test_a_way_past_a_box_of_triangles_is_as_near() -> None:
    rng = np.random.default_rng(4)
    box, mesh = pair()
    for a, b in rng.uniform(-9.0, 9.0, (300, 2, 3)):
        for horizontal in (False, True):
            a[2], b[2] = (0.0, 0.0) if horizontal else (a[2], b[2])
            expected, _ = way_distance(box, tuple(a), tuple(b), horizontal)
            found, share = way_distance(mesh, tuple(a), tuple(b), horizontal)
            assert found == pytest.approx(expected, abs=1e-7)
            there = a + share * (b - a)
            assert body_distance(mesh, tuple(there), horizontal) == pytest.approx(found, abs=1e-7)


def test_rays_enter_a_box_of_triangles_where_they_enter_the_box() -> None:
    rng = np.random.default_rng(5)
    box, mesh = pair()
    entered = 0
    for origin, aim in zip(rng.uniform(-15, 15, (500, 3)), rng.uniform(-3, 5, (500, 3)), strict=True):
        ray = (*origin, *(aim - origin))
        expected, found = obstacle_entry(box, *ray, 0.0), obstacle_entry(mesh, *ray, 0.0)
        if expected < 0.0:  # the box is behind, or the ray begins inside it
            expected = np.inf
        assert found == pytest.approx(expected, abs=1e-9)
        entered += np.isfinite(found)
    assert entered > 100


def test_no_ray_slips_through_the_seams() -> None:
    """Rays through edges that two triangles of the front share, and through corners of three."""
    row = pack_obstacle(gate(center_enu_m=(0.0, 0.0, 0.0)))
    front = [one for one in scaled(GATE, (10.0, 2.0, 12.0)) if np.all(one[:, 1] == -1.0)]
    edges = [(tuple(one[k]), tuple(one[(k + 1) % 3])) for one in front for k in range(3)]
    seams = [(np.array(a), np.array(b)) for a, b in edges if (b, a) in edges]
    assert len(seams) >= 8
    for a, b in seams:
        for share in np.linspace(0.0, 1.0, 11):
            x, _, z = a + share * (b - a)
            if abs(x) < 5.0 and abs(z) < 6.0:  # inside the outer border
                assert obstacle_entry(row, x, -20.0, z, 0.0, 1.0, 0.0, 0.1) == pytest.approx(19.0), (x, z)


def test_a_gate_is_open() -> None:
    row = pack_obstacle(gate(center_enu_m=(0.0, 0.0, 0.0)))
    assert obstacle_entry(row, 0.0, -20.0, 0.0, 0.0, 1.0, 0.0, 0.1) == np.inf
    assert body_distance(row, (0.0, 0.0, 0.0), False) == pytest.approx(3.5)
    assert way_distance(row, (0.0, -9.0, 0.0), (0.0, 9.0, 0.0), False)[0] == pytest.approx(3.5)
    assert body_distance(row, (0.0, 0.0, 5.5), False) == 0.0, "inside the lintel"
    assert body_distance(row, (0.0, 0.0, 0.0), True) == 0.0, "below the lintel, in plan view"


def test_the_footprint_is_the_true_one() -> None:
    low = [(-5, -5), (5, -5), (5, 0), (0, 0), (0, 5), (-5, 5)]
    parts = [(0, 1, 3), (1, 2, 3), (0, 3, 5), (5, 3, 4)]
    bottom, top = [(x, y, 0.0) for x, y in low], [(x, y, 9.0) for x, y in low]
    triangles = [(bottom[c], bottom[b], bottom[a]) for a, b, c in parts] + [
        (top[a], top[b], top[c]) for a, b, c in parts
    ]
    for k in range(6):
        n = (k + 1) % 6
        triangles += [(bottom[k], bottom[n], top[n]), (bottom[k], top[n], top[k])]
    unit, size = unit_form(triangles)
    house = Obstacle(center_enu_m=(0.0, 0.0, 4.5), size_m=size, shape="mesh", triangles=unit)
    assert footprint(house).area == pytest.approx(75.0)
    assert body_distance(pack_obstacle(house), (2.0, 2.0, 0.0), True) == pytest.approx(2.0)
    moving = house.model_copy(update={"motion": LinearMotion(to_enu_m=(20.0, 0.0, 4.5), speed_mps=1.0)})
    assert swept_footprint(moving).area >= footprint(house).area + 10.0 * 20.0


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda t: t[:-1], "not closed"),
        (lambda t: (*t[:-1], t[-1][::-1]), "not closed"),
        (lambda t: tuple(one[::-1] for one in t), "face inwards"),
        (lambda t: tuple(tuple((0.5 * x, y, z) for x, y, z in one) for one in t), "from -1 to 1"),
        (lambda t: t * 40, "4 to 1000"),
    ],
)
def test_what_is_no_mesh(change, complaint: str) -> None:
    assert triangles_fault(GATE) is None
    assert complaint in (triangles_fault(change(GATE)) or "")


def test_triangles_in_metres_become_a_form_whichever_way_they_face() -> None:
    corners = scaled(TETRAHEDRON, (3.0, 4.0, 5.0)) + 7.0
    unit, size = unit_form(corners)
    inwards, _ = unit_form(corners[:, ::-1])
    assert size == pytest.approx((3.0, 4.0, 5.0))
    assert triangles_fault(unit) is None and triangles_fault(inwards) is None


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ([], r"\(n, 3, 3\)"),
        (np.zeros((5, 3, 2)), r"\(n, 3, 3\)"),
        (np.full((5, 3, 3), np.nan), "finite"),
        (np.zeros((5, 3, 3)), "extent"),
        (np.zeros((2000, 3, 3)), "1000"),
    ],
)
def test_what_cannot_become_a_form(given, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        unit_form(given)


def test_hull_leaves_out_what_is_inside() -> None:
    assert hull([(0, 0), (4, 0), (2, 1), (4, 4), (0, 4), (2, 0)]) == [(0, 0), (4, 0), (4, 4), (0, 4)]


def test_other_triangles_are_another_scene_and_none_change_nothing() -> None:
    one, other = (
        Scenario(mission=make_mission(), obstacles=(gate(triangles=t, size_m=SIZE),))
        for t in (GATE, TETRAHEDRON)
    )
    assert one.id != other.id
    again = Scenario.model_validate(one.model_dump(mode="json"))
    assert again == one and again.id == one.id
