"""The planner's look-ahead tree as lines."""

from __future__ import annotations

from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from uav_testgen.planner.vfh3d.base import Tree

_COLOUR = ColorRGBA(r=0.2, g=0.5, b=0.9, a=0.6)


def tree_markers(tree: Tree, header: Header) -> MarkerArray:
    """Every node joined to its parent."""
    lines = Marker(header=header, ns="tree", id=0, type=Marker.LINE_LIST, action=Marker.ADD, color=_COLOUR)
    lines.scale.x = 0.03
    lines.pose.orientation.w = 1.0
    nodes = [Point(x=x, y=y, z=z) for x, y, z in tree.position_enu_m.tolist()]
    for child, parent in enumerate(tree.parent.tolist()):
        if child > 0 and 0 <= parent < len(nodes):
            lines.points += [nodes[parent], nodes[child]]
    return MarkerArray(markers=[lines])
