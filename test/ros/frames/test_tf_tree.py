"""The transform tree answers as tf2 does: between samples, through the tree, never beyond what was said."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.core.frames import quaternion_wxyz_from_euler
from uav_testgen.ros.tf_tree import TransformTree, matrix_of, quaternion_of_matrix
from uav_testgen.sensing.rotation import rotation_from_euler

LEVEL = (1.0, 0.0, 0.0, 0.0)
SECOND = 10**9


def tree() -> TransformTree:
    made = TransformTree()
    made.insert("map", "base_link", 1 * SECOND, (0.0, 0.0, 5.0), LEVEL)
    # Samples may come out of order: an image's pose is told after the next step's.
    made.insert("map", "base_link", 3 * SECOND, (4.0, 0.0, 5.0), quaternion_wxyz_from_euler(0.0, 0.0, 1.0))
    made.insert("map", "base_link", 2 * SECOND, (1.0, 0.0, 5.0), LEVEL)
    made.insert("base_link", "camera", 0, (0.1, 0.0, 0.0), LEVEL, static=True)
    return made


def test_between_two_samples_and_through_the_tree() -> None:
    placed = tree().lookup("map", "camera", 5 * SECOND // 2)
    half = np.array([math.cos(0.5), math.sin(0.5), 0.0])
    assert np.allclose(placed.rotation[:, 0], half)
    assert np.allclose(placed.translation_m, [2.5, 0.0, 5.0] + 0.1 * half)
    back = tree().lookup("camera", "map", 5 * SECOND // 2)
    points = np.array([[1.0, 2.0, 3.0]])
    assert np.allclose(back.apply(placed.apply(points)), points)


@pytest.mark.parametrize(
    ("target", "source", "stamp", "said"),
    [
        ("map", "camera", 4 * SECOND, r"map -> base_link is known from 1\.000 to 3\.000 s, not at 4\.000 s"),
        ("map", "camera", 0, r"not at 0\.000 s"),
        ("odom", "camera", SECOND, "no transform from 'camera' to 'odom': tf has base_link, camera, map"),
    ],
)
def test_what_is_not_known_is_said(target: str, source: str, stamp: int, said: str) -> None:
    with pytest.raises(PlannerInputError, match=said):
        tree().lookup(target, source, stamp)


def test_nonsense_is_refused() -> None:
    made = tree()
    with pytest.raises(PlannerInputError, match="no rotation"):
        made.insert("map", "base_link", SECOND, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0))
    with pytest.raises(PlannerInputError, match="two different frames"):
        made.insert("map", "map", SECOND, (0.0, 0.0, 0.0), LEVEL)
    made.insert("camera", "map", 0, (0.0, 0.0, 0.0), LEVEL, static=True)
    with pytest.raises(PlannerInputError, match="loop"):
        made.lookup("map", "base_link", SECOND)


def test_old_samples_are_forgotten() -> None:
    made = TransformTree()
    for second in range(30):
        made.insert("map", "base_link", second * SECOND, (float(second), 0.0, 0.0), LEVEL)
    assert made.lookup("map", "base_link", 20 * SECOND).translation_m[0] == 20.0
    with pytest.raises(PlannerInputError, match=r"from 19\.000"):
        made.lookup("map", "base_link", 5 * SECOND)


@pytest.mark.parametrize("angles", [(0.1, -0.4, 2.9), (3.1, 0.0, 0.0), (0.0, 3.1, 0.0), (-1.57, 0.0, -1.57)])
def test_rotations_there_and_back(angles: tuple[float, float, float]) -> None:
    matrix = np.empty((3, 3))
    rotation_from_euler(*angles, matrix)
    assert np.allclose(matrix_of(quaternion_of_matrix(matrix)), matrix, atol=1e-12)
