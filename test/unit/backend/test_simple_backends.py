"""The blind backend and the replay of recorded flights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from uav_testgen.backend.base import Backend
from uav_testgen.backend.registry import BACKENDS, make_backend
from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.flight.json_io import save_flights, trajectory_to_csv
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.still_backend import StillBackend, StillConfig

pytestmark = pytest.mark.unit
SCENARIO = Scenario(mission=named_mission("mission2"))


def test_still_flies_the_route_at_its_speed() -> None:
    flight = StillBackend(StillConfig(speed_mps=2.0)).fly(SCENARIO, 1)
    route = np.array(SCENARIO.mission.route_enu_m)
    length_m = np.linalg.norm(np.diff(route, axis=0), axis=1).sum()
    assert flight.duration_s == pytest.approx(length_m / 2.0)
    np.testing.assert_allclose(flight.trajectory.position_enu_m[[0, -1]], route[[0, -1]])


def test_drift_is_seeded() -> None:
    backend = StillBackend(StillConfig(drift_m=1.0))
    one, same, other = (backend.fly(SCENARIO, seed).trajectory.position_enu_m for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.allclose(one, other)


def test_replay_answers_with_the_recorded_run(tmp_path: Path) -> None:
    flights = [StillBackend(StillConfig(drift_m=1.0)).fly(SCENARIO, seed) for seed in (1, 2)]
    save_flights(tmp_path / "a.json", "a.yaml", flights)
    with make_backend("replay", {"source": str(tmp_path)}) as backend:
        assert isinstance(backend, Backend)
        assert backend.fly(SCENARIO, 2).seed == 2
        assert backend.fly(SCENARIO, 77).seed == 1
        other = SCENARIO.model_copy(update={"mission": named_mission("mission3")})
        with pytest.raises(BackendError, match="no flight of scenario"):
            backend.fly(other, 1)


def test_replay_of_a_trajectory_answers_for_every_scenario(tmp_path: Path) -> None:
    trajectory = StillBackend().fly(SCENARIO, 1).trajectory
    path = tmp_path / "log.csv"
    path.write_text(trajectory_to_csv(trajectory))
    with make_backend("replay", {"source": str(path)}) as backend:
        assert len(backend.fly(SCENARIO, 1).trajectory) == len(trajectory)


def test_replay_of_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(ConfigError, match="no flights file"),
        make_backend("replay", {"source": str(tmp_path)}),
    ):
        pass


def test_all_names_are_known_without_importing_ros() -> None:
    assert {"lfs", "graph", "px4", "aerialist", "folder"} <= set(BACKENDS.names())


@pytest.mark.parametrize("name", ["still", "replay"])
def test_stand_ins_are_found_but_not_offered(name: str) -> None:
    assert name not in BACKENDS.names()
    assert BACKENDS.load(name).name == name
