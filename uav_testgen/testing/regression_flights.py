"""Flies the scenes of a suite with the user's planner, in a ROS domain that nobody else uses."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from uav_testgen.backend.base import Backend
from uav_testgen.backend.registry import make_backend
from uav_testgen.graph.companions import Companions
from uav_testgen.graph.domains import DomainReservation
from uav_testgen.graph.environment import settings_over
from uav_testgen.predict.prediction import Prediction
from uav_testgen.predict.runs import predict, scatter_of
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.testing.regression_suite import RegressionSuite


class RegressionFlights:
    """The planner and the graph around it, from the first scene of a suite to the last."""

    def __init__(self, suite: RegressionSuite) -> None:
        self.suite = suite
        self._stack = ExitStack()
        self._planner: Companions | None = None
        self._backend: Backend | None = None

    def __enter__(self) -> RegressionFlights:
        with ExitStack() as made:
            domain = None
            if self.suite.start:
                reservation = DomainReservation()
                made.callback(reservation.release)
                domain = reservation.domain
                logs = Path(made.enter_context(tempfile.TemporaryDirectory(prefix="uav_testgen_suite_")))
                environment = settings_over(os.environ, domain=domain)
                self._planner = Companions(self.suite.start, environment, logs)
                made.callback(self._planner.stop)
                self._planner.start()
            backend = make_backend(self.suite.backend, self.suite.backend_settings(domain))
            self._backend = made.enter_context(backend)
            self._stack = made.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def fly(self, scene: Path) -> Prediction:
        """The nominal run of a scene and the drawn ones; BackendError if the planner has ended."""
        assert self._backend is not None
        if self._planner is not None:
            self._planner.check()
        system = getattr(self._backend, "system", None)
        scatter = scatter_of(self._backend)
        if system is not None and not self._backend.capabilities.prediction:
            # Runs must differ, or nobody learns how much a scene scatters; what was measured of our planner stays out.
            scatter = system.scatter.model_copy(
                update={"bias_m": 0.0, "free_bias_m": 0.0, "escape_share": 0.0}
            )
        return predict(self._backend, load_scenario(scene), self.suite.seed, self.suite.runs, scatter=scatter)
