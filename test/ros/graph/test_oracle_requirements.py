"""oracle_node judges by named requirements and says what each of them found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rclpy.parameter import Parameter
from rclpy.time import Time
from uav_testgen_msgs.msg import Finding, Flight, NodeStatus, Scenario, Verdict

from uav_testgen import judge
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.sample import sample_flight, sample_scenario
from uav_testgen.oracle.requirement import make_requirements
from uav_testgen.ros import topics
from uav_testgen.ros.convert import flight_to_msg, scenario_to_msg, verdict_from_msg
from uav_testgen.ros.nodes.oracle_node import OracleNode
from uav_testgen.ros.qos import LATCHED, LATCHED_READER, LOCK_STEP

FLIGHT_ID = 1_700_000_000_000_000_000
OWN = """
from uav_testgen.oracle import Finding

class Quick:
    name = "quick"

    def __init__(self, limit_s=60.0):
        self.limit_s = limit_s

    def judge(self, scenario, flight):
        return Finding(self.name, self.limit_s - flight.duration_s, "s", sentence="as quick as that")


class Broken(Quick):
    def judge(self, scenario, flight):
        return 1 / 0
"""


@pytest.fixture
def judged(
    make_node: Callable[..., Any], ros_context: Any, ros_executor: Any, spin_until: Callable[..., None]
) -> Callable[..., tuple[Verdict | None, str]]:
    """The verdict on the sample flight, or what the oracle says where it cannot judge."""

    def run(*requirements: str) -> tuple[Verdict | None, str]:
        graph = make_node("rest_of_the_graph")
        scenarios = graph.create_publisher(Scenario, topics.SCENARIO, LATCHED)
        records = graph.create_publisher(Flight, topics.FLIGHT, LATCHED)
        verdicts: list[Verdict] = []
        failures: list[str] = []

        def hear(status: NodeStatus) -> None:
            if status.state == NodeStatus.FAILED:
                failures.append(status.message)

        graph.create_subscription(Verdict, topics.VERDICT, verdicts.append, LATCHED_READER)
        graph.create_subscription(NodeStatus, topics.STATUS, hear, LOCK_STEP)
        scenario = scenario_to_msg(sample_scenario())
        scenario.header.stamp = Time(nanoseconds=FLIGHT_ID).to_msg()
        record = flight_to_msg(sample_flight(sample_scenario()))
        record.flight_id = FLIGHT_ID
        scenarios.publish(scenario)
        records.publish(record)
        given = [Parameter("requirements", value=list(requirements))] if requirements else []
        oracle = OracleNode(context=ros_context, parameter_overrides=given)
        ros_executor.add_node(oracle)
        spin_until(lambda: bool(failures) or (bool(verdicts) and verdicts[-1].final), "the verdict")
        return (verdicts[-1] if verdicts else None), "".join(failures[-1:])

    return run


def test_each_requirement_has_its_finding(judged: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    words = ("separation", "max_altitude(limit_m=0.5)", f"{tmp_path}/own.py:Quick(limit_s=1000)")
    verdict, _ = judged(*words)
    assert [finding.name for finding in verdict.findings] == ["separation", "max_altitude", "quick"]
    assert verdict.findings[1].state == Finding.VIOLATED and verdict.findings[1].margin < 0.0
    assert verdict.findings[2].state == Finding.HOLDS and verdict.findings[2].unit == "s"
    assert "Violates max_altitude" in verdict.sentence
    scenario = sample_scenario()
    here = judge(scenario, sample_flight(scenario), requirements=make_requirements(words))
    there = verdict_from_msg(verdict)
    assert (there.outcome, there.findings) == (here.outcome, here.findings)


def test_without_a_list_the_distance_decides(judged: Callable[..., Any]) -> None:
    verdict, _ = judged()
    assert verdict.final and not verdict.findings


def test_a_requirement_that_breaks_is_named(judged: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    verdict, failure = judged(f"{tmp_path}/own.py:Broken")
    assert verdict is None
    assert f"requirement 'quick': {tmp_path}/own.py:" in failure and "ZeroDivisionError" in failure


def test_an_unknown_requirement_is_refused_at_the_start(ros_context: Any) -> None:
    given = [Parameter("requirements", value=["max_hight"])]
    with pytest.raises(ConfigError, match="max_hight"):
        OracleNode(context=ros_context, parameter_overrides=given)
