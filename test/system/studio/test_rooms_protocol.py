"""Replicate, fleet, fidelity and gallery over the wire, without a browser."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

from test.system.studio.conftest import RunningStudio
from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.library import find_scenario
from uav_testgen.fleet.scenario import load_fleet_scenario
from uav_testgen.view.studio.guard import MOST_UPLOAD_BYTES


def test_a_replication_is_followed_from_its_log_to_its_best(finished: RunningStudio) -> None:
    log = finished.ask("/api/replicate/log?path=made.ulg&plan=made.plan")
    assert max(log["log"]["y"]) > 2.0 and log["route"][-1][:2] == [20.0, 0.0]
    found = finished.ask("/api/replicate?path=replica")
    summary = json.loads((finished.folder / "replica" / "summary.json").read_text())
    assert len(found["distances"]) == found["evaluated"] == summary["evaluations"]
    assert round(found["distances"][0], 2) == round(summary["seed_dtw"], 2)
    assert round(min(found["distances"]), 2) == round(summary["best_dtw"], 2)
    assert found["best"]["track"]["x"] and found["best"]["obstacles"]
    assert finished.ask("/api/job/scene?path=replica&number=0")["scene"]["obstacles"]
    assert finished.ask("/api/replicate?path=a%20study")[0] == 400


def test_uploads_get_names_of_their_own_and_are_read_by_the_hardened_parsers(
    finished: RunningStudio, flight_log: tuple[Path, Path]
) -> None:
    again = finished.ask("/api/upload?name=made.ulg", flight_log[0].read_bytes())
    assert again == {"path": "made-2.ulg"}
    hostile = finished.ask("/api/upload?name=..%2F%22%3E%3Cimg%20src%3Dx%3E.ulg", b"not a log")
    assert hostile == {"path": "img_src_x_.ulg"}
    status, text = finished.ask("/api/replicate/log?path=img_src_x_.ulg")
    assert status == 400 and "img_src_x_.ulg" in text and str(finished.folder) not in text
    assert finished.ask("/api/replicate/log?path=../made.ulg")[0] == 400
    assert finished.ask("/api/upload?name=large.plan", b" " * (1024 * 1024 + 1))[0] == 400
    for path in ("/api/upload?name=x.ulg", "/api/save"):
        connection = http.client.HTTPConnection("127.0.0.1", finished.port, timeout=20)
        connection.putrequest("POST", path)
        connection.putheader("X-Studio-Token", finished.token)
        connection.putheader("Content-Length", str(MOST_UPLOAD_BYTES + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413
        connection.close()
    assert not list((finished.folder / ".studio").glob("upload-*"))


def test_a_fleet_is_the_simulation_of_the_command_line(studio: RunningStudio) -> None:
    listed = studio.ask("/api/fleet")["scenarios"]
    assert len(listed) >= 5 and all(one["text"] for one in listed)
    begun = studio.ask("/api/fleet", {"scenario": "two-drones", "seed": 3})
    assert (begun["tick"], begun["finished"]) == (0, False)
    once = studio.ask("/api/fleet/step", {"key": begun["key"]})
    assert once["tick"] == 1
    answer = studio.ask("/api/fleet/command", {"key": begun["key"], "line": "nonsense"})
    assert "unknown command" in answer["answer"] and answer["tick"] == 1
    state = once
    while not state["finished"]:
        state = studio.ask("/api/fleet/step", {"key": begun["key"], "count": 200})
    expected = FleetSimulation(load_fleet_scenario(find_scenario("two-drones")), seed=3)
    expected.run()
    assert state["summary"] == json.loads(json.dumps(expected.summary()))
    assert studio.ask("/api/fleet/step", {"key": "forgotten"})[0] == 400


def test_fidelity_gives_points_reliability_and_both_paths(finished: RunningStudio) -> None:
    found = finished.ask("/api/fidelity?path=how%20true")
    assert len(found["rows"]) == found["figures"]["n"] == 2
    assert sum(one["n"] for one in found["figures"]["reliability"]) == 2
    one = found["rows"][0]
    pair = finished.ask(f"/api/fidelity/pair?path=how%20true&id={one['id']}")
    assert abs(pair["predicted_m"] - pair["measured_m"]) < 0.5
    assert len(pair["recorded"]["x"]) > 50 and len(pair["predicted"]["x"]) > 50
    assert finished.ask("/api/fidelity/pair?path=how%20true&id=unknown")[0] == 400
    records = finished.folder / "mine"
    records.mkdir()
    (records / "flights.jsonl").write_text("")
    assert [one["name"] for one in finished.ask("/api/fidelity/records")["records"]] == ["sample", "mine"]


def test_the_gallery_has_captions_commands_and_predictions(studio: RunningStudio) -> None:
    scenes = {one["name"]: one for one in studio.ask("/api/gallery")["scenes"]}
    assert scenes["too_close"]["command"] == "uav-testgen fly too_close" and scenes["too_close"]["text"]
    found = studio.ask("/api/gallery/too_close/prediction")
    assert found["prediction"]["failure_probability"] > 0.9
    assert len(found["paths"]) == 6 and found["paths"][0]["outcome"] == "soft_fail"
    assert studio.ask("/api/gallery/unknown/prediction")[0] == 400


def test_own_planners_are_offered_and_flown(studio: RunningStudio) -> None:
    choices = studio.ask("/api/start")
    assert studio.own_planner in choices["planners"] and choices["own"]["planners"] == [studio.own_planner]
    scene = choices["scene"]
    status, text = studio.ask("/api/record", {"scene": scene, "system": {"planner": studio.own_planner}})
    assert status == 400 and "does not say what it thinks" in text
    assert studio.ask("/api/record", {"scene": scene, "system": {"planner": "other.py:Straight"}})[0] == 400
