"""Whoever waits for nodes reads at once what for and for how long at most."""

from __future__ import annotations

import logging

import pytest

from uav_testgen.core.errors import BackendError
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig


def test_a_graph_that_is_not_there(domain: int, caplog: pytest.LogCaptureFixture) -> None:
    config = GraphConfig(start=False, domain=domain, start_timeout_s=1.0)
    with caplog.at_level(logging.WARNING), pytest.raises(BackendError), GraphBackend(config):
        pass
    assert f"waiting for a graph in ROS domain {domain}, at most 1 s" in caplog.messages
