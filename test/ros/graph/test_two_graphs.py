"""Two graphs on one machine, in one domain, apart by their namespaces."""

from __future__ import annotations

import threading

from uav_testgen.flight.model import Flight
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig

from .conftest import ANALYTIC
from .scenes import TEN_SCENES


def test_they_do_not_disturb_each_other(composed: GraphBackend) -> None:
    scenes = {"one": TEN_SCENES["two boxes"], "two": TEN_SCENES["crossing"]}
    alone = {name: composed.fly(scenario, 0) for name, scenario in scenes.items()}
    together: dict[str, list[Flight]] = {"one": [], "two": []}
    config = GraphConfig(settings=ANALYTIC, domain=composed.domain, namespace="second/graph")

    def fly(backend: GraphBackend, name: str) -> None:
        together[name] = [backend.fly(scenes[name], 0) for _ in range(3)]

    with GraphBackend(config) as second:
        threads = [
            threading.Thread(target=fly, args=(composed, "one")),
            threading.Thread(target=fly, args=(second, "two")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120.0)
    for name, flights in together.items():
        assert len(flights) == 3, name
        for flight in flights:
            expected = alone[name].trajectory.position_enu_m
            assert (flight.trajectory.position_enu_m == expected).all(), name
