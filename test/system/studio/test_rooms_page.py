"""Campaigns, studies, replicate, fleet, fidelity and gallery as a person uses them, in headless Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from test.system.studio.conftest import SMALL, RunningStudio
from test.system.studio.test_page import PATIENCE_MS, opened, predicted


@pytest.fixture
def page(browser: Any, finished: RunningStudio) -> Iterator[Any]:
    with opened(browser, finished) as made:
        yield made


def fits(page: Any) -> bool:
    wide: bool = page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    return wide


def is_drawn(page: Any, selector: str) -> bool:
    """Has the canvas more than one colour?"""
    pixels = "one.getContext('2d').getImageData(0, 0, one.width, one.height).data.buffer"
    many: bool = page.eval_on_selector(selector, f"one => new Set(new Uint32Array({pixels})).size > 3")
    return many


def test_a_search_is_started_watched_stopped_and_its_scene_opened(page: Any, finished: RunningStudio) -> None:
    page.click('[data-go="campaigns"]')
    for label, value in (("Folder", "by hand"), ("Scenes to predict", "2000"), ("Drawn runs each", "0")):
        page.fill(f'#view-campaigns label:has-text("{label}") input', value)
    page.select_option('#view-campaigns label:has-text("Generator") select', "random")
    page.click("#view-campaigns summary:has-text('Requirements')")
    page.fill("#view-campaigns [aria-label^='Requirement:']", "max_altitude(limit_m=5)")
    page.click("#view-campaigns .adding button")
    page.click("text=Start search")
    page.wait_for_selector(".job-tests tbody tr", timeout=PATIENCE_MS)
    assert is_drawn(page, "#view-campaigns .progress") and is_drawn(page, "#view-campaigns .failures")
    assert not page.is_visible("#save"), "a scene is saved where it is drawn"
    assert page.inner_text(".job-tests .pill >> nth=0") in ("▲ violates", "▲ collides")
    page.click(".job-actions button:has-text('Stop')")
    page.wait_for_selector(".card[data-state=stopped]", timeout=PATIENCE_MS)
    page.wait_for_selector("text=Open report", timeout=PATIENCE_MS)
    settings = finished.job("by%20hand")["settings"]
    assert settings["requirements"] == ["max_altitude(limit_m=5)"]
    assert settings["screening"]["settings"] == {"planner": finished.own_planner}, (
        "the one named at the start"
    )
    page.reload()
    page.wait_for_selector(".card[data-path='by hand']", timeout=PATIENCE_MS)
    page.click(".job-tests button >> nth=0")
    page.wait_for_selector("#view-scene:not([hidden])")
    assert page.inner_text("#scene-name").startswith("by hand")


def test_a_wrong_name_is_told_at_the_form(page: Any) -> None:
    page.click('[data-go="campaigns"]')
    page.fill('#view-campaigns label:has-text("Folder") input', "../outside")
    page.click("text=Start search")
    page.wait_for_selector("#view-campaigns .job-form .error:not([hidden])")
    assert "letters, digits" in page.inner_text("#view-campaigns .job-form .error")


def test_questions_are_asked_from_the_verdict_and_their_answers_read(page: Any) -> None:
    page.click("#verdict [data-ask=certify]")
    assert page.input_value('#view-assurance label:has-text("Question") select') == "certify"
    page.fill('#view-assurance label:has-text("Folder") input', "../outside")
    page.click("#view-assurance button:has-text('Ask')")
    page.wait_for_selector("#view-assurance .job-form .error:not([hidden])")
    page.click('[aria-label="Show why"]')
    page.wait_for_selector("#view-assurance h3:has-text('What happened')")
    assert "Without it" in page.inner_text("#view-assurance .answer")
    page.click('[aria-label="Show how likely"]')
    page.wait_for_selector("#view-assurance .facts:has-text('Independent flights')")
    page.click('[aria-label="Show simplest"]')
    page.click("#view-assurance .open-simplest")
    predicted(page)
    assert page.locator("#view-scene .obstacle").count() >= 1


def test_the_best_test_is_flown_again_over_ros_topics(page: Any, finished: RunningStudio) -> None:
    pytest.importorskip("rclpy")
    settings = {
        **SMALL,
        "generator": "prgen",
        "budget": {"simulations": 2},
        "screening": {"accept_below_m": 9.0},
    }
    finished.ask("/api/jobs", {"kind": "campaign", "name": "again", "settings": settings})
    page.evaluate("() => go('campaigns', 'again')")
    page.wait_for_selector(".card[data-path=again][data-state=finished]", timeout=PATIENCE_MS)
    assert page.is_hidden(".flown-again")
    page.click(".job-confirm summary")
    page.select_option('.job-confirm label:has-text("Backend") select', "graph")
    page.fill('.job-confirm label:has-text("Best tests") input', "1")
    page.click(".job-confirm button:has-text('Fly them again')")
    page.wait_for_selector(".card[data-state=confirming]", timeout=PATIENCE_MS)
    page.wait_for_selector(".flown-again td:has-text('graph')", timeout=PATIENCE_MS)
    page.wait_for_selector(".card[data-state=finished]", timeout=PATIENCE_MS)
    (flown,) = finished.job("again")["flown_again"]
    assert flown["distance_m"] == pytest.approx(flown["predicted_m"]), "the same simulator, over messages"
    assert finished.job("again")["trouble"] == ""


def test_studies_compare_generators_and_planners(page: Any) -> None:
    page.click('[data-go="studies"]')
    page.click('[aria-label="Show two planners"]')
    page.wait_for_selector(".planner-table td:has-text('Straight (yours)')")
    assert is_drawn(page, "#view-studies .progress")
    page.click('[aria-label="Show a study"]')
    page.wait_for_selector(".contender-table tr:has-text('prgen')")
    assert is_drawn(page, ".contender-chart")
    page.click("#view-studies .job-tests button >> nth=0")
    predicted(page)
    page.click('[data-go="studies"]')
    for tab, button in (
        ("Algorithms", "Start comparison"),
        ("Planners", "Start comparison"),
        ("Generators", "Start study"),
    ):
        page.click(f"#view-studies [role=tab]:has-text('{tab}')")
        assert page.locator(f"#view-studies button:has-text('{button}')").count() == 1


def test_a_dropped_log_is_shown_and_the_search_converges_on_it(
    page: Any, flight_log: tuple[Path, Path]
) -> None:
    page.click('[data-go="replicate"]')
    page.set_input_files("#replicate-drop input", [str(file) for file in flight_log])
    page.wait_for_selector(".log-map:not([hidden])")
    assert is_drawn(page, ".log-map")
    page.fill('#view-replicate label:has-text("Folder") input', "dropped")
    page.fill('#view-replicate label:has-text("Evaluations") input', "3")
    page.fill('#view-replicate label:has-text("Flights per") input', "1")
    page.click("text=Start replication")
    page.wait_for_selector(".card[data-path=dropped][data-state=finished]", timeout=PATIENCE_MS)
    assert is_drawn(page, ".track-map") and is_drawn(page, ".convergence")
    page.click("text=Open the best in the editor")
    predicted(page)


def test_a_fleet_is_stepped_played_and_paused(page: Any) -> None:
    page.click('[data-go="fleet"]')
    page.wait_for_selector("#fleet-world .fleet-drone")
    page.select_option("#fleet-scenario", "two-drones")
    page.wait_for_selector("#fleet-tick:has-text('tick 0')")
    page.click("#fleet-step")
    page.wait_for_selector("#fleet-tick:has-text('tick 1 ')")
    page.click("#fleet-play")
    page.wait_for_selector("#fleet-tick:text-matches('tick ([4-9]|[1-9][0-9]+) ')")
    page.click("#fleet-play")
    assert page.inner_text("#fleet-play") == "Play"
    page.fill("#fleet-command input", "status")
    page.keyboard.press("Enter")
    page.wait_for_selector("#fleet-answer:not([hidden])")
    page.select_option("#fleet-speed", "20")
    page.click("#fleet-play")
    page.wait_for_selector("#fleet-tick:has-text('finished')", timeout=PATIENCE_MS)
    assert page.is_disabled("#fleet-step")


def test_a_click_on_a_point_shows_both_paths(page: Any) -> None:
    page.click('[data-go="fidelity"]')
    page.click('[aria-label="Show how true"]')
    page.wait_for_selector(".point")
    assert page.locator(".point").count() == 2 and is_drawn(page, ".reliability")
    page.focus(".point >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector(".pair-text:has-text('recorded')", timeout=PATIENCE_MS)
    assert is_drawn(page, ".pair-map")
    page.click("text=Open its scene in the editor")
    predicted(page)


def test_the_gallery_predicts_and_opens_its_scenes(page: Any) -> None:
    page.click('[data-go="gallery"]')
    page.wait_for_selector('[data-scene="collision"] .pill.hard_fail', timeout=PATIENCE_MS)
    assert page.locator('[data-scene="collision"] .ghost').count() == 5
    assert "uav-testgen fly collision" in page.inner_text('[data-scene="collision"]')
    page.click('[data-scene="passes"] button')
    predicted(page)


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (1400, "dark")])
def test_every_room_fits_narrow_and_dark(
    browser: Any, finished: RunningStudio, width: int, scheme: str
) -> None:
    shown = {
        "campaigns": "",
        "studies": "a study",
        "replicate": "replica",
        "fleet": "",
        "fidelity": "how true",
    }
    with opened(browser, finished, width=width, color_scheme=scheme) as page:
        for room, job in {**shown, "gallery": ""}.items():
            page.evaluate("([room, job]) => go(room, job)", [room, job])
            page.wait_for_selector(
                f"#view-{room} .card[data-path='{job}']" if job else f"#view-{room}:not([hidden])"
            )
            assert fits(page), room
            rail = page.locator(f'[data-go="{room}"]').bounding_box()
            assert rail["x"] >= 0 and rail["x"] + rail["width"] <= width + 1, "the rail shows where one is"


def test_two_tabs_watch_one_job(browser: Any, finished: RunningStudio) -> None:
    with opened(browser, finished) as one, opened(browser, finished) as other:
        for tab in (one, other):
            tab.evaluate("() => go('studies', 'a study')")
            tab.wait_for_selector(".contender-table tr:has-text('random')")
        one.evaluate("() => go('fleet')")
        other.evaluate("() => go('fleet')")
        for tab in (one, other):
            tab.wait_for_selector("#fleet-tick:has-text('tick 0')")
        one.click("#fleet-step")
        one.wait_for_selector("#fleet-tick:has-text('tick 1 ')")
        assert "tick 0" in other.inner_text("#fleet-tick"), "each page has a fleet of its own"
