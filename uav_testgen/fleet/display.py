"""The world as text: drone ids, X blocked, A a cell with an attribute, C a charger, '.' empty."""

from __future__ import annotations

from uav_testgen.fleet.engine import FleetSimulation

MAX_COLUMNS = 160


def picture_of_level(simulation: FleetSimulation, level: int = 0) -> str:
    """One height level, north at the top. Large worlds are cut at the right and say so."""
    size_x, size_y, _ = simulation.world.size
    columns = min(size_x, MAX_COLUMNS)
    width = max((len(str(drone_id)) for drone_id in simulation.drones), default=1)
    rows = [[".".rjust(width)] * columns for _ in range(size_y)]
    for cell in simulation.world.special_cells():
        if cell[2] == level and cell[0] < columns:
            rows[cell[1]][cell[0]] = _symbol(simulation, cell).rjust(width)
    for drone in simulation.drones.values():
        x, y, z = drone.position
        if z == level and x < columns:
            rows[y][x] = str(drone.id).rjust(width)
    text = "\n".join(" ".join(row) for row in reversed(rows))
    return text if columns == size_x else f"{text}\n(columns 0..{columns - 1} of {size_x})"


def picture(simulation: FleetSimulation) -> str:
    """All levels, the highest first."""
    levels = simulation.world.size[2]
    if levels == 1:
        return picture_of_level(simulation)
    parts = [f"level {level}\n{picture_of_level(simulation, level)}" for level in reversed(range(levels))]
    return "\n".join(parts)


def _symbol(simulation: FleetSimulation, cell: tuple[int, int, int]) -> str:
    if cell in simulation.world.blocked:
        return "X"
    return "C" if set(simulation.world.attributes(cell)) == {"charger"} else "A"
