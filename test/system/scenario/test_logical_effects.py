"""Everything a logical scenario can say really changes a flight of the low-fidelity simulator."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from uav_testgen.backend.registry import make_backend
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.model import (
    LinearMotion,
    Mission,
    Obstacle,
    Scenario,
    Shape,
    Terrain,
    Visibility,
    Waypoint,
    Wind,
)
from uav_testgen.testing.factories import GATE

# The first flight on a machine compiles for minutes.
pytestmark = [pytest.mark.system, pytest.mark.timeout(1200)]

HEIGHT_M = 5.0
MISSION = Mission(waypoints=(Waypoint(position_enu_m=(40.0, 0.0, HEIGHT_M)),), takeoff_altitude_m=HEIGHT_M)
WALL = Obstacle(center_enu_m=(25.0, 0.0, 6.0), size_m=(3.0, 10.0, 12.0))
Fly = Callable[[Scenario], Flight]


@pytest.fixture(scope="module")
def fly() -> Iterator[Fly]:
    """Flights of the vehicle on which wind acts."""
    flown: dict[str, Flight] = {}
    with make_backend("lfs", {"vehicle": "px4"}) as backend:

        def flight(scenario: Scenario) -> Flight:
            return flown.setdefault(scenario.id, backend.fly(scenario, 1))

        yield flight


def differs_m(one: Flight, other: Flight) -> float:
    """Greatest distance between two flights at equal times."""
    count = min(len(one.trajectory), len(other.trajectory))
    gap = one.trajectory.position_enu_m[:count] - other.trajectory.position_enu_m[:count]
    return float(np.max(np.linalg.norm(gap, axis=1)))


def at_rest(shape: Shape) -> Obstacle:
    """Beside the route, beginning to matter only when it moves onto it."""
    size = (3.0, 3.0, 3.0) if shape is Shape.SPHERE else (3.0, 3.0, 10.0)
    triangles = GATE if shape is Shape.MESH else ()
    return Obstacle(center_enu_m=(20.0, 14.0, HEIGHT_M), size_m=size, shape=shape, triangles=triangles)


@pytest.mark.parametrize("shape", list(Shape))
def test_moving_obstacles_are_seen_where_they_are(fly: Fly, shape: Shape) -> None:
    resting = at_rest(shape)
    motion = LinearMotion(to_enu_m=(20.0, -14.0, HEIGHT_M), speed_mps=0.5)
    still = Scenario(mission=MISSION, obstacles=(resting,))
    moving = Scenario(mission=MISSION, obstacles=(resting.model_copy(update={"motion": motion}),))
    assert differs_m(fly(still), fly(moving)) > 0.5
    far, near = judge(still, fly(still)).min_distance_3d_m, judge(moving, fly(moving)).min_distance_3d_m
    assert far is not None and near is not None
    assert near < far - 3.0


def test_an_obstacle_on_a_polyline_is_avoided_where_it_is(fly: Fly) -> None:
    """It comes from the side, crosses the route and goes along it towards the vehicle."""
    corners = ((20.0, 14.0, HEIGHT_M), (20.0, 0.0, HEIGHT_M), (32.0, 0.0, HEIGHT_M))
    motion = LinearMotion(via_enu_m=corners[1:2], to_enu_m=corners[2], speed_mps=0.8, mode="once")
    pillar = Obstacle(center_enu_m=corners[0], size_m=(2.0, 2.0, 10.0), motion=motion)
    straight = pillar.model_copy(update={"motion": motion.model_copy(update={"via_enu_m": ()})})
    along, direct = (Scenario(mission=MISSION, obstacles=(one,)) for one in (pillar, straight))
    assert differs_m(fly(along), fly(direct)) > 0.5
    assert judge(along, fly(along)).min_distance_3d_m is not None


def test_fog_hides_the_wall_for_longer(fly: Fly) -> None:
    # Above water: swerving from the ground, which is seen in fog too, would hide what the fog does.
    clear = Scenario(mission=MISSION, obstacles=(WALL,), terrain=Terrain(surface="water"))
    foggy = clear.model_copy(update={"visibility": Visibility(range_m=6.0, contrast_loss=0.5)})

    def turned_at_m(flight: Flight) -> float:
        """Easting at which the vehicle has left the straight line by half a metre."""
        position = flight.trajectory.position_enu_m
        return float(position[np.argmax(np.abs(position[:, 1]) > 0.5), 0])

    assert turned_at_m(fly(foggy)) > turned_at_m(fly(clear)) + 2.0


def test_loss_of_contrast_alone_changes_the_flight(fly: Fly) -> None:
    clear = Scenario(mission=MISSION, obstacles=(WALL,), visibility=Visibility(range_m=18.0))
    pale = clear.model_copy(update={"visibility": Visibility(range_m=18.0, contrast_loss=0.6)})
    assert differs_m(fly(clear), fly(pale)) > 0.01


@pytest.mark.parametrize("landform", ["depression", "elevation", "steep_transition"])
def test_landforms_change_the_flight(fly: Fly, landform: str) -> None:
    flat = Scenario(mission=MISSION)
    terrain = Terrain(landform=landform, height_m=2.0, center_enu_m=(20.0, 0.0), radius_m=15.0)
    assert differs_m(fly(flat), fly(flat.model_copy(update={"terrain": terrain}))) > 0.05


def test_water_is_not_seen(fly: Fly) -> None:
    """Low above land the planner swerves from the ground it sees; above water there is nothing to see."""
    low = Mission(waypoints=(Waypoint(position_enu_m=(40.0, 0.0, 3.0)),), takeoff_altitude_m=3.0)

    def sideways_m(surface: str) -> float:
        flight = fly(Scenario(mission=low, terrain=Terrain(surface=surface)))
        return float(np.max(np.abs(flight.trajectory.position_enu_m[:, 1])))

    assert sideways_m("water") < 0.3
    assert sideways_m("land") > sideways_m("water") + 0.3


def test_wind_pushes_the_vehicle(fly: Fly) -> None:
    calm = Scenario(mission=MISSION, terrain=Terrain(surface="water"))
    north = Wind(velocity_mean_mps=20.0 / 3.6, direction_enu=(0.0, 1.0, 0.0))
    windy = fly(calm.model_copy(update={"wind": north}))
    assert differs_m(fly(calm), windy) > 0.1
    assert (
        np.max(windy.trajectory.position_enu_m[:, 1])
        > np.max(fly(calm).trajectory.position_enu_m[:, 1]) + 0.05
    )
