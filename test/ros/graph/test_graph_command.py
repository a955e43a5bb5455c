"""`uav-testgen graph`, as a user runs it: start, fly from elsewhere, record, Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.ros.backends.client import GraphClient
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig

from .conftest import is_running, left_behind, segments_of
from .scenes import short_scene
from .test_recording import decoded

COMMAND = [sys.executable, "-m", "uav_testgen.cli.main", "graph"]


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_start_fly_and_stop(domain: int, tmp_path: Path, number: signal.Signals) -> None:
    record = tmp_path / "flight.mcap"
    words = ["--composed", "--domain", str(domain), "--with", "recorder_node"]
    words += ["--set", "depth_cloud_node.renderer=analytic", "--set", f"recorder_node.file={record}"]
    process = subprocess.Popen(
        [*COMMAND, *words],
        stdout=subprocess.PIPE,
        text=True,
        # A shell that started the tests in the background has told them to ignore SIGINT.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert process.stdout is not None and "Ctrl-C" in process.stdout.readline()
        with GraphBackend(GraphConfig(start=False, domain=domain)) as backend:
            flight = backend.fly(short_scene(), 0)
        nodes = children(process.pid)
        used = set().union(*map(segments_of, nodes))
        process.send_signal(number)
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    deadline = time.monotonic() + 10.0
    while any(map(is_running, nodes)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in nodes if is_running(pid)]
    assert used and not left_behind(used)
    found = decoded(record)
    assert len(found["flight/step"]) == flight.details["steps"]


def test_a_client_takes_no_name_or_namespace_from_the_command_line(
    domain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program started by launch may carry remaps of its own; they are not meant for the client."""
    remaps = ["--ros-args", "-r", "__ns:=/elsewhere", "-r", "__node:=somebody"]
    monkeypatch.setattr(sys, "argv", [sys.argv[0], *remaps])
    client = GraphClient(domain, "here", {})
    try:
        assert client.node.get_namespace() == "/here"
        assert client.node.get_name() != "somebody"
    finally:
        client.close()


def test_a_wrong_parameter_is_one_line(domain: int) -> None:
    words = ["--composed", "--domain", str(domain), "--set", "depth_cloud_node.renderer=crayon"]
    result = subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=120)
    assert result.returncode == 2
    assert "renderer" in result.stderr and "crayon" in result.stderr
    assert "Traceback" not in result.stderr


def test_wrong_names_cost_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "--without", "planer_node"]) == 2
    assert "did you mean 'planner_node'" in capsys.readouterr().err
    assert main(["graph", "--domain", "1000"]) == 2
    assert main(["replay", "no_such.mcap"]) == 2


def test_replay_refuses_what_is_not_a_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.mcap"
    file.write_bytes(b"no mcap at all")
    assert main(["replay", str(file)]) == 2
    assert "not a readable MCAP" in capsys.readouterr().err
