"""Replicate, fleet, fidelity and gallery over the wire, without a browser."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

from test.system.studio.conftest import RunningStudio
from uav_testgen.core.resources import config_folder
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
    for expected in ("twice.ulg", "twice-2.ulg"):
        uploaded = finished.ask("/api/upload?name=twice.ulg", flight_log[0].read_bytes())
        assert uploaded == {"path": expected}
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


def test_recorded_flights_are_uploaded_into_a_folder_that_can_be_compared(studio: RunningStudio) -> None:
    record = (config_folder("flights") / "flights.jsonl").read_bytes().splitlines()[0]
    uploaded = studio.ask("/api/upload?name=our%20flights.jsonl", record + b"\n")
    assert uploaded == {"path": "our_flights"}
    assert (studio.folder / "our_flights" / "flights.jsonl").read_bytes() == record + b"\n"
    assert "our_flights" in {one["name"] for one in studio.ask("/api/fidelity/records")["records"]}
    status, text = studio.ask("/api/upload?name=wrong.jsonl", b'{"id": 3}\n')
    assert status == 400 and "wrong.jsonl: no recorded flight can be used (flights.jsonl:1: id" in text
    assert not (studio.folder / "wrong").exists()


def test_a_fleet_of_ones_own_is_uploaded_checked_and_started(studio: RunningStudio) -> None:
    shipped = find_scenario("two-drones").read_bytes()
    assert studio.ask("/api/upload?name=ours.json", shipped) == {"path": "ours.fleet.json"}
    assert studio.ask("/api/upload?name=ours.fleet.json", shipped) == {"path": "ours-2.fleet.json"}
    assert {"ours-2.fleet.json", "ours.fleet.json"} <= set(studio.ask("/api/fleet")["own"])
    own = studio.ask("/api/fleet", {"scenario": "ours.fleet.json", "seed": 3})
    same = studio.ask("/api/fleet", {"scenario": "two-drones", "seed": 3})
    assert {**own, "key": ""} == {**same, "key": ""}
    assert "ours.fleet.json" not in {one["path"] for one in studio.ask("/api/files")["files"]}
    status, text = studio.ask("/api/upload?name=flat.json", b'{"environment": {"size": [0, 1, 1]}}')
    assert status == 400 and "flat.json: environment: " in text and str(studio.folder) not in text
    status, text = studio.ask("/api/upload?name=token.json", b'{"environment": "../token"}')
    assert status == 400 and "leads out of the scenario's folder" in text and studio.token not in text
    for name in ("../ours.fleet.json", "absent.fleet.json", "made.plan"):
        assert studio.ask("/api/fleet", {"scenario": name})[0] == 400
    assert not list(studio.folder.glob("flat*")) and not list(studio.folder.glob("token*"))


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
    known = [one["name"] for one in finished.ask("/api/fidelity/records")["records"]]
    assert known[0] == "sample" and "mine" in known


def test_questions_about_a_scene_are_answered_as_the_command_line_answers(finished: RunningStudio) -> None:
    why = finished.ask("/api/assurance?path=why")
    assert why["answer"]["mechanism"] and why["answer"]["meaning"]
    assert len(why["answer"]["obstacles"]) == len(why["scene"]["obstacles"])
    assert json.loads((finished.folder / "why" / "explanation.json").read_text())["unsafe_s"] > 0.0
    simplest = finished.ask("/api/assurance?path=simplest")
    assert simplest["answer"]["steps"][0]["what"] == "as given"
    assert len(simplest["simplest"]["obstacles"]) == simplest["answer"]["obstacles"]
    likely = finished.ask("/api/assurance?path=how%20likely")
    low, high = likely["answer"]["simulated"]["interval"]
    assert low < likely["answer"]["simulated"]["probability"] <= high
    assert "--within 0.5" in likely["command"]
    assert finished.ask("/api/assurance?path=a%20study")[0] == 400
    listed = [one["path"] for one in finished.ask("/api/files")["files"]]
    assert not [path for path in listed if path.startswith(("why", "simplest", "how likely"))]


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
