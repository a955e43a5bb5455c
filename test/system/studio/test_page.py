"""The studio as a person uses it, in headless Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from test.system.studio.conftest import RunningStudio
from uav_testgen.core.resources import config_folder
from uav_testgen.fleet.library import find_scenario
from uav_testgen.testing.factories import GATE

PATIENCE_MS = 200_000  # the first recording on a machine compiles what it needs
HOSTILE = '"><img src=x onerror=alert(1)>'


@contextmanager
def opened(
    browser: Any, studio: RunningStudio, *, width: int = 1440, height: int = 900, **options: Any
) -> Iterator[Any]:
    """A page that has flown its first scene; errors, dialogs and foreign requests fail the test."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    page = context.new_page()
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: (trouble.append(dialog.message), dialog.dismiss()))
    own = f"127.0.0.1:{studio.port}"
    page.on("request", lambda request: None if own in request.url else trouble.append(request.url))
    page.goto(studio.address)
    predicted(page)
    yield page
    context.close()
    assert not trouble, trouble


def predicted(page: Any) -> None:
    page.wait_for_selector("#verdict[data-state=predicted]", timeout=PATIENCE_MS)


def settled(page: Any) -> None:
    page.wait_for_selector("#verdict[data-state=path], #verdict[data-state=predicted]", timeout=PATIENCE_MS)


def distance_m(page: Any) -> float:
    return float(page.inner_text("#distance-value").removesuffix(" m"))


def path_of(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "#map .path", "list => list.map(one => one.getAttribute('points'))"
    )
    return found


def drag(page: Any, selector: str, east_px: float, north_px: float, steps: int = 8) -> None:
    box = page.locator(selector).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + east_px, y - north_px, steps=steps)
    page.mouse.up()


@pytest.fixture
def page(browser: Any, studio: RunningStudio) -> Iterator[Any]:
    with opened(browser, studio) as made:
        yield made


def test_a_dragged_wall_changes_the_path_and_the_number_falls(page: Any) -> None:
    before_m, before = distance_m(page), path_of(page)
    share = page.locator("#map").bounding_box()["width"] / 1440
    assert share >= 0.6
    # The second wall is drawn north, into the way round it.
    page.keyboard.down("Alt")
    drag(page, '.obstacle[data-index="1"] .shape', 0.0, 16.0)
    page.keyboard.up("Alt")
    predicted(page)
    assert path_of(page) != before
    assert distance_m(page) < before_m
    assert page.locator("#map .ghost").count() == 5
    assert re.search(r"\d+ % likely closer than 1.5 m", page.inner_text("#chance-text"))
    assert page.locator("#requirements li").count() == 3
    assert re.search(r"in reality \d\.\d–\d\.\d m in 80 % of flights", page.inner_text("#interval"))
    page.click("#undo")
    predicted(page)
    assert path_of(page) == before
    assert distance_m(page) == before_m


def test_handles_turn_and_resize_and_rules_are_named_where_they_break(page: Any) -> None:
    page.click('.obstacle[data-index="0"]')
    settled(page)
    drag(page, '.handle[data-kind="size"][data-axis="1"] >> nth=0', -20.0, -20.0)
    settled(page)
    assert float(page.input_value("text=Width [m] >> input")) != 9.0
    drag(page, '.handle[data-kind="turn"]', 40.0, 0.0)
    settled(page)
    degrees = float(page.input_value("text=Turned [°] >> input"))
    assert abs(degrees + 34.377) > 1.0 and abs(degrees / 5.0 - round(degrees / 5.0)) < 0.01
    page.fill("text=East [m] >> input", "8")
    page.wait_for_selector(".obstacle.broken", timeout=PATIENCE_MS)
    assert "'first wall' reaches " in page.inner_text("#problems")
    assert "west border" in page.inner_text("#problems")
    assert "breaks a rule" in page.get_attribute('.obstacle[data-index="0"]', "aria-label")
    page.click("text=Delete")
    predicted(page)
    assert page.locator(".obstacle").count() == 1


def test_a_mesh_is_drawn_resized_and_turned(browser: Any, studio: RunningStudio) -> None:
    scene = studio.ask("/api/start")["scene"]
    gate = {
        "center_enu_m": [22.0, -3.0, 10.0],
        "size_m": [10.0, 3.0, 20.0],
        "shape": "mesh",
        "triangles": GATE,
    }
    scene["obstacles"] = [gate]
    studio.ask("/api/save", {"path": "gate.yaml", "scene": scene})
    with opened(browser, studio) as page:
        page.click('[data-go="files"]')
        page.click('[aria-label="Open gate.yaml"]')
        predicted(page)
        page.click('.obstacle[data-index="0"]')
        assert "Mesh 1" in page.inner_text("#pane-selected")
        page.fill("text=Length [m] >> input", "12")
        page.fill("text=Turned [°] >> input", "45")
        predicted(page)
        corners = page.get_attribute('.obstacle[data-index="0"] .shape', "points").split()
        assert len(corners) == 4, "the hull of its footprint"


def test_keyboard_only(page: Any) -> None:
    page.locator("#fit").focus()
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.locator('.obstacle[data-index="0"]:focus').count():
            break
    before = page.input_value("text=North [m] >> input")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("]")
    predicted(page)
    assert float(page.input_value("text=North [m] >> input")) == pytest.approx(float(before) + 0.6)
    assert page.locator('.obstacle[data-index="0"]:focus').count() == 1
    page.keyboard.press("d")
    settled(page)
    assert page.locator(".obstacle").count() == 3
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    predicted(page)
    assert page.locator(".obstacle").count() == 2
    page.keyboard.press("b")
    page.keyboard.press("Delete")
    predicted(page)
    assert page.locator(".obstacle").count() == 2
    page.keyboard.press("Control+s")
    page.fill("#save-path", "typed.yaml")
    page.keyboard.press("Enter")
    page.wait_for_selector("#save-dialog:not([open])", state="attached")
    assert page.inner_text("#scene-name") == "typed.yaml"
    assert page.inner_text("#scene-state") == "saved"


def test_replay_and_what_the_drone_sees(page: Any) -> None:
    page.fill("#time", "250")
    clock = page.inner_text("#clock")
    assert re.match(r"[\d.]+ s · [\d.]+ m/s · height [\d.]+ m · distance [\d.]+ m", clock)
    page.click("#play")
    page.wait_for_timeout(300)
    page.click("#play")
    assert page.inner_text("#clock") != clock
    page.click("#tab-sees")
    page.click("text=Record this flight")
    page.wait_for_selector("#costs", timeout=PATIENCE_MS)
    page.fill("#time", "160")
    page.wait_for_selector("#map .seen", timeout=PATIENCE_MS)
    assert page.locator("#map .tree").count() > 5
    assert page.inner_text(".shade-word >> nth=0") == "darker is nearer"
    page.click("#theme")
    assert page.inner_text(".shade-word >> nth=0") == "brighter is nearer", (
        "the dark page draws the near bright"
    )
    page.click("#theme")
    page.wait_for_function("() => /straight way costs/.test(document.getElementById('decision').textContent)")
    for word in ("took", "to the goal", "cheapest", "Obstacles"):
        assert word in page.inner_text("#candidates")
    page.click("#look")
    page.wait_for_selector("#space:not([hidden])")
    for chart in ("z", "heading", "tilt"):
        page.click(f'[data-chart="{chart}"]')
    strips = [
        page.locator(one).bounding_box()
        for one in ("#strip-speed", "#strip-z", "#strip-heading", "#strip-tilt", "#distance")
    ]
    assert len({(box["x"], box["width"]) for box in strips}) == 1, "all charts share one time line"
    page.mouse.click(strips[2]["x"] + 0.5 * strips[2]["width"], strips[2]["y"] + 20)
    assert 0.4 < float(page.input_value("#time")) / 1000 < 0.6


def in_view(page: Any) -> bool:
    """Does the map show the whole flight?"""
    inside: bool = page.evaluate("""() => {
        const { width, height } = byId("map").getBoundingClientRect(), { x, y } = flown.nominal;
        const seen = x.map((east, k) => toScreen(east, y[k]));
        return seen.every(([px, py]) => px >= 0 && px <= width && py >= 0 && py <= height);
    }""")
    return inside


def test_a_map_of_another_size_shows_the_flight_or_keeps_its_middle(page: Any) -> None:
    for width, height in ((1440, 1800), (900, 500), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        assert in_view(page), (width, height)
    page.click("#zoom-in")
    middle = "toWorld(byId('map').clientWidth / 2, byId('map').clientHeight / 2)"
    before = page.evaluate(middle)
    page.set_viewport_size({"width": 1200, "height": 700})
    page.wait_for_timeout(200)
    assert page.evaluate(middle) == pytest.approx(before), "who has moved the map keeps what is in its middle"


def test_the_3d_view_shows_the_whole_flight_and_obeys_the_keyboard(page: Any) -> None:
    page.click("#look")
    page.wait_for_selector("#space:not([hidden])")
    for chart in ("z", "heading", "tilt"):
        page.click(f'[data-chart="{chart}"]')
    page.wait_for_timeout(200)
    assert page.evaluate("""() => {
        const { clientWidth: width, clientHeight: height } = byId("space"), { x, y, z } = flown.nominal;
        const look = projector(width, height), seen = x.map((east, k) => look(east, y[k], z[k]));
        return seen.every(([px, py]) => px >= 0 && px <= width && py >= 0 && py <= height);
    }""")
    away = page.evaluate("camera.away")
    page.click("#zoom-in")
    assert page.evaluate("camera.away") < away
    page.focus("#space")
    turn = page.evaluate("camera.turn")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("camera.turn") < turn
    assert page.get_attribute("#look", "aria-pressed") == "true" and page.inner_text("#look") == "3-D"


def test_a_rule_is_told_in_whole_words_on_the_map(page: Any) -> None:
    page.click('.obstacle[data-index="1"]')
    page.fill("text=East [m] >> input", "8")
    page.wait_for_selector("#map .rule", state="attached", timeout=PATIENCE_MS)
    told = page.text_content("#map .rule")
    assert told.startswith("'second wall' reaches ") and told.endswith("m over the west border")
    over = page.evaluate("""() => {
        const all = [...byId("map").children], place = (name) => all.findLastIndex((one) => one.matches(name));
        return place(".rule") > place(".path");
    }""")
    assert over, "a path does not cross out the sentence"


SPOKEN = {
    "button",
    "textbox",
    "combobox",
    "slider",
    "checkbox",
    "spinbutton",
    "image",
    "img",
    "tab",
    "link",
    "Canvas",
}


def unnamed(page: Any) -> list[str]:
    """What a screen reader would come to and could not name."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    shown = [node for node in nodes if not node.get("ignored") and node["role"]["value"] in SPOKEN]
    assert len(shown) > 10
    return [node["role"]["value"] for node in shown if not node.get("name", {}).get("value", "").strip()]


def test_everything_has_a_name_for_screen_readers(page: Any) -> None:
    page.click('.obstacle[data-index="1"]')
    assert unnamed(page) == []
    page.click("#tab-setting")
    page.evaluate("document.querySelectorAll('#pane-setting details').forEach((one) => { one.open = true; })")
    assert unnamed(page) == []
    page.click("#tab-sees")
    page.click("text=Record this flight")
    page.wait_for_selector("#costs", timeout=PATIENCE_MS)
    assert unnamed(page) == []
    for room in ("files", "campaigns", "assurance", "studies", "replicate", "fleet", "fidelity", "gallery"):
        page.click(f'[data-go="{room}"]')
        page.wait_for_timeout(300)
        assert unnamed(page) == [], room


def test_requirements_and_formulas_are_judged_and_refused_beside_the_field(page: Any) -> None:
    page.click("#tab-setting")
    page.click("#requirement-choice summary")
    for text, place in (("max_altitude(limit_m=5)", 3), ("always (distance > 0.2)", 4)):
        page.fill("#requirement-text", text)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#requirements li >> nth={place}", timeout=PATIENCE_MS)
    predicted(page)
    assert page.locator("#requirements li.no").count() == 1
    assert "violated in 5 of 5 drawn runs" in page.inner_text("#requirements li.no")
    page.fill("#requirement-text", "os.py:system")
    page.keyboard.press("Enter")
    page.wait_for_selector("#requirement-choice .error:not([hidden])")
    assert "unknown" in page.inner_text("#requirement-choice .error")
    assert page.locator("#requirements li").count() == 5


def test_a_moving_obstacle_gets_a_way_with_corners(page: Any) -> None:
    page.click('.obstacle[data-index="0"]')
    page.click("text=Let it move")
    page.click("text=Add a corner")
    settled(page)
    handles = page.locator('.handle[data-kind="motion"]')
    assert handles.count() == 2
    before = page.get_attribute("#map .motion", "points")
    drag(page, '.handle[data-kind="motion"] >> nth=0', 30.0, 10.0)
    predicted(page)
    after = page.get_attribute("#map .motion", "points")
    assert after != before and len(after.split()) == 3
    page.fill('[aria-label="Corner 1, east [m]"]', "18")
    predicted(page)
    page.click("#undo")
    predicted(page)
    assert page.get_attribute("#map .motion", "points") == after


def test_what_can_be_taken_hold_of_outlives_a_prediction(page: Any) -> None:
    page.click('.obstacle[data-index="0"]')
    kept = [
        page.query_selector(one) for one in ('.obstacle[data-index="0"]', ".handle", '[data-kind="home"]')
    ]
    page.fill("text=East [m] >> input", "11")
    predicted(page)
    assert [one.evaluate("node => node.isConnected") for one in kept] == [True, True, True]
    assert page.evaluate("document.querySelectorAll('#map .obstacle').length") == page.evaluate(
        "scene.now.obstacles.length"
    )


def test_other_formats_are_saved_with_what_they_cannot_hold(page: Any, studio: RunningStudio) -> None:
    page.click("#save")
    page.fill("#save-path", "other.yaml")
    for form, file in (("world", "other.world"), ("plan", "other.plan")):
        page.select_option("#save-format", form)
        assert page.input_value("#save-path") == file
        page.click("#save-go")
        page.wait_for_selector(f"#save-note:has-text('Written: {file}')")
        assert "cannot hold" in page.inner_text("#save-note")
    page.click("#save-cancel")
    page.click('[data-go="files"]')
    page.select_option("#world-mission", "mission4")
    page.click('[aria-label="Open other.world"]')
    predicted(page)
    assert page.locator(".obstacle").count() == 2 and page.locator('.stop[data-kind="waypoint"]').count() == 3


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (1440, "dark")])
def test_narrow_and_dark(browser: Any, studio: RunningStudio, width: int, scheme: str) -> None:
    with opened(browser, studio, width=width, color_scheme=scheme) as page:
        assert page.get_attribute("html", "data-theme") == scheme
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
        assert page.locator("#map").bounding_box()["height"] > 300
        for view in ("files", "gallery", "campaigns", "scene"):
            page.click(f'[data-go="{view}"]')
            page.wait_for_selector(f"#view-{view}:not([hidden])")
            assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"), view


def test_hostile_names_are_shown_as_text(browser: Any, studio: RunningStudio) -> None:
    scene = studio.ask("/api/start")["scene"]
    scene["name"] = scene["mission"]["name"] = scene["obstacles"][0]["name"] = HOSTILE
    studio.ask("/api/save", {"path": "hostile.yaml", "scene": scene})
    (studio.folder / f"{HOSTILE.replace('/', '')}.yaml").write_text("mission: nowhere\n")
    with opened(browser, studio) as page:
        page.click('[data-go="files"]')
        page.wait_for_selector("text=onerror=alert")
        page.click('[aria-label="Open hostile.yaml"]')
        predicted(page)
        assert HOSTILE[:20] in page.text_content('.obstacle[data-index="0"] text')
        page.click('[data-go="files"]')
        page.click("tr:has-text('onerror') button")
        page.wait_for_selector("#view-files .error:not([hidden])")
        assert "nowhere" in page.inner_text("#view-files .error")


def test_what_went_wrong_with_a_file_outlives_a_newer_list(browser: Any, studio: RunningStudio) -> None:
    (studio.folder / "bad.yaml").write_text("mission: nowhere\n")
    held: list[Any] = []
    with opened(browser, studio) as page:
        page.click('[data-go="files"]')
        page.wait_for_selector('[aria-label="Open bad.yaml"]')
        page.route("**/api/files*", lambda route: held.append(route))
        page.click('[data-go="files"]')
        page.evaluate("() => { document.querySelector('#view-files table').dataset.list = 'old'; }")
        page.click('[aria-label="Open bad.yaml"]')
        page.wait_for_selector("#view-files .error:not([hidden])")
        held[0].continue_()
        page.wait_for_selector("#view-files table:not([data-list])")
        assert "nowhere" in page.inner_text("#view-files .error:not([hidden])")


def test_two_tabs_do_not_overwrite_each_other(browser: Any, studio: RunningStudio) -> None:
    scene = studio.ask("/api/start")["scene"]
    studio.ask("/api/save", {"path": "shared.yaml", "scene": scene, "overwrite": True})
    with opened(browser, studio) as one, opened(browser, studio) as other:
        for tab in (one, other):
            tab.click('[data-go="files"]')
            tab.click('[aria-label="Open shared.yaml"]')
            predicted(tab)
        for tab, key in ((one, "ArrowUp"), (other, "ArrowDown")):
            tab.focus('.obstacle[data-index="0"]')
            tab.keyboard.press(key)
            predicted(tab)
            tab.keyboard.press("Control+s")
            tab.keyboard.press("Enter")
            if tab is one:
                tab.wait_for_selector("#save-dialog:not([open])", state="attached")
        other.wait_for_selector("#save-error:not([hidden])")
        assert "exists with other content" in other.inner_text("#save-error")
        assert other.inner_text("#save-go") == "Overwrite"
        north = studio.ask("/api/scene?path=shared.yaml")["scene"]["obstacles"][0]["center_enu_m"][1]
        assert north == -2.5


def test_a_restarted_server_is_found_again(browser: Any, studio: RunningStudio) -> None:
    with opened(browser, studio) as page:
        page.focus('.obstacle[data-index="0"]')
        page.keyboard.press("ArrowUp")
        predicted(page)
        studio.stop()
        page.wait_for_selector("#link-state.off")
        page.keyboard.press("ArrowUp")
        assert page.get_attribute("#verdict", "data-state") == "flying"
        studio.start()
        predicted(page)
        assert page.inner_text("#link-state") == "connected"
        assert float(page.input_value("text=North [m] >> input")) == -2.0
        page.reload()
        predicted(page)
        assert page.locator('.obstacle[data-index="0"]').get_attribute("aria-label").find("-2 m north") > 0


def test_fleets_and_recorded_flights_from_elsewhere(page: Any, tmp_path: Path) -> None:
    fleet, flights, wrong = tmp_path / "mine.json", tmp_path / "ours.jsonl", tmp_path / "wrong.json"
    fleet.write_bytes(find_scenario("two-drones").read_bytes())
    flights.write_bytes((config_folder("flights") / "flights.jsonl").read_bytes())
    wrong.write_text("{}")
    page.click('[data-go="fleet"]')
    page.wait_for_selector("#fleet-world .fleet-drone")
    page.set_input_files("#fleet-file", fleet)
    page.wait_for_function("() => document.querySelector('#fleet-scenario').value.startsWith('mine')")
    page.wait_for_function("() => document.querySelectorAll('#fleet-world .fleet-drone').length === 2")
    page.set_input_files("#fleet-file", wrong)
    page.wait_for_selector("#fleet-error:not([hidden])")
    assert "wrong.json: environment" in page.inner_text("#fleet-error")
    page.click('[data-go="fidelity"]')
    page.set_input_files("#fidelity-drop input", flights)
    page.wait_for_selector("#fidelity-drop .chip")
    chosen = '#view-fidelity label:has-text("Recorded flights") select'
    page.wait_for_function(
        "([chip, menu]) => document.querySelector(chip).innerText === menu.value && menu.value.startsWith('ours')",
        arg=["#fidelity-drop .chip", page.query_selector(chosen)],
    )
