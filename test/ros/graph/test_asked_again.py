"""A goal or an answer that gets lost is asked for again, and is still one flight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rclpy.action import ActionClient
from rclpy.task import Future
from uav_testgen_msgs.action import Fly

from uav_testgen.ros import topics
from uav_testgen.ros.backends import client as client_module
from uav_testgen.ros.backends.graph import GraphBackend
from uav_testgen.ros.fly_action import FlyAction

from .scenes import short_scene


def test_a_flight_takes_place_although_its_goal_got_lost(
    composed: GraphBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert composed.client is not None
    action = composed.client._action
    send, asked = action.send_goal_async, []

    def lose_the_first(goal: Fly.Goal) -> Any:
        asked.append(goal.request)
        return Future() if len(asked) == 1 else send(goal)

    monkeypatch.setattr(client_module, "_ASK_AGAIN_S", 0.2)
    monkeypatch.setattr(action, "send_goal_async", lose_the_first)
    flight = composed.fly(short_scene(), 0)
    assert flight.details["steps"] > 0
    assert len(asked) > 1 and asked[0] and len(set(asked)) == 1, "one flight, under one name"


@pytest.fixture
def server(make_node: Callable[..., Any]) -> Any:
    started: list[Fly.Goal] = []
    action = FlyAction(make_node("scenario_node"), started.append, lambda: None)
    yield action, started
    action.destroy()


def test_the_same_request_is_one_flight_and_another_one_has_to_wait(
    server: Any, make_node: Callable[..., Any], spin_until: Callable[..., None]
) -> None:
    action, started = server
    client = ActionClient(make_node("client"), Fly, topics.FLY)
    spin_until(client.server_is_ready, "the action")

    def ask(request: str) -> Any:
        sent = client.send_goal_async(Fly.Goal(request=request))
        spin_until(sent.done, "the answer to a goal")
        return sent.result().get_result_async()

    first, again, other = ask("mine"), ask("mine"), ask("somebody else's")
    spin_until(lambda: first.done() and other.done(), "the results of goals that are not flown")
    assert "another flight is under way" in other.result().result.message
    assert "asked for again" in first.result().result.message
    assert [goal.request for goal in started] == ["mine"] and not again.done()
    action.finish(Fly.Result(success=True, message="flown"))
    spin_until(again.done, "the result of the flight")
    assert again.result().result.message == "flown"
    nameless = ask("")
    spin_until(lambda: len(started) == 2, "a flight without a name")
    unwanted = ask("")
    spin_until(unwanted.done, "the refusal")
    assert "another flight" in unwanted.result().result.message and not nameless.done()
    client.destroy()
