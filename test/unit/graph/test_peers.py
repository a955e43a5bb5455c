from __future__ import annotations

from uav_testgen.graph.peers import FORGET_S, TWICE_S, Peers, peer_key


def test_whoever_speaks_is_heard_until_long_silent() -> None:
    peers = Peers()
    assert peers.hear("planner_node", "1@lab", 0.0)
    assert not peers.hear("planner_node", "1@lab", 1.0), "only the first time is news"
    assert peers.heard(2.0) == [peer_key("planner_node", "1@lab")]
    assert peers.heard(1.1 + FORGET_S) == []
    assert peers.process("planner_node") == "1@lab" and peers.process("oracle_node") == ""


def test_a_restarted_node_is_news_and_not_two_nodes() -> None:
    peers = Peers()
    for tick in range(5):
        peers.hear("planner_node", "1@lab", 0.5 * tick)
    assert peers.hear("planner_node", "2@lab", 3.0)
    peers.hear("planner_node", "2@lab", 3.5)
    assert peers.twice(3.5) == {}
    assert peers.process("planner_node") == "2@lab"


def test_two_processes_under_one_name_are_seen_when_the_first_speaks_again() -> None:
    peers = Peers()
    peers.hear("planner_node", "1@lab", 0.0)
    peers.hear("planner_node", "2@lab", 0.2)
    peers.hear("oracle_node", "1@lab", 0.2)
    assert peers.twice(0.2) == {}
    peers.hear("planner_node", "1@lab", 0.5)
    assert set(peers.twice(0.6)["planner_node"]) == {"1@lab", "2@lab"}
    assert "oracle_node" not in peers.twice(0.6)
    for tick in range(1, 20):
        peers.hear("planner_node", "1@lab", 0.5 + 0.5 * tick)
    assert peers.twice(0.6 + TWICE_S) == {}, "one of them was ended"


def test_of_two_processes_one_is_left_when_the_other_has_ended() -> None:
    gone: set[str] = set()
    peers = Peers(ended=gone.__contains__)
    for process in ("1@lab", "2@lab", "1@lab"):
        peers.hear("planner_node", process, 0.0)
    assert "planner_node" in peers.twice(0.1)
    gone.add("2@lab")
    assert peers.twice(0.1) == {}
