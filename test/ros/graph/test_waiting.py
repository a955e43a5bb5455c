"""Whoever waits for nodes reads at once what for and for how long at most."""

from __future__ import annotations

import logging
import time

import pytest
from nav_msgs.msg import Odometry
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.errors import BackendError
from uav_testgen.flight.model import Ending
from uav_testgen.ros import topics
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig
from uav_testgen.ros.qos import LOCK_STEP
from uav_testgen.scenario.model import Scenario

from .conftest import ANALYTIC
from .scenes import box, mission


def test_a_graph_that_is_not_there(domain: int, caplog: pytest.LogCaptureFixture) -> None:
    config = GraphConfig(start=False, domain=domain, start_timeout_s=1.0)
    with caplog.at_level(logging.WARNING), pytest.raises(BackendError), GraphBackend(config):
        pass
    assert f"waiting for a graph in ROS domain {domain}, at most 1 s" in caplog.messages


def test_a_director_whose_signs_of_life_lie_unread_is_not_silent(domain: int) -> None:
    """Whoever listens to more than it can handle (images, a recorder) gets round to them late."""
    scene = Scenario(mission=mission((120.0, 0.0, 6.0)), obstacles=(box(12.0, 0.6),))
    config = GraphConfig(domain=domain, settings=ANALYTIC, silence_timeout_s=4.0)
    with GraphBackend(config) as backend:
        assert backend.client is not None
        for topic, kind in ((topics.ODOMETRY, Odometry), (topics.FLIGHT_STEP, FlightStep)) * 2:
            backend.client.node.create_subscription(kind, topic, lambda _: time.sleep(0.4), LOCK_STEP)
        assert backend.fly(scene, 0).ending is Ending.GOAL_REACHED
