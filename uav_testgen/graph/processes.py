"""Starts the nodes of a graph as processes, watches them, and ends them without leftovers."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from uav_testgen.core.own_python import module_words
from uav_testgen.graph.description import GraphPlan, NodePlan
from uav_testgen.graph.environment import PARENT_VARIABLE, settings_over
from uav_testgen.graph.process_identity import has_ended_here
from uav_testgen.graph.shared_memory import remove_stale_segments

_log = logging.getLogger(__name__)

COMPOSED = "composed"
_PATIENCE_S = {signal.SIGINT: 5.0, signal.SIGTERM: 3.0, signal.SIGKILL: 2.0}
_DYING_S = 5.0
_THREAD_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class GraphProcesses:
    """The running graph. Each node is a process; composed, all nodes share one."""

    def __init__(
        self,
        plan: GraphPlan,
        *,
        composed: bool = False,
        domain: int | None = None,
        logs: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.plan = plan
        self.composed = composed
        self._logs = logs
        self._environment = {
            **os.environ,
            **settings_over(os.environ, plan.transport, domain),
            # Many small processes in lock-step: one waits for the other, idle threads only get in the way.
            **dict.fromkeys(_THREAD_LIMITS, "1"),
            PARENT_VARIABLE: str(os.getpid()),
            **(environment or {}),
        }
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> GraphProcesses:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start everything that does not run."""
        if self.composed:
            self.start_one(COMPOSED)
        else:
            for node in self.plan.nodes:
                self.start_one(node.name)

    def start_one(self, name: str) -> None:
        """Start one node (again)."""
        if name in self._running and _exit_code(self._running[name]) is None:
            return
        remove_stale_segments()
        output = (self._logs / f"{name}.log").open("ab") if self._logs else None
        try:
            self._running[name] = subprocess.Popen(
                self._command(name),
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if output else None,
                # Ctrl-C in the terminal reaches us only; we end the nodes in order.
                start_new_session=True,
            )
        finally:
            if output:
                output.close()

    def pid(self, name: str) -> int:
        """Process id of a node."""
        return self._running[COMPOSED if self.composed else name].pid

    def dead(self) -> dict[str, int]:
        """Nodes that ended by themselves, with their exit codes."""
        codes = {name: _exit_code(process) for name, process in self._running.items()}
        return {name: code for name, code in codes.items() if code is not None}

    def last_words(self, name: str, lines: int = 3) -> str:
        """End of a node's log, for error messages."""
        if self._logs is None:
            return ""
        with contextlib.suppress(OSError):
            text = (self._logs / f"{name}.log").read_text(encoding="utf-8", errors="replace")
            return " | ".join(text.strip().splitlines()[-lines:])
        return ""

    def log_length(self, name: str) -> int:
        """Bytes that a node has written so far."""
        file = self._logs / f"{name}.log" if self._logs else None
        return file.stat().st_size if file is not None and file.exists() else 0

    def log_since(self, name: str, start: int) -> str:
        """What a node has written after so many bytes."""
        file = self._logs / f"{name}.log" if self._logs else None
        if file is None or not file.exists():
            return ""
        return file.read_bytes()[start:].decode("utf-8", errors="replace")

    def stop(self) -> None:
        """SIGINT, then SIGTERM, then SIGKILL; at the end nothing is left, in /dev/shm neither."""
        for number, patience_s in _PATIENCE_S.items():
            alive = [process for process in self._running.values() if process.poll() is None]
            for process in alive:
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(number)
            deadline = time.monotonic() + patience_s
            for process in alive:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.0, deadline - time.monotonic()))
            if number is signal.SIGTERM and any(process.poll() is None for process in alive):
                _log.warning("some nodes did not end in time and are killed")
        self._running.clear()
        remove_stale_segments()

    def _command(self, name: str) -> list[str]:
        if name == COMPOSED:
            return module_words("uav_testgen.ros.composed", composed_plan(self.plan))
        module = f"uav_testgen.ros.nodes.{name}"
        return module_words(module, *self.plan.node(name).ros_arguments())


def composed_plan(plan: GraphPlan) -> str:
    """The nodes of a graph as the program reads them that runs all of them."""
    return json.dumps([_as_json(node) for node in plan.nodes])


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    """None while it runs. A killed process whose threads are still dying is waited for: it runs no more."""
    if process.poll() is None and has_ended_here(process.pid):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_DYING_S)
    return process.poll()


def _as_json(node: NodePlan) -> dict[str, object]:
    return {
        "name": node.name,
        "namespace": node.namespace,
        "parameters": dict(node.parameters),
        "remappings": [list(pair) for pair in node.remappings],
    }
