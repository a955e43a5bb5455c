"""Long jobs over the wire: they outlive the server, obey orders, and are the folders of the command line."""

from __future__ import annotations

from typing import Any

import pytest

from test.system.studio.conftest import SMALL, RunningStudio
from uav_testgen.testing.commands import start, wait_until


def test_a_campaign_outlives_the_server_pauses_and_goes_on_in_the_shell(
    studio: RunningStudio,
) -> None:
    settings = {**SMALL, "budget": {"simulations": 5000}, "requirements": ["always (distance > 1.5)"]}
    path = studio.ask("/api/jobs", {"kind": "campaign", "name": "small search", "settings": settings})["path"]

    def watched() -> dict[str, Any]:
        return studio.job("small%20search")

    wait_until(lambda: watched()["evaluated"] >= 2 or watched()["state"] != "running", "the first scenes")
    assert watched()["state"] == "running", watched()["trouble"]
    seen = watched()["evaluated"]
    studio.stop()
    studio.start()
    wait_until(lambda: watched()["evaluated"] > seen, "scenes flown without the server that started them")
    studio.ask("/api/job/pause", {"path": path})
    wait_until(lambda: watched()["state"] not in ("running", "stopping"), "the pause")
    paused = watched()
    assert (paused["state"], paused["trouble"], paused["budget"]) == ("paused", "", 5000)
    assert studio.ask("/api/job/pause", {"path": path})[0] == 400
    file, folder = studio.folder / "small search.campaign.yaml", studio.folder / path
    assert paused["command"] == f"uav-testgen campaign '{file}' --out '{folder}' --resume"
    shell = start("campaign", file, "--out", folder, "--resume")
    try:
        wait_until(
            lambda: watched()["evaluated"] > paused["evaluated"] or shell.poll() is not None, "more scenes"
        )
        assert shell.poll() is None, shell.communicate()[1]
        assert watched()["state"] == "running"
        assert watched()["flights_per_s"] is not None
        assert studio.ask("/api/job/resume", {"path": path})[0] == 400
        studio.ask("/api/job/stop", {"path": path})
        assert shell.wait(60) == 130
    finally:
        shell.kill()
        shell.communicate()
    wait_until(
        lambda: "report" in watched() and watched()["state"] == "stopped", "the report of what was found"
    )
    found = watched()
    assert len(found["progress"]["numbers"]) == found["evaluated"]
    nearest = found["tests"][0]
    opened = studio.ask(f"/api/job/scene?path=small%20search&number={nearest['number']}")["scene"]
    assert len(opened["obstacles"]) == nearest["obstacle_count"]
    assert found["scene"]["mission"] == opened["mission"]


def test_a_study_and_a_comparison_of_planners_are_followed(finished: RunningStudio) -> None:
    study = finished.job("a%20study")
    assert {one["name"]: (one["done"], one["evaluated"]) for one in study["contenders"]} == {
        "prgen": (1, 2), "random": (1, 2),
    }  # fmt: skip
    assert all(one["curve"][0][0] == 1 for one in study["contenders"])
    nearest = study["tests"][0]
    place = f"path=a%20study&number={nearest['number']}"
    assert finished.ask(f"/api/job/scene?{place}&cell={nearest['cell']}")["scene"]["obstacles"]
    assert finished.ask(f"/api/job/scene?{place}&cell=../replica")[0] == 400
    planners = finished.job("two%20planners")
    assert [one["planner"] for one in planners["planners"]] == ["vfh3d", finished.own_planner]
    assert [one["scenes"] for one in planners["planners"]] == [2, 2]
    assert planners["report"].endswith("/two planners/report.html")


def test_one_broken_job_is_named_and_ends_nothing_else(studio: RunningStudio) -> None:
    (studio.folder / "torn.plan").write_text("{")
    settings = {**SMALL, "case": "torn.plan"}
    assert studio.ask("/api/jobs", {"kind": "campaign", "name": "broken", "settings": settings}) == {
        "path": "broken"
    }
    wait_until(lambda: studio.job("broken")["state"] != "running", "the end of the broken job")
    assert "torn.plan" in studio.job("broken")["trouble"]
    assert studio.ask("/api/start")["version"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/jobs", {"kind": "campaign", "name": "x", "settings": {**SMALL, "planner": "evil.py:Planner"}}),
        ("/api/jobs", {"kind": "campaign", "name": "x", "settings": []}), ("/api/jobs", {"kind": [], "name": {}}),
        ("/api/jobs", {"kind": "campaign", "name": '"><img src=x>', "settings": SMALL}),
        ("/api/job/stop", {"path": "../x"}), ("/api/job/erase", {"path": "x"}),
        ("/api/job/resume", {"path": ".studio"}), ("/api/job/pause", {}),
        ("/api/fleet", {"scenario": "../../etc/passwd"}), ("/api/fleet/step", {"key": "x", "count": 10**9}),
        ("/api/upload?name=x.exe", b"MZ"), ("/api/upload?name=../../x.plan.sh", b"#!"),
        ("/api/upload?name=empty.ulg", b""),
    ],
)  # fmt: skip
def test_hostile_requests_are_refused_with_a_sentence(studio: RunningStudio, path: str, body: Any) -> None:
    before = sorted(one.name for one in studio.folder.iterdir())
    status, text = studio.ask(path, body)
    assert status in (400, 409) and "error" in text
    assert sorted(one.name for one in studio.folder.iterdir()) == before
