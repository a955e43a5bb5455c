"""A campaign beside a running graph: the commands, one after the other, and their exit code."""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from launch.actions import EmitEvent, ExecuteProcess
from launch.events import Shutdown
from launch.substitutions import LaunchConfiguration

from uav_testgen.graph.foreign_planner import NAMESPACE, PLANNER


def campaign_actions(context: Any) -> list[Any]:
    """Search with the compiled simulator, then fly the best tests again through the graph of this launch."""

    def value(name: str) -> str:
        return str(LaunchConfiguration(name).perform(context))

    settings = _settings_file(value)
    search = ["uav-testgen", "campaign", value("campaign"), "--out", value("out"), "--resume"]
    confirm = ["uav-testgen", "confirm", value("out"), "--backend", "graph"]
    confirm += ["--settings", str(settings), "--tests", value("tests")]

    def finished(event: Any, _context: Any) -> list[Any]:
        settings.unlink(missing_ok=True)
        leave_with(event.returncode)
        return [EmitEvent(event=Shutdown(reason="campaign finished"))]

    def searched(event: Any, context: Any) -> list[Any]:
        return finished(event, context) if event.returncode else [_process(confirm, finished)]

    return [_process(search, searched)]


def _process(words: list[str], on_exit: Callable[[Any, Any], list[Any]]) -> ExecuteProcess:
    return ExecuteProcess(cmd=words, output="screen", on_exit=on_exit)


def _settings_file(value: Callable[[str], str]) -> Path:
    """Settings of the `graph` backend: the nodes of this launch, not others of its own."""
    settings = {"start": False, "namespace": value("namespace")}
    if value("profile"):  # another planner flies here: what it says checks nothing
        parts = {name: value(name) for name in ("system", "vehicle", "camera", "profile") if value(name)}
        settings |= {**parts, "planner": PLANNER, "namespace": value("namespace") or NAMESPACE}
    handle, name = tempfile.mkstemp(prefix="uav_testgen_graph_", suffix=".yaml")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        yaml.safe_dump(settings, file)
    return Path(name)


def leave_with(code: int) -> None:
    """`ros2 launch` ends with 0 whatever its processes return: let this process end with their code."""
    if code:
        atexit.register(_exit, code if code > 0 else 128 - code)


def _exit(code: int) -> None:
    """Called last, when launch has taken everything down."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
