"""A real Ray cluster of several nodes on this machine, for tests and benchmarks.

Every node is what `ray start` starts on a machine of its own (a raylet with its workers), here on addresses
of the loopback network. Each lives in a session of its own, so that killing the processes of that session is
what losing the machine is. Ray listens on all interfaces: a random token keeps everybody else out.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType

# Reads sessions from the process that started them; when that ends, however it ends, so do they.
_REAPER = """
import sys
from uav_testgen.testing.ray_cluster import kill_session
sessions = [int(line) for line in sys.stdin]
for session in reversed(sessions):
    kill_session(session)
"""
_START_S = 180.0
_START_TRIES = 4
_STORE_BYTES = 100 * 1024 * 1024


def ray_command() -> str | None:
    """The `ray` beside this Python; None where Ray is not installed."""
    beside = Path(sys.executable).parent / "ray"
    return str(beside) if beside.exists() else shutil.which("ray")


class RayCluster:
    """A head and nodes; everything is gone after `with`. A node is known by its session."""

    def __init__(self, head_processors: int = 0, nodes: int = 0, processors: int = 1) -> None:
        self._command = ray_command()
        self._head_processors = head_processors
        self._first_nodes = nodes
        self._processors = processors
        # Ray puts sockets there, whose names may not be longer than about a hundred characters.
        self._folder = Path(tempfile.mkdtemp(prefix="ray-"))
        self._sessions: list[int] = []
        self._before: dict[str, str | None] = {}
        self._reaper: subprocess.Popen[str] | None = None
        self.nodes: list[int] = []
        self.address = ""

    def __enter__(self) -> RayCluster:
        if self._command is None:
            raise RuntimeError("Ray is not installed; install it with: pip install 'uav_testgen[ray]'")
        self._set_environment()
        self._reaper = subprocess.Popen(
            [sys.executable, "-c", _REAPER], stdin=subprocess.PIPE, text=True, start_new_session=True
        )
        host, port = "127.0.0.2", _free_port()
        self.address = f"{host}:{port}"
        try:
            self._start(
                ["--head", "--port", str(port), "--include-dashboard=false", "--no-monitor",
                 "--temp-dir", str(self._folder), "--node-ip-address", host,
                 "--num-cpus", str(self._head_processors)]
            )  # fmt: skip
            self.add_nodes(self._first_nodes)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add_nodes(self, count: int) -> list[int]:
        """More machines."""
        added = []
        for _ in range(count):
            host = f"127.0.0.{2 + len(self._sessions)}"
            words = ["--address", self.address, "--node-ip-address", host]
            added.append(self._start([*words, "--num-cpus", str(self._processors)]))
        self.nodes += added
        return added

    def kill_node(self, node: int) -> None:
        """Lose a machine: every process of it at once, without a word."""
        kill_session(node)
        self.nodes.remove(node)

    def close(self) -> None:
        """End everything that was started here."""
        for session in reversed(self._sessions):
            kill_session(session)
        self._sessions, self.nodes = [], []
        if self._reaper is not None:
            self._reaper.communicate()
            self._reaper = None
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        shutil.rmtree(self._folder, ignore_errors=True)

    def _remember(self, session: int) -> None:
        self._sessions.append(session)
        assert self._reaper is not None and self._reaper.stdin is not None
        self._reaper.stdin.write(f"{session}\n")
        self._reaper.stdin.flush()

    def _set_environment(self) -> None:
        """For the nodes and for every driver started from here."""
        wanted = {
            "RAY_AUTH_MODE": "token",
            # Ray reads its token once per process, so all clusters started from here share one.
            "RAY_AUTH_TOKEN": os.environ.get("RAY_AUTH_TOKEN") or secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
            # Workers are as important as everything else here; Ray would let all others go first.
            "RAY_worker_niceness": "0",
        }
        self._before = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)

    def _start(self, words: list[str]) -> int:
        """Start a node; `ray start` returns when it has joined, and gives up after 30 s on a busy machine."""
        assert self._command is not None
        common = ["--disable-usage-stats", "--include-log-monitor=false",
                  "--object-store-memory", str(_STORE_BYTES)]  # fmt: skip
        text = ""
        for _ in range(_START_TRIES):
            process = subprocess.Popen(
                [self._command, "start", *words, *common],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                text=True,
            )
            self._remember(process.pid)
            # Not communicate(): the node inherits the pipe and holds it open as long as it lives.
            if process.wait(timeout=_START_S) == 0:
                return process.pid
            kill_session(process.pid)
            text, _ = process.communicate()
        raise RuntimeError(f"a Ray node did not start: {text[-2000:]}")


def kill_session(session: int) -> None:
    """SIGKILL to every process of a session, until none is left."""
    while members := session_members(session):
        for pid in members:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.02)


def session_members(session: int) -> list[int]:
    """Living processes of a session, from /proc."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry))
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.2", 0))
        return int(probe.getsockname()[1])
