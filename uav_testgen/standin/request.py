"""What a program asks to be flown: an Aerialist test, from a file or from the options of `aerialist exec`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import ConfigError
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.aerialist import AerialistTest, is_aerialist, parse_test
from uav_testgen.scenario.formats.aerialist_schema import FLAT_FIELDS
from uav_testgen.scenario.formats.plan_file import SITL_HOME, GeoPoint
from uav_testgen.scenario.model import Scenario

_OBSTACLES = ("obstacle", "obstacle2", "obstacle3", "obstacle4")


@dataclass(frozen=True, slots=True)
class Request:
    """A test to be flown once, and the time limit of its simulation."""

    test: AerialistTest
    timeout_s: float | None
    parameters: dict[str, float]
    home: GeoPoint

    @property
    def scenario(self) -> Scenario:
        """What is flown."""
        return self.test.scenario


def read_request(path: Path, environment: Mapping[str, str], arena: Arena | None = None) -> Request:
    """The request in a test file; errors name the file and the field."""
    return make_request(path, read_yaml(path), environment, arena)


def make_request(
    path: Path, data: Any, environment: Mapping[str, str], arena: Arena | None = None
) -> Request:
    """The request in an already parsed test file.

    The time limit is the test's own, else SIMULATION_TIMEOUT; without either the simulation runs to its end.
    """
    if is_aerialist(data):
        # Which agent flew it and what it was compared with does not change the flight.
        data = {key: value for key, value in data.items() if key not in ("agent", "assertion")}
    test = parse_test(path, data, arena)
    simulation = test.document.get("simulation") or {}
    limit = simulation.get("timeout")
    if not isinstance(limit, (int, float)) or limit <= 0:
        limit = _number(environment.get("SIMULATION_TIMEOUT"))
    parameters = (test.document.get("robot") or {}).get("params") or {}
    home = simulation.get("home_position")
    return Request(
        test=test,
        timeout_s=float(limit) if limit is not None and limit > 0 else None,
        parameters={
            str(name)[:16]: value
            for name, value in parameters.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**31
        },
        home=(float(home[0]), float(home[1]), float(home[2])) if home else SITL_HOME,
    )


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"aerialist exec: {message}")


def exec_document(words: Sequence[str]) -> tuple[str | None, dict[str, Any]]:
    """(test file, or None and a test document) from the words after `aerialist exec`."""
    parser = _Options(prog="aerialist exec", add_help=False)
    for name in (
        "--test",
        "--mission",
        "--params",
        "--simulator",
        "--commands",
        "--log",
        "--agent",
        "--path",
        "--id",
    ):
        parser.add_argument(name)
    parser.add_argument("--robot", "--drone", dest="robot")
    parser.add_argument("-n", type=int)
    parser.add_argument("--headless", action="store_true")
    parser.add_argument("--speed", type=float)
    parser.add_argument("--home", nargs=3, type=float)
    for name in _OBSTACLES:
        parser.add_argument(f"--{name}", nargs=len(FLAT_FIELDS), type=float, default=[])
    given, _ = parser.parse_known_args(list(words))
    if given.test is not None:
        return given.test, {}
    robot = {"port": given.robot, "params_file": given.params, "mission_file": given.mission}
    simulation: dict[str, Any] = {
        "simulator": given.simulator,
        "obstacles": [number for name in _OBSTACLES for number in getattr(given, name)],
        "home_position": given.home,
    }
    document = {"robot": _present(robot), "simulation": _present(simulation)}
    if given.commands is not None:
        document["mission"] = {"commands_file": given.commands}
    return None, document


def _present(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
