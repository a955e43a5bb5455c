from __future__ import annotations

from uav_testgen.graph.peers import Peers
from uav_testgen.graph.sole_publishers import LEFT_OVER_S, NAMED_WITHIN_S, Endpoint, SolePublishers

STEP, SETPOINT = "flight/step", "planner/setpoint"


class Graph:
    """What discovery shows, and which processes are gone."""

    def __init__(self) -> None:
        self.peers = Peers()
        self.gone: set[str] = set()
        self.found: dict[str, list[Endpoint]] = {STEP: [], SETPOINT: []}
        self.watch = SolePublishers(
            (STEP, SETPOINT), lambda topic: self.found[topic], self.peers, self.gone.__contains__
        )

    def add(self, topic: str, gid: int, name: str) -> None:
        self.found[topic].append(Endpoint((gid,), name))


def test_one_publisher_each_is_as_it_should_be() -> None:
    graph = Graph()
    graph.add(STEP, 1, "/vehicle_node")
    assert graph.watch.unspoken() == [SETPOINT]
    graph.add(SETPOINT, 2, "/planner_node")
    assert graph.watch.rivals(0.0) == graph.watch.rivals(0.0, perhaps=True) == ""
    graph.watch.note()
    assert graph.watch.newcomer(1.0) == "" and graph.watch.unspoken() == []


def test_two_publishers_are_both_named() -> None:
    graph = Graph()
    graph.add(SETPOINT, 2, "/planner_node")
    graph.add(SETPOINT, 3, "/intruder")
    sentence = graph.watch.rivals(0.0)
    assert sentence.startswith("planner/setpoint has 2 publishers, /planner_node and /intruder: ")
    assert "--domain" in sentence, "it names a way out"


def test_what_a_dead_process_left_in_the_discovery_data_is_no_rival() -> None:
    graph = Graph()
    graph.peers.hear("planner_node", "1@lab", 0.0)
    graph.add(SETPOINT, 2, "/planner_node")
    graph.add(SETPOINT, 3, "/my_planner")
    assert graph.watch.rivals(1.0)
    graph.gone.add("1@lab")
    assert graph.watch.rivals(2.0) == ""


def test_a_restarted_node_is_no_rival_of_itself_unless_both_stay() -> None:
    graph = Graph()
    graph.peers.hear("planner_node", "1@lab", 0.0)
    graph.add(SETPOINT, 2, "/planner_node")
    graph.add(SETPOINT, 3, "/planner_node")
    assert graph.watch.rivals(1.0) == graph.watch.rivals(1.0, perhaps=True) == ""
    assert graph.watch.rivals(1.1 + LEFT_OVER_S), "a name does not make it the same node for ever"


def test_a_node_that_speaks_from_two_processes_is_seen_at_once() -> None:
    graph = Graph()
    graph.add(STEP, 2, "/vehicle_node")
    graph.add(STEP, 3, "/vehicle_node")
    for process in ("1@lab", "2@lab", "1@lab"):
        graph.peers.hear("vehicle_node", process, 0.0)
    assert "flight/step has 2 publishers, /vehicle_node and /vehicle_node" in graph.watch.rivals(0.1)


def test_a_foreign_node_that_was_restarted_is_waited_for_and_then_refused() -> None:
    graph = Graph()
    graph.add(SETPOINT, 2, "/my_planner")
    graph.add(SETPOINT, 3, "/my_planner")
    assert graph.watch.rivals(0.0) == "" and graph.watch.rivals(0.0, perhaps=True)
    assert graph.watch.rivals(0.1 + LEFT_OVER_S)


def test_a_publisher_that_comes_during_the_flight_is_named() -> None:
    graph = Graph()
    graph.add(SETPOINT, 2, "/planner_node")
    graph.watch.note()
    graph.add(SETPOINT, 3, "/intruder")
    assert graph.watch.newcomer(0.0).startswith("/intruder began to publish planner/setpoint")


def test_a_publisher_that_takes_the_place_of_another_one_is_named() -> None:
    graph = Graph()
    graph.add(SETPOINT, 2, "/my_planner")
    graph.watch.note()
    graph.found[SETPOINT] = [Endpoint((3,), "/my_planner")]
    assert "/my_planner began to publish" in graph.watch.newcomer(0.0)


def test_the_name_of_a_node_arrives_after_its_endpoint() -> None:
    graph = Graph()
    graph.add(SETPOINT, 2, "/planner_node")
    graph.watch.note()
    graph.add(SETPOINT, 3, "")
    assert graph.watch.newcomer(0.0) == "" and graph.watch.rivals(0.0) == ""
    assert graph.watch.rivals(0.0, perhaps=True), "nobody starts before it is known"
    assert graph.watch.rivals(5.0) == "", "on a busy machine that takes a while"
    assert "without a node" in graph.watch.rivals(0.1 + LEFT_OVER_S)
    assert "without a node" in graph.watch.newcomer(0.0, last_look=True)
    assert "without a node" in graph.watch.newcomer(0.1 + NAMED_WITHIN_S)
    graph.found[SETPOINT] = [Endpoint((2,), ""), Endpoint((3,), "")]
    graph.watch.note()
    graph.found[SETPOINT] = [Endpoint((2,), "/planner_node"), Endpoint((3,), "/my_planner")]
    assert graph.watch.newcomer(1.0) == "", "the same endpoints, named"


def test_the_id_of_a_publisher_that_has_left_may_be_used_again() -> None:
    graph = Graph()
    graph.watch.note()
    graph.add(SETPOINT, 3, "")
    assert graph.watch.newcomer(0.0) == ""
    graph.found[SETPOINT].clear()
    assert graph.watch.newcomer(5.0) == ""
    graph.add(SETPOINT, 3, "")
    assert graph.watch.newcomer(10.0) == "", "its name is on the way"


def test_the_first_to_publish_a_topic_is_welcome_and_the_second_is_not() -> None:
    graph = Graph()
    graph.watch.note()
    graph.add(SETPOINT, 3, "/my_planner")
    assert graph.watch.newcomer(0.0) == ""
    graph.add(SETPOINT, 4, "/intruder")
    assert graph.watch.newcomer(0.1).startswith("/intruder")


def test_a_node_that_leaves_loses_its_name_before_its_endpoint() -> None:
    graph = Graph()
    graph.add(SETPOINT, 2, "/planner_node")
    graph.add(SETPOINT, 3, "/planner_node")
    for process in ("1@lab", "2@lab", "1@lab"):
        graph.peers.hear("planner_node", process, 0.0)
    assert graph.watch.rivals(0.1)
    graph.found[SETPOINT] = [Endpoint((2,), "/planner_node"), Endpoint((3,), "")]
    assert graph.watch.rivals(20.0) == "", "what is left of it is known to be its own"
