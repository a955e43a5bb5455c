"""Whatever a planner does wrong ends its flight with a name and a sentence, and the next flight is whole."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Ending
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.model import Outcome

from .conftest import Misbehaving, backend, scene


def test_lock_step_repeats_to_the_last_bit(misbehaving: Misbehaving) -> None:
    first, again = misbehaving.fly("well"), misbehaving.fly("well")
    assert first.ending is Ending.GOAL_REACHED
    assert np.array_equal(first.trajectory.position_enu_m, again.trajectory.position_enu_m)
    assert first.details["time_mode"] == "lock_step" and first.details["repeatable"] is True
    report = first.details["planner_over_ros"]
    assert report["answers"] == report["steps_flown"] == first.details["steps"]
    assert misbehaving.backend.capabilities.evidence is Evidence.PREDICTED
    assert not misbehaving.backend.system.is_calibrated
    assert "ros (mine)" in first.system


@pytest.mark.parametrize(
    ("behaviour", "ending", "says"),
    [
        ("falls_silent", Ending.PLANNER_LATE, "no answer on /path to the step at 0.3 s"),
        ("nan", Ending.PLANNER_ERROR, "path holds NaN"),
        ("wrong_frame", Ending.PLANNER_ERROR, "frame 'somewhere' is none of the profile's"),
        ("dies", Ending.PLANNER_ERROR, "ended with code 7: I am gone"),
    ],
)
def test_a_fault_of_the_planner_has_a_name(
    misbehaving: Misbehaving, behaviour: str, ending: Ending, says: str
) -> None:
    flight = misbehaving.fly(behaviour)
    assert flight.ending is ending
    assert says in flight.reason and says in flight.details["planner_error"]
    assert judge(scene(), flight).outcome is Outcome.INCONCLUSIVE


def test_another_type_than_the_profile_names_is_found_before_the_flight(misbehaving: Misbehaving) -> None:
    with pytest.raises(
        BackendError, match="published as geometry_msgs/PoseArray, the profile expects nav_msgs/Path"
    ):
        misbehaving.fly("wrong_type")
    assert misbehaving.fly("well").ending is Ending.GOAL_REACHED
    word = str(misbehaving.profile.parent / "behaviour").encode()
    end_s = time.monotonic() + 10.0
    while (left := _processes_with(word)) and time.monotonic() < end_s:
        time.sleep(0.1)
    assert not left


def _processes_with(word: bytes) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word in entry.read_bytes() and b"path_planner_node.py\0" in entry.read_bytes():
                found.append(entry.parent.name)
        except OSError:
            continue
    # The graph's own command line holds the word, too: it has the command as a parameter.
    return [pid for pid in found if int(pid) != os.getpid()]


def test_a_program_that_is_not_there_is_refused_before_anything_starts() -> None:
    with pytest.raises(ConfigError, match="no such program: no_such_planner"):
        backend("path_planner", "no_such_planner --fast")
