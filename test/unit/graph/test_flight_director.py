from __future__ import annotations

from uav_testgen.ros.flight_director import DirectorConfig, FlightDirector, Phase

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
            one.status(node, 7, True, "", steps.get(node, step), now_s)


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
        one.status(node, 6, True, "", -1, 0.1)
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
    one.status("planner_node", 6, True, "", -1, 0.0)
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
    one.status("planner_node", 6, True, "", -1, 1.0)
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


def test_an_external_part_is_blamed_when_its_answer_is_missing() -> None:
    one = FlightDirector(("depth_cloud_node", "vehicle_node", "oracle_node"), config=CONFIG)
    one.begin(7, 0.0)
    for now_s in (0.1, 3.2):
        for node in ("depth_cloud_node", "vehicle_node", "oracle_node"):
            one.status(node, 7, True, "", 0, now_s)
        one.check(now_s)
    one.check(4.0)
    assert "planner_node (or whatever replaces it)" in one.problem


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
    one.status("vehicle_node", 7, False, "unknown vehicle 'x'", -1, 0.3)
    assert one.phase is Phase.FAILED and one.problem == "vehicle_node: unknown vehicle 'x'"
