"""The action `fly` as a small object: one goal at a time, answered when the flight is over.

Goals are not awaited in a coroutine: the wait-set executor would poll it without pause. A goal is kept
and its result handed over when the director is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from uav_testgen_msgs.action import Fly

from uav_testgen.ros import topics


class FlyAction:
    """Takes goals, hands them to `start`, reports feedback and the result."""

    def __init__(self, node: Node, start: Callable[[Any], None], cancel: Callable[[], None]) -> None:
        self._start = start
        self._cancel = cancel
        self._goal: ServerGoalHandle | None = None
        self._server = ActionServer(
            node,
            Fly,
            topics.FLY,
            execute_callback=lambda goal: Fly.Result(),
            goal_callback=lambda request: GoalResponse.ACCEPT,
            handle_accepted_callback=self._accepted,
            cancel_callback=self._cancelled,
        )

    @property
    def busy(self) -> bool:
        """A goal waits for its result."""
        return self._goal is not None

    def feedback(self, feedback: Fly.Feedback) -> None:
        """Tell the client how far the flight is."""
        if self._goal is not None:
            self._goal.publish_feedback(feedback)

    def finish(self, result: Fly.Result) -> None:
        """Hand over the result of the goal under way."""
        goal, self._goal = self._goal, None
        if goal is not None:
            _answer(goal, result)

    def destroy(self) -> None:
        """Take the server down before its node."""
        self._server.destroy()

    def _accepted(self, goal: ServerGoalHandle) -> None:
        former = self._goal
        if former is None:
            self._goal = goal
            self._start(goal.request)
        elif goal.request.request and goal.request.request == former.request.request:
            # The client has had no answer and asks again: the same flight, answered to its newer goal.
            self._goal = goal
            _answer(former, Fly.Result(message="the same flight was asked for again"))
        else:
            _answer(goal, Fly.Result(message="another flight is under way in this graph: wait or cancel it"))

    def _cancelled(self, goal: ServerGoalHandle) -> CancelResponse:
        if goal is self._goal or self._goal is None:
            self._cancel()
        return CancelResponse.ACCEPT


def _answer(goal: ServerGoalHandle, result: Fly.Result) -> None:
    def execute(handle: ServerGoalHandle) -> Fly.Result:
        if handle.is_cancel_requested:
            handle.canceled()
        elif result.success:
            handle.succeed()
        else:
            handle.abort()
        return result

    goal.execute(execute)
