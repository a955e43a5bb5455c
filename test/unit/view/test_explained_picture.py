"""What the pictures of `explain` and `minimise` show, by their titles, legends and marks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.lines import Line2D

from uav_testgen.assurance.explanation import Choice, Explanation, explain
from uav_testgen.assurance.failing import Trials
from uav_testgen.assurance.minimal import minimise, nominal_flights
from uav_testgen.assurance.question import Question
from uav_testgen.backend.lfs import LfsBackend
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.short_scene import SHORT_SCENE
from uav_testgen.view.explained import explanation_figure
from uav_testgen.view.simplest import minimised_figure

FORMULA = "always (clearance > 3.3 m)"


@pytest.fixture
def scene(tmp_path: Path) -> Scenario:
    path = tmp_path / "short.yaml"
    path.write_text(SHORT_SCENE)
    return load_scene(str(path))


@pytest.fixture
def found(scene: Scenario) -> Explanation:
    with LfsBackend() as backend:
        return explain(scene, Trials(backend, Question(FORMULA), 1, runs=0, budget=60), planner=False)


def test_the_picture_of_an_explanation(found: Explanation) -> None:
    figure = explanation_figure(replace(found, choice=Choice(found.unsafe_s, ((1.0, 0.0, 90.0),))))
    figure.draw_without_rendering()
    above, below = figure.axes
    assert found.mechanism.value in figure.get_suptitle()
    handles, labels = above.get_legend_handles_labels()
    assert {"flight", "in view", "planner's cheapest ways"} <= set(labels)
    # The closest place is marked where the flight came closest, and the best change of an obstacle is outlined.
    (mark,) = [one for one, label in zip(handles, labels, strict=True) if label.startswith("closest, after")]
    assert isinstance(mark, Line2D)
    flown = found.flight.trajectory
    at = int((flown.t_s - flown.t_s[0]).searchsorted(found.facts.moment_s))
    assert np.ravel(np.asarray(mark.get_xydata())) == pytest.approx(flown.position_enu_m[at, :2])
    change = next(one for one in found.saved_by if one.what.startswith("obstacle"))
    assert any(label.startswith(f"safe: {change.what}") for label in labels)
    assert below.get_ylabel() == "clearance [m]"
    east, _ = above.get_xlim()
    assert east < found.scenario.obstacles[0].center_enu_m[0]


def test_nothing_is_promised_that_was_not_found(found: Explanation) -> None:
    labels = explanation_figure(replace(found, saved_by=())).axes[0].get_legend_handles_labels()[1]
    assert not any("safe:" in label or "planner" in label for label in labels)


def test_the_picture_of_a_simplest_scene(scene: Scenario) -> None:
    with LfsBackend() as backend:
        trials = Trials(backend, Question(FORMULA), 1, runs=0, budget=25)
        simplest = minimise(scene, trials)
        figure = minimised_figure(simplest, nominal_flights(simplest, trials))
    figure.draw_without_rendering()
    left, right = figure.axes
    assert left.get_xlim() == right.get_xlim() and left.get_ylim() == right.get_ylim()
    assert left.get_title() == "as given: 1 of 1 runs fail" and right.get_title().startswith(
        "simplest: 1 of 1"
    )
    sizes = [[text.get_text() for text in axis.texts] for axis in (left, right)]
    length, width, _ = simplest.scenario.obstacles[0].size_m
    assert sizes == [["1 × 1 m"], [f"{length:g} × {width:g} m"]]
