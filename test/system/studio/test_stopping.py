"""Ctrl-C ends the studio the way it says it does, also while a page waits for a flight."""

from __future__ import annotations

import signal
import threading
import urllib.error
import urllib.request
from pathlib import Path

from test.system.studio.conftest import RunningStudio
from uav_testgen.testing.commands import wait_until


def test_it_ends_without_a_traceback_and_tells_those_who_wait(tmp_path: Path) -> None:
    running = RunningStudio(tmp_path / "folder")
    answers: list[int] = []

    def wait_for_a_flight() -> None:
        address = f"http://127.0.0.1:{running.port}/api/gallery/hovers/prediction"
        request = urllib.request.Request(address, headers={"X-Studio-Token": running.token})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                answers.append(answer.status)
        except urllib.error.HTTPError as error:
            answers.append(error.code)

    waiting = threading.Thread(target=wait_for_a_flight, daemon=True)
    try:
        running.start()
        # Workers are not warm yet, so the request waits.
        waiting.start()
        wait_until(lambda: "warm" in running.ask("/api/latency"), "an answering server")
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(60) == 0
        waiting.join(20)
    finally:
        running.stop()
    said = running.log.read_text()
    assert "the studio is stopped" in said and "Traceback" not in said and "ERROR" not in said
    assert answers == [409]
