"""Evaluations survive the way to the disk and back."""

from __future__ import annotations

import json

import numpy as np
import pytest

from uav_testgen.campaign.record import (
    evaluation_from_body,
    evaluation_to_body,
    pack_trajectory,
    sample_indices,
    unpack_trajectory,
)
from uav_testgen.testing.evaluations import evaluation_at

pytestmark = pytest.mark.unit


def test_an_evaluation_read_back_is_the_same() -> None:
    evaluation = evaluation_at(3, 0.7)
    body = json.loads(json.dumps(evaluation_to_body(evaluation, 0.0)))
    again = evaluation_from_body(body)
    assert (again.number, again.scenario, again.status) == (3, evaluation.scenario, evaluation.status)
    assert again.verdicts == evaluation.verdicts
    assert again.trajectory is not None and evaluation.trajectory is not None
    np.testing.assert_allclose(
        again.trajectory.position_enu_m, evaluation.trajectory.position_enu_m, atol=1e-4
    )


def test_reading_back_twice_changes_nothing_more() -> None:
    once = evaluation_from_body(evaluation_to_body(evaluation_at(1, 1.2), 0.5))
    twice = evaluation_from_body(evaluation_to_body(once, 0.5))
    assert once.trajectory is not None and twice.trajectory is not None
    np.testing.assert_array_equal(once.trajectory.position_enu_m, twice.trajectory.position_enu_m)
    np.testing.assert_array_equal(once.trajectory.t_s, twice.trajectory.t_s)


def test_a_scenario_that_reads_differently_is_refused() -> None:
    body = evaluation_to_body(evaluation_at(1, 1.2), 0.5)
    body["scenario_id"] = "0" * 16
    with pytest.raises(ValueError, match="incompatible version"):
        evaluation_from_body(body)


INTERVAL = {
    "low_m": 0.7,
    "high_m": 1.4,
    "coverage": 0.8,
    "guaranteed": True,
    "doubt": "",
    "text": "0.7–1.4 m in 80 % of flights",
}
FACTS = {"objective_m": 0.5, "distance_m": 0.6, "margin": None, "duration_s": 30.0}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cpu_s", {"a": 1}),
        ("cpu_s", "long"),
        ("wall_s", []),
        ("seed", "5"),
        ("seed", -1),
        ("flights", 1.5),
        ("flights", True),
        ("distance_interval", 3),
        ("distance_interval", {}),
        ("distance_interval", {**INTERVAL, "low_m": "near"}),
        ("distance_interval", {**INTERVAL, "coverage": True}),
        ("distance_interval", {**INTERVAL, "doubt": ["none"]}),
        ("planners", {"straight": 3}),
        ("planners", {"straight": {**FACTS, "distance_m": "near"}}),
        ("planners", ["straight"]),
    ],
)
def test_details_that_are_counted_or_shown_are_checked(name: str, value: object) -> None:
    """A checksum proves that a record is whole, not that it means something."""
    body = json.loads(json.dumps(evaluation_to_body(evaluation_at(1, 1.2), 0.5)))
    body["details"] |= {
        "distance_interval": INTERVAL,
        "planners": {"straight": FACTS},
        "seed": 5,
        "flights": 6,
    }
    assert evaluation_from_body(body).details == body["details"]
    body["details"][name] = value
    with pytest.raises((ValueError, TypeError, KeyError)):
        evaluation_from_body(body)


def test_samples_keep_the_first_and_the_last() -> None:
    t_s = np.arange(0.0, 10.05, 0.1)
    kept = sample_indices(t_s, 0.5)
    assert kept[0] == 0 and kept[-1] == len(t_s) - 1
    assert np.all(np.diff(t_s[kept]) >= 0.5 - 1e-9)
    assert len(sample_indices(t_s, 0.0)) == len(t_s)


def test_a_bomb_is_not_unpacked() -> None:
    import base64
    import zlib

    bomb = base64.b64encode(zlib.compress(b"\x00" * (80 * 1024 * 1024))).decode()
    with pytest.raises(ValueError, match="larger than any flight"):
        unpack_trajectory(bomb)


def test_pack_is_compact() -> None:
    """Smaller than the same numbers without compression, and the columns one after the other help."""
    import base64
    import zlib

    from uav_testgen.testing.factories import make_trajectory

    t_s = np.arange(0.0, 60.0, 0.1)
    path = [(2.0 * t, 3.0 * np.sin(0.2 * t), 10.0) for t in t_s]
    trajectory = make_trajectory(path)
    kept = len(sample_indices(trajectory.t_s, 0.5))
    packed = pack_trajectory(trajectory, 0.5)
    plain = base64.b64encode(bytes(4 * 8 * kept))
    assert kept < 0.25 * len(trajectory) and len(packed) < 0.7 * len(plain)
    raw = zlib.decompress(base64.b64decode(packed))
    rows = np.frombuffer(raw, "<f4").reshape(8, kept).T
    assert len(packed) < len(base64.b64encode(zlib.compress(np.ascontiguousarray(rows).tobytes(), 6)))
