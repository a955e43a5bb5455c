"""pytest plugin: files NAME.planner_suite.yaml are tests of a planner, one for each scene.

    pytest planner.planner_suite.yaml --junitxml=report.xml
    pytest planner.planner_suite.yaml --update-planner-baseline

Loaded by pytest itself where uav_testgen is installed (entry point), so importing it must stay cheap.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from uav_testgen.testing.regression_baseline import SceneResult
    from uav_testgen.testing.regression_flights import RegressionFlights

_SUFFIX = ".planner_suite.yaml"
_UPDATE = "--update-planner-baseline"


class PlannerIsWorse(Exception):
    """A scene is flown worse than it must be."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option of ours."""
    parser.getgroup("uav_testgen").addoption(
        _UPDATE,
        action="store_true",
        help="write the results of planner suites into their baseline files instead of comparing them",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Suites by the end of their names."""
    if file_path.name.endswith(_SUFFIX):
        suite: pytest.Collector = PlannerSuiteFile.from_parent(parent, path=file_path)
        return suite
    return None


class PlannerSuiteFile(pytest.File):
    """One suite: its scenes share a planner and a graph."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each scene; whatever is wrong with the file is one sentence."""
        from uav_testgen.core.errors import UavTestgenError
        from uav_testgen.testing.regression_baseline import read_baseline
        from uav_testgen.testing.regression_suite import read_suite, suite_scenes

        self.results: dict[str, SceneResult] = {}
        self.before: dict[str, SceneResult] = {}
        self._flights: RegressionFlights | None = None
        try:
            self.suite = read_suite(self.path)
            scenes = suite_scenes(self.suite, self.path.parent)
            if self.suite.baseline and self.baseline.exists() and not self.config.getoption(_UPDATE):
                self.before = read_baseline(self.baseline)
        except UavTestgenError as error:
            raise self.CollectError(str(error)) from None
        self.scenes = list(scenes)
        for name, path in scenes.items():
            yield SceneTest.from_parent(self, name=name, scene=path)

    @property
    def baseline(self) -> Path:
        """The file with the last release."""
        return self.path.parent / self.suite.baseline

    def flights(self) -> RegressionFlights:
        """The running graph, made for the first scene that needs it."""
        if self._flights is None:
            from uav_testgen.testing.regression_flights import RegressionFlights

            self._flights = RegressionFlights(self.suite).__enter__()
        return self._flights

    def teardown(self) -> None:
        """The planner and the graph end with the last scene."""
        if self._flights is not None:
            self._flights.__exit__(None, None, None)
            self._flights = None
        if self.suite.baseline and self.config.getoption(_UPDATE) and set(self.results) == set(self.scenes):
            from uav_testgen.testing.regression_baseline import write_baseline

            write_baseline(self.baseline, self.results)


class SceneTest(pytest.Item):
    """One scene, flown several times."""

    def __init__(self, *, scene: Path, **options: Any) -> None:
        super().__init__(**options)
        self.scene = scene

    @property
    def suite_file(self) -> PlannerSuiteFile:
        """The suite this scene belongs to."""
        assert isinstance(self.parent, PlannerSuiteFile)
        return self.parent

    def runtest(self) -> None:
        """Fly, note, compare."""
        from uav_testgen.oracle.model import Outcome
        from uav_testgen.testing.regression_baseline import SceneResult, worse

        file = self.suite_file
        prediction = file.flights().fly(self.scene)
        result = file.results[self.name] = SceneResult.of(prediction)
        # Into the JUnit report, for whoever draws curves of them.
        self.user_properties += [
            ("seed", result.seed),
            ("distances_m", " ".join(f"{distance:.3f}" for distance in result.distances_m)),
            ("missions_completed", f"{result.completed}/{result.flown}"),
        ]
        if file.config.getoption(_UPDATE):
            return
        before = file.before.get(self.name)
        if before is not None and (sentence := worse(before, result, file.suite.tolerance_m)):
            raise PlannerIsWorse(sentence)
        if before is None or file.suite.require == "safe":
            for run in prediction.flown:
                if run.verdict.outcome is not Outcome.PASS:
                    raise PlannerIsWorse(f"run {run.number}: {run.verdict.sentence}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """One sentence for what is not a fault of ours."""
        from uav_testgen.core.errors import UavTestgenError

        if isinstance(excinfo.value, PlannerIsWorse | UavTestgenError):
            return f"{self.scene}: {excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test stands."""
        return self.path, None, self.name
