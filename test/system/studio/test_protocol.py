"""What the page says to the server and what it gets, without a browser."""

from __future__ import annotations

import json
import os
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from test.system.studio.conftest import RunningStudio
from uav_testgen.api import predict
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.commands import wait_until
from uav_testgen.work.store import Record, encode


@contextmanager
def live(studio: RunningStudio, token: str | None = None, **options: Any) -> Iterator[ClientConnection]:
    given = studio.token if token is None else token
    with connect(f"ws://127.0.0.1:{studio.port}/live?token={given}", **options) as socket:
        assert json.loads(socket.recv(timeout=10))["type"] == "hello"
        yield socket


def answers(socket: ClientConnection, number: int, last: str) -> list[dict[str, Any]]:
    """Messages about one scene up to the last kind (or an error)."""
    found: list[dict[str, Any]] = []
    while not found or found[-1]["type"] not in (last, "error"):
        message = json.loads(socket.recv(timeout=100))
        if message.get("id") == number:
            found.append(message)
    return found


@pytest.fixture
def scene(studio: RunningStudio) -> dict[str, Any]:
    found: dict[str, Any] = studio.ask("/api/start")["scene"]
    return found


def test_a_scene_is_answered_with_the_prediction_every_door_gives(
    studio: RunningStudio, scene: dict[str, Any]
) -> None:
    with live(studio) as socket:
        socket.send(json.dumps({"type": "scene", "id": 1, "scene": scene, "runs": 2}))
        found = answers(socket, 1, "prediction")
    assert [message["type"] for message in found] == ["problems", "path", "ghost", "ghost", "prediction"]
    expected = predict(Scenario.model_validate(scene), runs=2).to_json()
    given = found[-1]["prediction"]
    assert {key: given[key] for key in expected} == json.loads(json.dumps(expected))
    path = found[1]["path"]
    assert len(path["t"]) == len(path["d"]) == len(path["speed"]) > 100
    assert [one["met"] for one in path["requirements"]] == [True, True, True]


def test_the_newest_scene_wins_and_stale_flights_are_stopped(
    studio: RunningStudio, scene: dict[str, Any]
) -> None:
    with live(studio) as socket:
        for number in range(20):
            scene["obstacles"][0]["center_enu_m"][1] = -3.0 - 0.05 * number
            socket.send(json.dumps({"type": "scene", "id": number, "scene": scene, "settled": False}))
        found = answers(socket, 19, "path")
        socket.send(json.dumps({"type": "scene", "id": 20, "scene": scene, "runs": 2}))
        whole = answers(socket, 20, "path")[-1]["path"]
    # How far a preview comes depends on the machine; that it is the flight of the newest scene does not.
    shown = found[-1]["path"]
    assert len(shown["t"]) > 10 and whole["ending"] == "goal_reached"
    for name in ("t", "x", "y", "z"):
        assert shown[name][:-1] == whole[name][: len(shown[name]) - 1]


def test_wrong_messages_are_answered_and_the_session_goes_on(
    studio: RunningStudio, scene: dict[str, Any]
) -> None:
    bad_scene = {**scene, "obstacles": [{"size_m": [1, 1, 1]}]}
    wrong = [
        "no json", "[]", '{"type": "surprise"}', '{"type": "scene", "id": "x"}', "[" * 5000,
        json.dumps({"type": "scene", "id": 1, "scene": bad_scene}),
        json.dumps({"type": "scene", "id": 1, "scene": scene, "system": {"planner": "evil.py:Planner"}}),
        json.dumps({"type": "scene", "id": 1, "scene": scene, "runs": 10**9}),
    ]  # fmt: skip
    with live(studio) as socket:
        for text in wrong:
            socket.send(text)
            message = json.loads(socket.recv(timeout=10))
            assert message["type"] == "error" and message["message"], text
        socket.send(json.dumps({"type": "scene", "id": 2, "scene": scene, "settled": False}))
        assert answers(socket, 2, "path")[-1]["type"] == "path"


def test_broken_rules_come_with_their_sentences(studio: RunningStudio, scene: dict[str, Any]) -> None:
    scene["obstacles"][0]["center_enu_m"] = [5.0, 0.0, 10.0]
    with live(studio) as socket:
        socket.send(json.dumps({"type": "scene", "id": 1, "scene": scene, "settled": False}))
        found = answers(socket, 1, "path")
    (problem,) = [one for one in found[0]["problems"] if one["rule"] == "contained"]
    assert problem["obstacle"] == 0
    assert "west border" in problem["message"] and problem["way_out"]


def test_foreign_pages_are_refused(studio: RunningStudio) -> None:
    for options in ({"origin": "http://evil.example"}, {"additional_headers": {"Host": "evil.example"}}):
        with pytest.raises(InvalidStatus), live(studio, **options):
            pass
    with pytest.raises(InvalidStatus), live(studio, "wrong"):
        pass
    assert studio.ask("/api/files", Host="evil.example")[0] == 421
    assert studio.ask("/api/files", X_Studio_Token="wrong")[0] == 403


def test_files_stay_in_the_folder(studio: RunningStudio, scene: dict[str, Any]) -> None:
    saved = studio.ask("/api/save", {"path": "wire.yaml", "scene": scene})
    assert studio.ask("/api/scene?path=wire.yaml")["stamp"] == saved["stamp"]
    assert studio.ask("/api/save", {"path": "wire.yaml", "scene": scene})[0] == 409
    for path in ("../x.yaml", "/etc/passwd", ".studio/token"):
        status, text = studio.ask(f"/api/scene?path={path}")
        assert status == 400 and "outside" in text
    assert studio.ask("/api/parse?name=a.yaml", b"not: a scene")[0] == 400
    assert studio.ask("/file/0000/wire.yaml")[0] == 403


def test_a_recording_shows_what_the_planner_saw(studio: RunningStudio, scene: dict[str, Any]) -> None:
    found = studio.ask("/api/record", {"scene": scene})
    assert found["count"] > 600
    moment = studio.ask(f"/api/record/{found['key']}/200")
    assert (len(moment["depth"]), len(moment["depth"][0])) == (48, 64)
    assert len(moment["points"]) > 0 and moment["planned"]
    assert (len(moment["costs"]), len(moment["costs"][0])) == (30, 60)
    assert len(moment["tree"]) == len(moment["parents"]) > 1
    costs = [one["cost"] for one in moment["candidates"]]
    assert costs == sorted(costs)
    assert moment["chosen"]["cost"] < moment["to_goal"]["cost"], "why it turned"
    assert moment["to_goal"]["obstacles"] > moment["chosen"]["obstacles"]
    assert studio.ask(f"/api/record/{found['key']}/999999")[0] == 400
    assert studio.ask("/api/record/unknown/0")[0] == 400


def worker_pids(studio: RunningStudio) -> set[int]:
    """Flight workers of the server: children of the process that forks them for it."""
    parents: dict[int, int] = {}
    servers = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            pid, parent = int(status.parent.name), int(status.read_text().rpartition(")")[2].split()[1])
            parents[pid] = parent
            if parent == studio.process.pid and b"forkserver" in status.with_name("cmdline").read_bytes():
                servers.add(pid)
    return {pid for pid, parent in parents.items() if parent in servers}


def test_a_dead_worker_is_replaced(studio: RunningStudio, scene: dict[str, Any]) -> None:
    workers = worker_pids(studio)
    assert workers
    os.kill(min(workers), signal.SIGKILL)
    wait_until(lambda: bool(worker_pids(studio) - workers), "a new worker")
    with live(studio) as socket:
        socket.send(json.dumps({"type": "scene", "id": 1, "scene": scene, "settled": False}))
        assert answers(socket, 1, "path")[-1]["type"] == "path"


def test_reports_open_by_a_link_of_their_own_in_a_sandbox(studio: RunningStudio) -> None:
    done = studio.folder / "done"
    done.mkdir()
    (done / "report.html").write_text("<!doctype html><title>report</title>")
    (done / "evaluations.jsonl").write_bytes(encode(Record(0, "campaign", {"config": {}})))
    link = studio.ask("/api/job?path=done")["report"]
    with urllib.request.urlopen(f"http://127.0.0.1:{studio.port}{link}") as answer:
        assert b"<title>report</title>" in answer.read()
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("sandbox allow-scripts allow-downloads; default-src 'none'")
    (done / "tests").mkdir()
    (done / "tests" / "001.yaml").write_text("<script>alert(1)</script>")
    beside = link.replace("report.html", "tests/001.yaml")
    with urllib.request.urlopen(f"http://127.0.0.1:{studio.port}{beside}") as answer:
        assert answer.headers["content-disposition"].startswith("attachment"), "downloaded, never shown"
        assert answer.headers["content-type"] == "application/octet-stream"
    for path in ("done/evaluations.jsonl", "done/../done/nothing.yaml", "done"):
        assert studio.ask(link.replace("done/report.html", path))[0] in (400, 403, 404)
    assert studio.token not in link
    assert studio.ask(link.replace("done", "other"))[0] == 403
