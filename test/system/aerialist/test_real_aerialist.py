"""The released Aerialist loads what we write and measures what we measure.

The release on the package index (0.2.1) knows the older dialect (`drone`, `test`); of a file in the
newer one it reads the simulation part, which is where the obstacles are.
"""

from __future__ import annotations

import json
import math
import subprocess

import numpy as np
import pytest

from uav_testgen.core.rng import stream
from uav_testgen.flight.resample import period_averages
from uav_testgen.flight.similarity import dtw_m, frechet_m
from uav_testgen.generator.registry import build_generator
from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.footprint import outline_places
from uav_testgen.scenario.formats.aerialist_write import CASE_STUDY_PARAMETERS, save_test
from uav_testgen.testing.factories import make_flight, make_scenario

from .environment import NotInstallable, aerialist_python

WAYS = [("drone", False), ("drone", True), ("robot", False), ("robot", True)]


@pytest.fixture(scope="module")
def aerialist(project_root, in_ci):
    """The interpreter of Aerialist's environment.

    Without a package index nothing can be installed and these tests are skipped. Where the index answers and
    Aerialist still cannot be installed, something is wrong that continuous integration should show.
    """
    try:
        return aerialist_python(project_root)
    except NotInstallable as reason:
        if in_ci and reason.reachable:
            pytest.fail(str(reason), pytrace=False)
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def compared(aerialist, tmp_path_factory):
    """Scenarios and wandering flights, and what the real package says about them."""
    folder = tmp_path_factory.mktemp("aerialist")
    scenarios, flights, paths = [], [], []
    for number in range(12):
        name = "prgen" if number % 2 else "random"
        mission = f"mission{1 + number % 7}"
        scenario = build_generator(name, make_scenario(mission=mission), seed=number).ask(1)[0]
        dialect, flat = WAYS[number % len(WAYS)]
        path = folder / f"{number:03d}.yaml"
        save_test(path, scenario, dialect=dialect, flat=flat)
        scenarios.append(scenario)
        flights.append(make_flight(scenario, wandering(number), period_s=0.033))
        paths.append(path)
    rows = []
    for flight in flights:
        trajectory = flight.trajectory
        rows.append(
            [
                # Microseconds and the test frame (north, east, up), as PX4 logs them.
                [round(t * 1e6), y, x, z, 0.0]
                for t, (x, y, z) in zip(trajectory.t_s, trajectory.position_enu_m.tolist(), strict=True)
            ]
        )
    task = folder / "task.json"
    task.write_text(json.dumps({"tests": [str(path) for path in paths], "flights": rows}))
    probe = str(__file__).replace("test_real_aerialist.py", "probe.py")
    ran = subprocess.run(
        [str(aerialist), probe, str(task)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert ran.returncode == 0, ran.stderr
    return scenarios, flights, json.loads(ran.stdout)


def wandering(number):
    """A smooth path through the obstacle area that passes obstacles at all distances."""
    rng = stream(number, "wandering")
    east = np.linspace(0.0, 55.0, 900)
    north = rng.uniform(-25.0, 20.0) + 6.0 * np.sin(east / rng.uniform(4.0, 12.0))
    return list(zip(east.tolist(), north.tolist(), (10.0 + 0.2 * np.cos(east)).tolist(), strict=True))


def test_same_geometry(compared):
    scenarios, _, found = compared
    for scenario, test in zip(scenarios, found["tests"], strict=True):
        ours = [sorted((n, e) for e, n in outline_places(o)) for o in scenario.obstacles]
        theirs = [sorted(map(tuple, corners)) for corners in test["corners"]]
        for one, other in zip(ours, theirs, strict=True):
            assert np.allclose(one, other, atol=1e-6)
        assert test["heights"] == [o.size_m[2] for o in scenario.obstacles]


def test_same_minimum_distance(compared):
    scenarios, flights, found = compared
    positive = 0
    for scenario, flight, test in zip(scenarios, flights, found["tests"], strict=True):
        # This release measures the bare line; the newer ones widen it by half the vehicle's width.
        theirs = max(min(test["distances"]) - 0.125, 0.0)
        verdict = judge(scenario, flight)
        assert verdict.min_distance_aerialist_m == pytest.approx(theirs, abs=1e-6)
        positive += theirs > 0.0
    assert positive >= 6, "most flights must pass their obstacles at a distance for this to mean anything"


def test_same_resampling(compared):
    _, flights, found = compared
    for flight, test in zip(flights, found["tests"], strict=True):
        t_s, _ = period_averages(flight.trajectory.t_s, flight.trajectory.position_enu_m)
        assert len(t_s) == test["points"]


def test_same_dtw_and_frechet(compared):
    _, flights, found = compared
    lines = [period_averages(f.trajectory.t_s, f.trajectory.position_enu_m)[1] for f in flights]
    for number, (warp, frechet) in enumerate(zip(found["dtw"], found["frechet"], strict=True)):
        assert dtw_m(lines[number], lines[number + 1]) == pytest.approx(warp, rel=1e-5)
        assert frechet_m(lines[number], lines[number + 1]) == pytest.approx(frechet, rel=1e-5)
    assert all(math.isfinite(warp) for warp in found["dtw"])


def test_old_dialect_is_complete(compared):
    _, _, found = compared
    for number, test in enumerate(found["tests"]):
        if WAYS[number % len(WAYS)][0] == "drone":
            assert test["mission_file"].endswith(".plan")
            assert test["params"] == CASE_STUDY_PARAMETERS
            assert test["commands"] == 1
