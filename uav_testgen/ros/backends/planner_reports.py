"""What the planner's side says about a flight, for its record: whose clock, and how old the answers were."""

from __future__ import annotations

import contextlib
import json
import logging
from typing import Any, Final

from std_msgs.msg import String

from uav_testgen.graph.foreign_planner import NODE
from uav_testgen.ros import topics
from uav_testgen.ros.backends.client import GraphClient
from uav_testgen.ros.executor import spin_until
from uav_testgen.ros.qos import LATCHED_READER

_log = logging.getLogger(__name__)
_COMES_S: Final = 2.0
_REPEATABLE: Final = {"time_mode": "lock_step", "repeatable": True}


class PlannerReports:
    """Listens as long as the client's node lives."""

    def __init__(self, client: GraphClient) -> None:
        self._client = client
        self._found: dict[int, dict[str, Any]] = {}
        client.node.create_subscription(String, topics.PLANNER_REPORT, self._take, LATCHED_READER)

    def of(self, flight_id: int, troubled: bool = False) -> dict[str, Any]:
        """Details of a flight that is over; its report may come a moment later than its result.

        `planner_node` reports only where the planner ended the flight (`troubled`).
        """
        adapted = self._client.has_heard(NODE)
        if not adapted and not troubled:
            return dict(_REPEATABLE)
        spin_until(self._client.executor, lambda: flight_id in self._found, _COMES_S)
        report = self._found.pop(flight_id, {})
        self._found.clear()
        if not adapted:
            return {**_REPEATABLE, **report}
        for sentence in report.get("warnings", ()):
            _log.warning("%s", sentence)
        first = {key: report.pop(key, None) for key in ("time_mode", "repeatable")}
        error = {"planner_error": report.pop("planner_error")} if "planner_error" in report else {}
        return {**first, **error, "planner_over_ros": report}

    def _take(self, message: String) -> None:
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            report = json.loads(message.data)
            self._found[int(report.pop("flight_id"))] = report
