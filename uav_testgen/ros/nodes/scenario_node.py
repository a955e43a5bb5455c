"""scenario_node: announces scenarios, directs flights, and shows the scene.

Offers      action fly; service load_scenario
Publishes   scenario (latched; its stamp identifies the flight), flight/command, markers,
            flight/runs (latched; paths of the flights so far)
Subscribes  status of all nodes, flight/step, flight/record, verdict
Parameters  file, expected_nodes, system and the time limits of the director
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.serialization import deserialize_message
from rclpy.time import Time
from uav_testgen_msgs.action import Fly
from uav_testgen_msgs.msg import Flight, FlightCommand, FlightStep, NodeStatus, Verdict
from uav_testgen_msgs.msg import Scenario as ScenarioMsg
from uav_testgen_msgs.srv import LoadScenario
from visualization_msgs.msg import MarkerArray

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.flight.sample import sample_scenario
from uav_testgen.graph.process_identity import has_ended, own_process
from uav_testgen.ros import topics
from uav_testgen.ros.convert import scenario_from_msg, scenario_to_msg
from uav_testgen.ros.convert.motion import check_step
from uav_testgen.ros.endpoints import sole_publishers
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.flight_director import FlightDirector, Heard, Phase, Surroundings, chain_with
from uav_testgen.ros.fly_action import FlyAction
from uav_testgen.ros.graph_node import GraphNode, wanted
from uav_testgen.ros.live_params import LiveParameters
from uav_testgen.ros.node_settings import scenario_settings
from uav_testgen.ros.qos import LATCHED, LATCHED_READER, LOCK_STEP
from uav_testgen.ros.visuals.progress import Progress
from uav_testgen.ros.visuals.runs import FlownRuns
from uav_testgen.ros.visuals.scene import scene_markers
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario

TICK_S = 0.1
LOOK_EVERY_S = 0.05


class ScenarioNode(GraphNode):
    """Knows the scenario and who takes part; everything else is the business of the others."""

    def __init__(self, **options: Any) -> None:
        super().__init__("scenario_node", **options)
        self.config = scenario_settings(self)
        self.director = FlightDirector(
            self.config.expected_nodes,
            chain=chain_with(self.config.expected_nodes),
            config=self.config,
            process=own_process(),
        )
        self._sole = sole_publishers(self, self.health.peers)
        scene_markers(sample_scenario(), 0.0, None)
        self._progress: Progress | None = None
        self._record: Flight | None = None
        self._verdict: Verdict | None = None
        self._system = ""
        self._looked_s = 0.0
        self._scenario = self.create_publisher(ScenarioMsg, topics.SCENARIO, LATCHED)
        self._command = self.create_publisher(FlightCommand, topics.FLIGHT_COMMAND, LOCK_STEP)
        self._markers = self.create_publisher(MarkerArray, topics.MARKERS, LATCHED)
        self._runs, self._flown = self.create_publisher(MarkerArray, topics.RUNS, LATCHED), FlownRuns()
        self._action = FlyAction(self, self._start, lambda: self.director.stop("cancelled by the client"))
        self.create_service(LoadScenario, topics.LOAD_SCENARIO, self._load)
        for topic, kind, use in (
            (topics.FLIGHT, Flight, self._on_record),
            (topics.VERDICT, Verdict, self._on_verdict),
        ):
            self.create_subscription(kind, topic, self.guarded(topic, use), LATCHED_READER)
        # Steps come by the hundred per second; only some are looked at, so they are decoded on demand.
        step = self.guarded(topics.FLIGHT_STEP, self._on_step)
        self.create_subscription(FlightStep, topics.FLIGHT_STEP, step, LOCK_STEP, raw=True)
        self.create_timer(TICK_S, self._tick, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self.live = LiveParameters(self, scenario_settings)
        self.health.join(self.guarded(topics.STATUS, self._on_status))
        if self.config.file:
            self._announce(load_scenario(Path(self.config.file)))

    def destroy_node(self) -> None:
        """Action server first: it holds handles of the node."""
        self._action.destroy()
        super().destroy_node()

    def _announce(self, scenario: Scenario) -> int:
        """Publish a scenario; its stamp, unique on this machine, names the flight."""
        if self.live is not None and self.live.take_change():
            self.reconfigure()
        flight_id = time.time_ns()
        message = scenario_to_msg(scenario)
        message.header.stamp = Time(nanoseconds=flight_id).to_msg()
        self.scenario, self._progress = scenario, Progress(scenario)
        self._record = self._verdict = None
        self._looked_s = float("-inf")
        self._scenario.publish(message)
        self.health.enter(NodeStatus.READY, flight_id)
        self._show(0.0)
        return flight_id

    def reconfigure(self) -> None:
        """Take what the parameters say."""
        self.config = self.director.config = scenario_settings(self)

    def _start(self, request: Fly.Goal) -> None:
        try:
            scenario = scenario_from_msg(request.scenario)
        except UavTestgenError as error:
            self._action.finish(Fly.Result(message=str(error)))
            return
        self._system = request.system or self.config.system
        self.director.begin(self._announce(scenario), self._now_s())

    def _tick(self) -> None:
        """Look at the clock; the director says what follows."""
        was, now_s = self.director.phase, self._now_s()
        if problem := self._twofold(now_s):
            self.director.stop(problem)
        if self.director.check(now_s, self._surroundings(now_s)):
            self._sole.note()
            self.health.enter(NodeStatus.FLYING)
            self._order(FlightCommand.START, system=self._system)
        elif self.director.phase is Phase.FLYING and self.director.step < 0:
            self._order(FlightCommand.START, system=self._system)  # again, in case it was lost
        elif missing := self.director.long_missed(now_s):
            self.get_logger().info(
                f"waiting for {', '.join(missing)} (the first start on a machine compiles)",
                throttle_duration_sec=10.0,
            )
        if self.director.phase is Phase.FAILED and (was is not Phase.FAILED or self._action.busy):
            self._end(Fly.Result(message=self.director.problem))

    def _now_s(self) -> float:
        """Time for judging the others: it stands still while this node could not run."""
        return self.health.clock.now_s()

    def _surroundings(self, now_s: float) -> Surroundings:
        if not self.director.active:
            return Surroundings()
        process = self.health.peers.process
        return Surroundings(
            ended=[node for node in self.director.expected if has_ended(process(node))],
            crowded=bool(self._sole.rivals(now_s, perhaps=True)),
            unspoken=self._sole.unspoken(),
        )

    def _twofold(self, now_s: float, *, last_look: bool = False) -> str:
        """A sentence about a node or a publisher that is there twice; with it no flight can be trusted."""
        if not self.director.active:
            return ""
        nodes = (self.get_name(), *self.director.expected)
        if twice := self.health.peers.twice_sentence(nodes, now_s):
            return twice
        if self.director.phase is Phase.PREPARING:
            return self._sole.rivals(now_s)
        return self._sole.newcomer(now_s, last_look=last_look)

    def _order(self, command: int, flight_id: int = 0, system: str = "", reason: str = "") -> None:
        message = FlightCommand(
            flight_id=flight_id or self.director.flight_id, command=command, system=system, reason=reason
        )
        message.header.stamp = self.get_clock().now().to_msg()
        self._command.publish(message)

    def _end(self, result: Fly.Result) -> None:
        if not result.success:
            self.get_logger().error(f"flight ended: {result.message}")
            self._order(FlightCommand.STOP, reason=result.message)
        self.health.enter(NodeStatus.ENDED, message=result.message)
        self._action.finish(result)

    def _on_status(self, status: NodeStatus) -> None:
        ready = status.state in (NodeStatus.READY, NodeStatus.FLYING)
        failed = (status.message or "failed") if status.state == NodeStatus.FAILED else ""
        heard = Heard(
            at_s=self._now_s(),
            flight_id=status.flight_id,
            ready=ready,
            failed=failed,
            step=status.step,
            process=status.process,
            hears=frozenset(status.hears),
        )
        self.director.status(status.node, heard)
        if self._is_astray(status):
            reason = f"{self.get_name()} does not direct this flight"
            self._order(FlightCommand.STOP, status.flight_id, reason=reason)
        if self.director.phase is Phase.PREPARING:
            self._tick()

    def _is_astray(self, status: NodeStatus) -> bool:
        """A vehicle flies what this node does not direct: it has not heard the order to stop, or whoever
        directed it was ended."""
        ended = self.director.phase is Phase.FAILED or status.flight_id != self.director.flight_id
        return status.state == NodeStatus.FLYING and status.node != self.get_name() and ended

    def _on_step(self, data: bytes) -> None:
        now_s = self._now_s()
        if now_s - self._looked_s < LOOK_EVERY_S:
            return
        self._looked_s = now_s
        step = deserialize_message(data, FlightStep)
        check_step(step)
        self.director.stepped(step.flight_id, step.step, now_s)
        self.health.at_step(step.step)
        if step.flight_id != self.director.flight_id or self._progress is None:
            return
        self._action.feedback(self._progress.feedback(step))
        if self._progress.moving:
            self._show(step.time)

    def _on_record(self, record: Flight) -> None:
        if record.flight_id == self.director.flight_id:
            self._record = record
            self._flown.add(record)
            self._runs.publish(self._flown.markers())
            self.director.landed(record.flight_id, self._now_s())
            self._finish_if_complete()

    def _on_verdict(self, verdict: Verdict) -> None:
        if verdict.flight_id == self.director.flight_id:
            self._verdict = verdict
            self._show(verdict.duration)
            self._finish_if_complete()

    def _finish_if_complete(self) -> None:
        verdict, record = self._verdict, self._record
        if record is None or verdict is None or not verdict.final or not self.director.active:
            return
        if problem := self._twofold(self._now_s(), last_look=True):
            self.director.stop(problem)
            return  # the next tick ends the flight
        self.director.judged(verdict.flight_id)
        self._end(Fly.Result(success=True, message=verdict.sentence, flight=record, verdict=verdict))

    def _show(self, time_s: float) -> None:
        if self.scenario is not None and (wanted(self._markers) or time_s == 0.0):
            self._markers.publish(scene_markers(self.scenario, time_s, self._verdict))

    def _load(self, request: LoadScenario.Request, response: LoadScenario.Response) -> LoadScenario.Response:
        if self.director.active:
            response.message = "a flight is under way: load a scenario before or after it"
            return response
        try:
            self._announce(load_scenario(Path(request.file)))
            assert self.scenario is not None
            response.success, response.message = True, self.scenario.id
            response.scenario = scenario_to_msg(self.scenario)
        except UavTestgenError as error:
            response.message = str(error)
        return response


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen scenario_node`."""
    return run_nodes([ScenarioNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
