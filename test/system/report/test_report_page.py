"""The page in a real browser: it works from the file system, shows the flights and runs nothing foreign."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from test.system.chromium import headless_chromium
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.confirm import Confirmation
from uav_testgen.campaign.observe import Progress
from uav_testgen.campaign.ranking import choose_suite
from uav_testgen.campaign.result import CampaignResult, SuiteTest
from uav_testgen.campaign.screening import FlownRun
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.statistics.percent import probability_words
from uav_testgen.testing.evaluations import evaluation_at
from uav_testgen.testing.still_backend import StillBackend
from uav_testgen.view.data import page_data
from uav_testgen.view.html import embed_json, render
from uav_testgen.view.summary import summary_data

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>"


def result_with(
    evaluations: list[Evaluation],
    name: str = "page",
    confirming: str = "px4",
    requirements: tuple[str, ...] = (),
) -> CampaignResult:
    config = CampaignConfig(
        name=name, case="mission2", screening={"backend": "still"}, requirements=requirements
    )
    ranking = config.ranking.model_copy(update={"min_path_distance_m": 0.0})
    ranked = choose_suite(evaluations, 1.5, ranking, ScatterConfig().error)
    tests = []
    for rank, test in enumerate(ranked, start=1):
        scenario = test.evaluation.scenario
        flight = StillBackend().fly(scenario, rank)
        run = FlownRun(0, test.evaluation.number, 0, flight, judge(scenario, flight))
        confirmation = Confirmation(confirming, (run,)) if rank == 1 else None
        tests.append(SuiteTest(rank, test, (run,), confirmation))  # whole flights of the nominal run only
    progress = Progress(len(evaluations), 1.5)
    progress.add(evaluations, replayed=True)
    base = evaluations[0].scenario.with_obstacles(()) if evaluations else evaluation_at(0, 1.0).scenario
    return CampaignResult(
        config=config,
        case=CaseStudy("mission2", base),
        out=Path("out"),
        evaluations=tuple(evaluations),
        suite=tuple(tests),
        progress=progress,
        end_reason="done",
        elapsed_s=1.0,
        versions={"uav_testgen": "0"},
        notes=(),
    )


def hostile_evaluation() -> Evaluation:
    evaluation = evaluation_at(7, 0.3, north_m=15.0)
    box = evaluation.scenario.obstacles[0].model_copy(update={"name": HOSTILE})
    return replace(evaluation, scenario=evaluation.scenario.with_obstacles((box,)))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    evaluations = [
        evaluation_at(n, 0.4 + 0.2 * n, north_m=-25.0 + 6.0 * n, runs=(2.0, 0.6) if n == 0 else ())
        for n in range(7)
    ]
    result = result_with([*evaluations, hostile_evaluation()], name=HOSTILE[:90])
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(result.config.name, page_data(result)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(in_ci: bool) -> Iterator[Any]:
    with headless_chromium(in_ci) as started:
        yield started


@contextmanager
def opened(browser: Any, path: Path, address: str = "", **options: Any) -> Iterator[Any]:
    """The page from the disk; what the browser complains about, and every request elsewhere, fails the test."""
    context = browser.new_context(**options)
    page = context.new_page()
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda said: trouble.append(said.text) if said.type in ("error", "warning") else None)
    page.on("dialog", lambda dialog: (trouble.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda one: None if one.url.startswith(path.as_uri()) else trouble.append(one.url))
    page.goto(path.as_uri() + address)
    page.wait_for_selector("html[data-ready=yes]")
    yield page
    context.close()
    assert not trouble, trouble


def rows(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all("#table tbody tr", "list => list.map(row => row.innerText)")
    return found


def test_table_and_replay_stand_side_by_side(browser: Any, report: Path) -> None:
    with opened(browser, report, viewport={"width": 1400, "height": 900}) as page:
        assert len(rows(page)) == 7, "0.4 to 1.4 m, and the hostile one"
        assert page.inner_text("#facts").count("flown on PX4") == 1
        assert page.inner_text(".pill.flaky") == "1/2 flaky"
        table, replay = (page.locator(one).bounding_box() for one in ("#table", "#detail"))
        assert replay["x"] > table["x"] + 400 and abs(replay["y"] - table["y"]) < 200
        assert page.inner_text("#h-flight").startswith("Test 001: 1 box, tightest at '</script>")
        assert page.inner_text("#fly-again").startswith("uav-testgen fly tests/001-")
        assert "To fly it again, in the folder of this page:" in page.inner_text("#detail")
        links = page.eval_on_selector_all(
            "#test-files a", "list => list.map(one => one.getAttribute('href'))"
        )
        assert [link.split("/")[0] for link in links] == ["tests", "flights", "confirmed", "plots"]
        assert page.locator("details[open]").count() == 0, "settings are folded"
        assert "0.25 m" in page.get_attribute("#table th >> nth=3 >> button", "title")
        page.click("text=What the columns mean")
        assert page.locator("#column-words dt").count() == page.locator("#table th").count()


def test_a_test_has_an_address_and_the_keyboard_walks(browser: Any, report: Path) -> None:
    with opened(browser, report, "#test-003") as page:
        assert page.inner_text("#h-flight").startswith("Test 003")
        page.focus("#table tr.chosen")
        page.keyboard.press("ArrowDown")
        assert page.url.endswith("#test-004") and page.locator("#table tr.chosen:focus").count() == 1
        page.keyboard.press("Home")
        assert page.inner_text("#h-flight").startswith("Test 001")
        before = page.inner_text("#clock")
        page.keyboard.press("Space")
        page.wait_for_function("old => document.getElementById('clock').textContent !== old", arg=before)
        page.keyboard.press("Space")
        assert page.inner_text("#play") == "Play"
        assert page.get_attribute("#time", "aria-valuetext") == page.inner_text("#clock")
        unnamed = page.eval_on_selector_all(
            "canvas, input, select",
            "list => list.filter(one => !one.ariaLabel && !one.labels?.length).length",
        )
        assert unnamed == 0, "everything has a name for screen readers"


def test_filters_sorting_views_and_colours_answer(browser: Any, report: Path) -> None:
    with opened(browser, report) as page:
        page.fill("#f-text", "002-")
        assert len(rows(page)) == 1
        page.fill("#f-text", "no such test")
        assert page.is_visible("#nothing-left")
        page.fill("#f-text", "")
        for outcome, count in (("hard_fail", 0), ("", 7)):
            page.select_option("#f-outcome", outcome)
            assert len(rows(page)) == count
        page.select_option("#f-confirmed", "no")
        assert len(rows(page)) == 1
        page.select_option("#f-confirmed", "")
        page.click("#table th >> text=/^Distance$/")
        shown = page.locator("#table tbody td:nth-child(3)").all_inner_texts()
        distances = [float(text.removesuffix(" m")) for text in shown]
        assert distances == sorted(distances)
        page.click("#look-space")
        picture = "document.getElementById('space').toDataURL()"
        for act in (lambda: drag(page), lambda: page.mouse.wheel(0, -200)):
            before = page.evaluate(picture)
            act()
            page.wait_for_function(f"old => {picture} !== old", arg=before)
        theme = page.get_attribute("html", "data-theme")
        page.click("#theme")
        assert page.get_attribute("html", "data-theme") != theme


def drag(page: Any) -> None:
    box = page.locator("#space").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 110, box["y"] + 80)
    page.mouse.up()


def test_a_laptop_shows_it_without_scrolling_sideways(browser: Any, report: Path) -> None:
    with opened(browser, report, viewport={"width": 1280, "height": 900}) as page:
        assert page.evaluate(
            "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )


def test_a_probability_is_never_said_to_be_certain(browser: Any, report: Path) -> None:
    """The page's words are those of statistics/percent.py."""
    with opened(browser, report) as page:
        for value in (0.0, 0.0049, 0.01, 0.5936, 0.95, 0.9962, 1.0):
            assert page.evaluate(f"() => probability({value})") == probability_words(value)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_without_scrolling_sideways(browser: Any, report: Path, scheme: str) -> None:
    with opened(browser, report, viewport={"width": 400, "height": 800}, color_scheme=scheme) as page:
        assert page.get_attribute("html", "data-theme") == scheme
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
        assert page.locator("#map").bounding_box()["width"] > 300


def test_a_check_over_ros_topics_is_no_confirmation(browser: Any, tmp_path: Path) -> None:
    found = result_with([evaluation_at(0, 0.4)], confirming="graph")
    path = tmp_path / "report.html"
    path.write_text(render("checked", page_data(found)), encoding="utf-8")
    with opened(browser, path) as page:
        assert "Confirmed distance" not in page.inner_text("#table thead")
        assert page.inner_text("#table tbody .pill.open") == "checked over ROS topics"
        assert "Distance when checked over ROS topics" in page.inner_text("#facts")
        page.select_option("#run", index=1)
        assert page.inner_text("#flight-sentence").startswith("Checked over ROS topics (backend")
        assert "onfirm" not in page.inner_text("#detail")
    test = summary_data(found)["tests"][0]
    assert test["confirmed_by"] is None and test["confirmation_distances_m"] == []
    assert test["checked_by"] == "graph" and len(test["checked_distances_m"]) == 1
    (suite_test,) = found.suite
    corrected = replace(suite_test.runs[0], distance_m=0.47)
    checked = replace(found, suite=(replace(suite_test, confirmation=Confirmation("graph", (corrected,))),))
    assert summary_data(checked)["tests"][0]["checked_distances_m"] == [0.47], "like the prediction"
    assert page_data(checked)["tests"][0]["checked_distances_m"] == [0.47]


def test_the_outcome_is_said_in_the_words_of_the_studio(browser: Any, tmp_path: Path) -> None:
    """Requirements decide where there are some: what breaks one need not have been near."""
    data, path = page_data(result_with([evaluation_at(0, 0.4)])), tmp_path / "report.html"
    fast = {"name": "max_speed", "violated": True, "sentence": "flew 3 m/s", "margin": -1.0}
    for findings, word in (([], "▲ too close"), ([fast], "▲ violates")):
        data["tests"][0]["findings"] = findings
        path.write_text(render("words", data), encoding="utf-8")
        with opened(browser, path) as page:
            assert page.inner_text("#table tbody .pill.soft_fail") == word


def test_the_whole_flight_is_in_the_3d_view(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(render("space", page_data(result_with([evaluation_at(0, 0.4)]))), encoding="utf-8")
    with opened(browser, path) as page:
        page.click("#look-space")
        assert page.evaluate("""() => {
            const { clientWidth: width, clientHeight: height } = byId("space"), { run } = state;
            const look = projector(width, height);
            const seen = run.x.map((x, k) => look(x, run.y[k], run.z[k]));
            return seen.every(([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height);
        }""")
        before = page.evaluate("camera.turn")
        page.focus("#space")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("camera.turn") > before


def test_a_sentence_says_which_of_two_distances_is_the_judged_one(browser: Any, tmp_path: Path) -> None:
    found = result_with([evaluation_at(0, 0.4)])
    (suite_test,) = found.suite
    (run,) = suite_test.runs
    assert run.verdict is not None and run.verdict.min_distance_aerialist_m is not None
    judged_m = run.verdict.min_distance_aerialist_m + 0.07
    shown = replace(found, suite=(replace(suite_test, runs=(replace(run, distance_m=judged_m),)),))
    path = tmp_path / "report.html"
    path.write_text(render("corrected", page_data(shown)), encoding="utf-8")
    with opened(browser, path) as page:
        sentence = page.inner_text("#flight-sentence")
        assert sentence.endswith(f"{run.verdict.sentence} (as simulated; corrected {judged_m:.2f} m)")


def test_a_search_by_generations_is_shown(browser: Any, tmp_path: Path) -> None:
    result = result_with([evaluation_at(n, 0.4 + 0.5 * n, north_m=-25.0 + 6.0 * n) for n in range(5)])
    table = tuple({"generation": n, "best_distance_m": 2.0 - 0.5 * n} for n in range(3))
    path = tmp_path / "report.html"
    for report in (GeneratorReport(table, (0, 1, 4)), None):
        data = page_data(replace(result, generator_report=report))
        path.write_text(render("generations", data), encoding="utf-8")
        with opened(browser, path) as page:
            assert page.is_visible("#generations") == (report is not None)
            if report is not None:
                assert "Best distance [m]" in page.inner_text("#generation-table thead")
                assert "keeps 3 of 5 evaluations, 2 of them predicted below" in page.inner_text(
                    "#generations"
                )


def test_why_tests_fail_is_shown(browser: Any, tmp_path: Path) -> None:
    """Mechanisms with counts and a representative; a formula over time with the moment it breaks."""
    formulas = ("always (clearance > 1.5 m)", "eventually (altitude > 2 m)")
    kept = {
        "distance_interval": {"text": "0.2–0.9 m in 80 % of flights", "doubt": "a search chose this test"}
    }
    evaluations = [
        replace(evaluation_at(n, 0.4 + 0.2 * n, north_m=-25.0 + 6.0 * n), details=kept) for n in range(4)
    ]
    shown = page_data(result_with(evaluations, requirements=formulas))
    failing = [test for test in shown["tests"] if test["mechanism"] is not None]
    assert failing and sum(group["count"] for group in shown["mechanisms"]) == len(failing)
    stems = {test["stem"] for test in failing}
    assert all(group["representative"] in stems for group in shown["mechanisms"])
    clearance, altitude = failing[0]["runs"][0]["formulas"]
    assert clearance["breaks_s"] is not None and altitude["breaks_s"] is None
    before = [
        left for t, left in zip(clearance["t"], clearance["left"], strict=True) if t < clearance["breaks_s"]
    ]
    assert before and min(before) >= 0.0 > min(clearance["left"])
    path = tmp_path / "report.html"
    path.write_text(render("why", shown), encoding="utf-8")
    with opened(browser, path) as page:
        page.click("#mechanism-table button")
        assert shown["mechanisms"][0]["mechanism"] in page.inner_text("#mechanisms")
        assert page.is_visible("#margin-figure")
        assert page.inner_text("#formula option >> nth=0") == formulas[0]
        assert "Violated by" in page.inner_text("#formula-sentence")
        page.select_option("#formula", "1")
        assert "Violated by" not in page.inner_text("#formula-sentence")
        facts = page.inner_text("#facts")
        assert (
            "0.2–0.9 m in 80 % of flights (not guaranteed: a search chose this test)" in facts
            and "How it fails" in facts
        )


def test_hostile_names_are_text(browser: Any, report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    assert "<script>document.title" not in text and "<img src=x" not in text
    with opened(browser, report) as page:
        assert page.title() != "owned" and page.locator("img").count() == 0
        assert page.inner_text("#title").startswith("</script>")


def test_the_page_loads_nothing(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", text)
    assert "default-src 'none'" in text
    assert len(text) < 5_000_000


def test_a_campaign_without_failures_says_so(browser: Any, tmp_path: Path) -> None:
    result = result_with([evaluation_at(n, 3.0, fly=False) for n in range(3)])
    path = tmp_path / "report.html"
    path.write_text(render("none", page_data(result)), encoding="utf-8")
    with opened(browser, path) as page:
        assert page.inner_text("#no-tests").startswith("No test failed")


def test_embedded_json_is_read_back_and_cannot_end_its_element() -> None:
    data = {"a": "</script>\u2028&<!--", "b": [1, None]}
    text = embed_json(data)
    assert "<" not in text and json.loads(text) == data
