"""A fleet as standard messages: map, poses and markers for rviz2."""

from __future__ import annotations

from array import array

from geometry_msgs.msg import Pose, PoseArray
from nav_msgs.msg import OccupancyGrid
from visualization_msgs.msg import Marker, MarkerArray

from uav_testgen.fleet.cells import Cell
from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.ros.convert.parts import header, point_to_msg

_COLOURS = {"charger": (0.95, 0.76, 0.31), "attribute": (0.56, 0.76, 0.66), "drone": (0.13, 0.35, 0.65)}
_BLOCKED, _FREE = 100, 0


def grid_to_msg(simulation: FleetSimulation, level: int, cell_size_m: float) -> OccupancyGrid:
    """One height level: 100 where cells are blocked, 0 elsewhere; cell (0, 0) is centred at the origin."""
    size_x, size_y, _ = simulation.world.size
    cells = array("b", bytes(size_x * size_y))
    for x, y, z in simulation.world.blocked:
        if z == level:
            cells[y * size_x + x] = _BLOCKED
    message = OccupancyGrid(header=header(float(simulation.tick)))
    message.info.resolution = cell_size_m
    message.info.width, message.info.height = size_x, size_y
    message.info.origin.position = point_to_msg((-0.5 * cell_size_m, -0.5 * cell_size_m, level * cell_size_m))
    message.info.origin.orientation.w = 1.0
    message.data = cells
    return message


def poses_to_msg(simulation: FleetSimulation, cell_size_m: float) -> PoseArray:
    """Where the drones are, in the order of their ids."""
    message = PoseArray(header=header(float(simulation.tick)))
    for drone_id in sorted(simulation.drones):
        message.poses.append(_pose(simulation.drones[drone_id].position, cell_size_m))
    return message


def markers_to_msg(simulation: FleetSimulation, cell_size_m: float) -> MarkerArray:
    """Drones with their ids, chargers and cells with attributes."""
    markers: list[Marker] = []
    for cell in simulation.world.special_cells():
        if cell not in simulation.world.blocked:
            kind = "charger" if cell in simulation.world.chargers else "attribute"
            markers.append(_marker(simulation, kind, len(markers), cell, cell_size_m))
    for drone in simulation.drones.values():
        markers.append(_marker(simulation, "drone", drone.id, drone.position, cell_size_m))
        label = _marker(simulation, "label", drone.id, drone.position, cell_size_m)
        label.type, label.text = Marker.TEXT_VIEW_FACING, str(drone.id)
        label.pose.position.z += cell_size_m
        markers.append(label)
    return MarkerArray(markers=markers)


def _marker(simulation: FleetSimulation, kind: str, number: int, cell: Cell, cell_size_m: float) -> Marker:
    marker = Marker(header=header(float(simulation.tick)), ns=kind, id=number, action=Marker.ADD)
    marker.type = Marker.SPHERE if kind == "drone" else Marker.CUBE
    marker.pose = _pose(cell, cell_size_m)
    thickness = 0.8 if kind in ("drone", "label") else 0.1
    marker.scale.x = marker.scale.y = 0.8 * cell_size_m
    marker.scale.z = thickness * cell_size_m
    marker.color.r, marker.color.g, marker.color.b = _COLOURS.get(kind, (0.1, 0.1, 0.1))
    marker.color.a = 1.0
    return marker


def _pose(cell: Cell, cell_size_m: float) -> Pose:
    pose = Pose()
    pose.position = point_to_msg((cell[0] * cell_size_m, cell[1] * cell_size_m, cell[2] * cell_size_m))
    pose.orientation.w = 1.0
    return pose
