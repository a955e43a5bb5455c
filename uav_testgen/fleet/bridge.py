"""From cells to flight: a fleet task becomes a mission scenario for the low-fidelity simulator.

Blocked cells become boxes, cell centres become metres, and the verdict of the flight comes back as a
factor on the drone's trust: a drone whose route leads it dangerously near to obstacles is trusted less.
"""

from __future__ import annotations

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.fleet.cells import Cell
from uav_testgen.fleet.specs import DroneSpec
from uav_testgen.fleet.tasks import InstructionType, Task, expand
from uav_testgen.fleet.world import CellWorld
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Waypoint

# Trust left after a flight of each outcome; an inconclusive flight says nothing.
TRUST_AFTER = {
    Outcome.PASS: 1.0,
    Outcome.SOFT_FAIL: 0.75,
    Outcome.HARD_FAIL: 0.25,
    Outcome.INCONCLUSIVE: 1.0,
}


def mission_scenario(
    world: CellWorld,
    drone: DroneSpec,
    task: Task,
    *,
    cell_size_m: float = 5.0,
    flight_height_m: float = 10.0,
    obstacle_height_m: float = 20.0,
) -> Scenario:
    """The task as a mission: take off at the drone's home, visit the positions in order, land."""
    places = [
        drone.init_pos if item.type is InstructionType.GOHOME else item.position
        for item in expand(task.instructions)
    ]
    route = [place for place in places if place is not None]
    if not route:
        raise InvalidScenario(f"task {task.id} leads nowhere: it has no GOTO, FROMTO or GOHOME instruction")

    def point(cell: Cell) -> tuple[float, float, float]:
        x, y, z = cell
        return (x * cell_size_m, y * cell_size_m, flight_height_m + z * cell_size_m)

    home_x, home_y, _ = point(drone.init_pos)
    mission = Mission(
        waypoints=tuple(Waypoint(position_enu_m=point(cell)) for cell in route),
        home_enu_m=(home_x, home_y, 0.0),
        takeoff_altitude_m=flight_height_m,
        name=f"fleet task {task.id}",
    )
    obstacles = tuple(
        Obstacle(
            center_enu_m=(x * cell_size_m, y * cell_size_m, 0.5 * obstacle_height_m),
            size_m=(cell_size_m, cell_size_m, obstacle_height_m),
            name=f"cell {x} {y}",
        )
        for x, y in sorted({(cell[0], cell[1]) for cell in world.blocked})
    )
    return Scenario(mission=mission, obstacles=obstacles, arena=_arena(world, cell_size_m), name=mission.name)


def trust_after_flight(trust: float, verdict: Verdict) -> float:
    """Trust of a drone once its route has been flown in the simulator."""
    return trust * TRUST_AFTER[verdict.outcome]


def _arena(world: CellWorld, cell_size_m: float) -> Arena:
    """The cell world as the area where obstacles may stand; neighbouring cells may touch."""
    half = 0.5 * cell_size_m
    return Arena(
        name="fleet",
        east_min_m=-half,
        east_max_m=world.size[0] * cell_size_m - half,
        north_min_m=-half,
        north_max_m=world.size[1] * cell_size_m - half,
        min_side_m=min(2.0, half),
        max_obstacles=1000,
    )
