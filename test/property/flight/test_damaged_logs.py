"""Whatever happens to the bytes of a log, the answer is a flight or a clear error, never a traceback."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.ulog.reader import read_log
from uav_testgen.testing.factories import make_trajectory
from uav_testgen.testing.flight_logs import log_bytes

pytestmark = pytest.mark.property

WHOLE = log_bytes(
    make_trajectory([(0.2 * k, 0.1 * k, 5.0 * float(np.sin(np.pi * k / 79.0))) for k in range(80)])
)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def check(folder: Path, content: bytes) -> None:
    """Read it; a flight must be finite and in order."""
    path = folder / "damaged.ulg"
    path.write_bytes(content)
    try:
        log = read_log(path, accept_cut=True)
    except InputFileError as error:
        assert "damaged.ulg" in str(error)
        return
    assert np.all(np.isfinite(log.trajectory.position_enu_m))
    assert np.all(np.diff(log.trajectory.t_s) > 0.0)
    assert log.trajectory.position_enu_m[:, 2].max() >= 0.5


@QUICK
@given(length=st.integers(0, len(WHOLE)))
def test_cut_anywhere(tmp_path: Path, length: int) -> None:
    check(tmp_path, WHOLE[:length])


@QUICK
@given(
    changes=st.lists(st.tuples(st.integers(16, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=40)
)
def test_garbled_bytes(tmp_path: Path, changes: list[tuple[int, int]]) -> None:
    content = bytearray(WHOLE)
    for place, value in changes:
        content[place] = value
    check(tmp_path, bytes(content))


@QUICK
@given(place=st.integers(0, len(WHOLE)), noise=st.binary(max_size=200))
def test_inserted_bytes(tmp_path: Path, place: int, noise: bytes) -> None:
    check(tmp_path, WHOLE[:place] + noise + WHOLE[place:])


@QUICK
@given(noise=st.binary(max_size=2000))
def test_noise_after_a_right_header(tmp_path: Path, noise: bytes) -> None:
    check(tmp_path, WHOLE[:16] + noise)
