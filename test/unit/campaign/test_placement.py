"""Where flights are computed: options that do not go together, and clusters that are not there."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan

pytest.importorskip("ray")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jobs": 2, "address": "head:6379"}, "together with --executor ray"),
        ({"jobs": 0, "place": "ray"}, "--jobs 0"),
        ({"jobs": None}, "number of jobs"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Placement(**options)


@pytest.mark.parametrize("address", ["head", "head:", "head:99999", "ray://head:10001", ":6379"])
def test_an_address_that_is_none(address: str) -> None:
    with (
        pytest.raises(ConfigError, match="HOST:PORT"),
        make_executor(WorkerPlan("still"), Placement(1, "ray", address)),
    ):
        pass


def test_nobody_at_the_address_is_said_at_once() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    with (
        pytest.raises(BackendError, match=rf"{address}: nobody answers there"),
        make_executor(WorkerPlan("still"), Placement(1, "ray", address)),
    ):
        pass
