"""Parameters that change while the graph runs: accepted between flights, in effect with the next one, else refused
with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.parameter import Parameter

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.plain_text import one_line

if TYPE_CHECKING:
    from uav_testgen.ros.graph_node import GraphNode

UNDER_WAY = "a flight is under way: change parameters between flights"


class Proposed:
    """A node as it would be after a change; what reads parameters cannot tell the difference."""

    def __init__(self, node: Any, changes: Mapping[str, Any]) -> None:
        self._node = node
        self._changes = changes

    def get_fully_qualified_name(self) -> str:
        """As rclpy's."""
        return str(self._node.get_fully_qualified_name())

    def has_parameter(self, name: str) -> bool:
        """As rclpy's."""
        return bool(self._node.has_parameter(name))

    def get_parameter(self, name: str) -> Any:
        """The proposed value, else the present one."""
        if name in self._changes:
            return Parameter(name, value=self._changes[name])
        return self._node.get_parameter(name)


class LiveParameters:
    """Judges changes for one node. `configure` reads a whole configuration; what it raises refuses the change."""

    def __init__(self, node: GraphNode, configure: Callable[[Any], object]) -> None:
        self._node = node
        self._configure = configure
        self._changed = False
        node.add_on_set_parameters_callback(self._judge)

    def take_change(self) -> bool:
        """Was something changed since this was asked last?"""
        changed, self._changed = self._changed, False
        return changed

    def _judge(self, parameters: list[Parameter]) -> SetParametersResult:
        changes = {one.name: one.value for one in parameters if self._is_ours(one.name)}
        if not changes:
            return SetParametersResult(successful=True)
        if self._node.health.flight_under_way:
            return SetParametersResult(successful=False, reason=UNDER_WAY)
        try:
            self._configure(Proposed(self._node, changes))
        except (UavTestgenError, TypeError, ValueError) as error:
            return SetParametersResult(successful=False, reason=one_line(str(error)))
        self._changed = True
        told = ", ".join(f"{name} = {value}" for name, value in changes.items())
        self._node.get_logger().info(f"from the next flight on: {told}")
        return SetParametersResult(successful=True)

    def _is_ours(self, name: str) -> bool:
        """use_sim_time and the like are rclpy's business."""
        return bool(self._node.has_parameter(name)) and name not in (
            "use_sim_time",
            "start_type_description_service",
        )
