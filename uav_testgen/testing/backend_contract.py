"""What every backend promises, as tests to inherit: set `name` in a subclass."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np

from uav_testgen.backend.base import Backend
from uav_testgen.backend.registry import make_backend
from uav_testgen.flight.json_io import flight_from_json, flight_to_json
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_box, make_scenario


class BackendContract:
    """Inherit, set `name` and optionally `settings` and `scenario`."""

    name: ClassVar[str]
    settings: ClassVar[dict[str, Any]] = {}
    flown_by: ClassVar[str] = ""
    """The backend named in the flights, where it is not `name` itself (a replay answers for another)."""

    def scenario(self) -> Scenario:
        """What the contract flies: mission 1 with one box beside the way."""
        return make_scenario(make_box(east_m=25.0, north_m=-20.0), mission="mission1")

    def build(self) -> Backend:
        """A backend that is ready to be entered."""
        return make_backend(self.name, self.settings)

    def _flown(self, seed: int = 3) -> Flight:
        with self.build() as backend:
            return backend.fly(self.scenario(), seed)

    def test_follows_the_protocol(self) -> None:
        """It flies, says what it can do, and has the name it is registered under."""
        backend = self.build()
        assert isinstance(backend, Backend)
        assert backend.name == self.name

    def test_flight_describes_itself(self) -> None:
        """Whose flight it is, by whom, with which seed, and why it was over."""
        flight = self._flown(seed=5)
        assert flight.scenario_id == self.scenario().id
        assert flight.backend == (self.flown_by or self.name)
        assert flight.seed == 5
        assert isinstance(flight.ending, Ending)
        assert flight.reason

    def test_trajectory_is_usable(self) -> None:
        """Finite samples that begin at home."""
        trajectory = self._flown().trajectory
        assert len(trajectory) > 1
        for values in (trajectory.position_enu_m, trajectory.velocity_enu_mps, trajectory.yaw_rad):
            assert np.all(np.isfinite(values))
        home = np.array(self.scenario().mission.home_enu_m[:2])
        assert np.linalg.norm(trajectory.position_enu_m[0, :2] - home) < 1.0

    def test_flight_can_be_written_and_judged(self) -> None:
        """It survives JSON (to a micrometre) and gets a verdict."""
        flight = self._flown()
        again = flight_from_json(json.loads(json.dumps(flight_to_json(flight), allow_nan=False)))
        assert np.allclose(again.trajectory.position_enu_m, flight.trajectory.position_enu_m, atol=1e-6)
        assert judge(self.scenario(), flight).sentence

    def test_same_seed_same_flight(self) -> None:
        """A deterministic backend repeats itself bit for bit."""
        backend = self.build()
        if not backend.capabilities.deterministic:
            return
        one, again = self._flown(), self._flown()
        assert np.array_equal(one.trajectory.position_enu_m, again.trajectory.position_enu_m)
        assert one.ending is again.ending
