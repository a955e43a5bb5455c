from __future__ import annotations

from uav_testgen.graph.peers import peer_key
from uav_testgen.ros.flight_director import DirectorConfig, FlightDirector, Heard, Phase, Surroundings

NODES = ("depth_cloud_node", "planner_node", "vehicle_node", "oracle_node")
CONFIG = DirectorConfig(
    start_timeout_s=20, join_timeout_s=10, prepare_timeout_s=60, silence_timeout_s=3, step_timeout_s=3
)


def director(**options) -> FlightDirector:
    return FlightDirector(NODES, config=CONFIG, **options)


def alive(
    one: FlightDirector, now_s: float, *, but: tuple[str, ...] = (), step: int = -1, **steps: int
) -> None:
    for node in NODES:
        if node not in but:
            one.status(node, Heard(now_s, 7, True, step=steps.get(node, step)))


def flying(one: FlightDirector) -> FlightDirector:
    one.begin(7, 0.0)
    alive(one, 0.1)
    assert one.check(0.2)
    assert one.phase is Phase.FLYING
    return one


def test_starts_once_when_all_are_ready() -> None:
    one = director()
    one.begin(7, 0.0)
    assert not one.check(0.1)
    alive(one, 0.2, but=("oracle_node",))
    assert not one.check(0.3)
    alive(one, 0.4)
    assert one.check(0.5)
    assert not one.check(0.6)


def test_readiness_for_another_flight_does_not_count() -> None:
    one = director()
    one.begin(7, 0.0)
    for node in NODES:
        one.status(node, Heard(0.1, 6, True))
    assert not one.check(0.2)


def test_a_node_that_never_answers_is_named() -> None:
    one = director()
    one.begin(7, 0.0)
    alive(one, 1.0, but=("planner_node",))
    one.check(19.0)
    assert one.phase is Phase.PREPARING
    assert one.long_missed(2.0) == [] and one.long_missed(19.0) == ["planner_node"]
    one.check(21.0)
    assert one.phase is Phase.FAILED and "planner_node" in one.problem
    assert not any(node in one.problem for node in NODES if node != "planner_node")


def test_a_node_that_has_gone_is_missed_sooner_than_one_that_may_be_compiling() -> None:
    one = director()
    one.status("planner_node", Heard(0.0, 6, True))
    one.begin(7, 5.0)
    alive(one, 6.0, but=("planner_node",))
    one.check(14.0)
    assert one.phase is Phase.PREPARING
    one.check(16.0)
    assert one.phase is Phase.FAILED and "planner_node" in one.problem


def test_a_node_heard_but_slow_gets_more_time() -> None:
    one = director()
    one.begin(7, 0.0)
    alive(one, 1.0, but=("planner_node",))
    one.status("planner_node", Heard(1.0, 6, True))
    one.check(30.0)
    assert one.phase is Phase.PREPARING
    one.check(61.0)
    assert one.phase is Phase.FAILED and "planner_node did not get ready" in one.problem


def test_each_dead_node_is_named() -> None:
    for victim in NODES:
        one = flying(director())
        for tick in range(1, 45):
            alive(one, 0.1 * tick, but=(victim,), step=tick)
            one.stepped(7, tick, 0.1 * tick)
            one.check(0.1 * tick)
        assert one.phase is Phase.FAILED, victim
        assert victim in one.problem and "no sign of life" in one.problem


def test_a_silent_but_living_node_is_found_by_the_data() -> None:
    one = flying(director())
    one.stepped(7, 5, 1.0)
    for tick in range(10, 45):
        alive(one, 0.1 * tick, vehicle_node=5, depth_cloud_node=5, planner_node=4)
        one.stepped(7, 5, 0.1 * tick)  # announced again and again
        one.check(0.1 * tick)
    assert one.problem.startswith("planner_node: no answer for step 5")


def test_a_vehicle_that_lives_has_time_to_begin_the_flight() -> None:
    one = flying(director())
    for tick in range(1, 200):
        alive(one, 0.1 * tick)
        one.check(0.1 * tick)
        if 0.1 * tick < CONFIG.join_timeout_s:
            assert one.phase is Phase.FLYING, "the order to start is repeated until it is obeyed"
    assert one.problem.startswith("vehicle_node did not begin the flight within 10.")


def test_an_external_part_is_blamed_when_its_answer_is_missing() -> None:
    inside = ("depth_cloud_node", "vehicle_node", "oracle_node")
    one = FlightDirector(inside, config=CONFIG)
    one.begin(7, 0.0)
    for tick in range(1, 200):
        for node in inside:
            one.status(node, Heard(0.1 * tick, 7, True, step=0))
        one.check(0.1 * tick)
        one.stepped(7, 0, 0.1 * tick)
        if 0.1 * tick < CONFIG.join_timeout_s:
            assert one.phase is Phase.FLYING, "it may still be connecting: it cannot say whom it hears"
    assert "planner_node (or whatever replaces it): no answer for step 0" in one.problem


def test_an_external_part_that_has_answered_once_has_no_more_time_than_others() -> None:
    inside = ("depth_cloud_node", "vehicle_node", "oracle_node")
    one = FlightDirector(inside, config=CONFIG)
    one.begin(7, 0.0)
    for tick in range(1, 40):
        for node in inside:
            one.status(node, Heard(0.1 * tick, 7, True, step=1))
        one.check(0.1 * tick)
        one.stepped(7, 1, 0.1 * tick)
    assert "planner_node (or whatever replaces it): no answer for step 1" in one.problem


def test_a_missing_verdict_is_the_oracles_fault() -> None:
    one = flying(director())
    one.landed(7, 1.0)
    for tick in range(10, 45):
        alive(one, 0.1 * tick)
        one.check(0.1 * tick)
    assert "oracle_node gave no verdict" in one.problem


def test_a_good_flight_ends_and_the_next_can_begin() -> None:
    one = flying(director())
    one.landed(7, 1.0)
    one.judged(7)
    assert one.phase is Phase.DONE and not one.active
    one.begin(8, 2.0)
    assert one.phase is Phase.PREPARING and one.step == -1


def test_a_failure_reported_by_a_node_ends_the_flight_at_once() -> None:
    one = flying(director())
    one.status("vehicle_node", Heard(0.3, 7, failed="unknown vehicle 'x'"))
    assert one.phase is Phase.FAILED and one.problem == "vehicle_node: unknown vehicle 'x'"


def connected(
    one: FlightDirector, now_s: float, *, processes: dict[str, str], deaf: str = "", to: str = ""
) -> None:
    """Everybody is ready and hears all the others; only `deaf` does not hear `to`."""
    everybody = {**processes, "scenario_node": one.process}
    for node in NODES:
        hears = {
            peer_key(other, process) for other, process in everybody.items() if (node, other) != (deaf, to)
        }
        one.status(node, Heard(now_s, 7, True, process=processes[node], hears=hears))


def test_nobody_flies_before_every_node_hears_every_other_one() -> None:
    processes = {node: f"{number}@lab" for number, node in enumerate(NODES)}
    for deaf in NODES:
        for mute in (*NODES, "scenario_node"):
            if mute == deaf:
                continue
            one = director(process="99@lab")
            one.begin(7, 0.0)
            connected(one, 0.1, processes=processes, deaf=deaf, to=mute)
            assert not one.check(0.2), f"{deaf} would miss what {mute} says"
            assert one.long_missed(6.0) == [f"{deaf} to hear {mute}"]
            connected(one, 6.1, processes=processes)
            assert one.check(6.2)


def test_a_restarted_node_must_be_heard_anew() -> None:
    processes = {node: f"{number}@lab" for number, node in enumerate(NODES)}
    one = director(process="99@lab")
    one.begin(7, 0.0)
    connected(one, 0.1, processes=processes)
    everybody = {**processes, "scenario_node": one.process}
    hears_all = {peer_key(node, process) for node, process in everybody.items()}
    one.status("oracle_node", Heard(0.2, 7, True, process="100@lab", hears=hears_all))
    assert not one.check(0.3), "the others hear a process that is gone"


def test_blocked_discovery_is_named() -> None:
    processes = {node: f"{number}@lab" for number, node in enumerate(NODES)}
    one = director(process="99@lab")
    one.begin(7, 0.0)
    for tick in range(1, 120):
        connected(one, 0.1 * tick, processes=processes, deaf="oracle_node", to="vehicle_node")
        one.check(0.1 * tick)
    assert "oracle_node does not hear vehicle_node" in one.problem


def test_a_node_whose_process_is_gone_is_named_at_once_and_alone() -> None:
    one = flying(director())
    one.stepped(7, 5, 0.4)
    one.check(0.5, Surroundings(ended=("planner_node", "a node of somebody else")))
    assert one.problem == "planner_node ended in the middle of the flight, at step 5"


def test_after_the_flight_only_the_oracle_is_needed() -> None:
    one = flying(director())
    one.landed(7, 1.0)
    one.check(1.1, Surroundings(ended=("planner_node",)))
    assert one.phase is Phase.JUDGING
    one.check(1.2, Surroundings(ended=("oracle_node",)))
    assert "oracle_node ended" in one.problem


def test_a_flight_does_not_begin_while_a_topic_may_have_two_publishers() -> None:
    one = director()
    one.begin(7, 0.0)
    alive(one, 0.1)
    assert not one.check(0.2, Surroundings(crowded=True))
    assert one.check(0.3)


def test_a_part_from_outside_that_nobody_has_started_is_not_waited_for() -> None:
    inside = ("depth_cloud_node", "vehicle_node", "oracle_node")
    one = FlightDirector(inside, config=CONFIG)
    one.begin(7, 0.0)
    for tick in range(1, 40):
        for node in inside:
            one.status(node, Heard(0.1 * tick, 7, True, step=0))
        one.check(0.1 * tick, Surroundings(unspoken=("planner/setpoint",)))
    assert one.problem.startswith("planner_node (or whatever replaces it)")
    assert one.problem.endswith("nobody publishes planner/setpoint")
