"""The page in a real browser: it works from the file system, shows the flights and runs nothing foreign."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.confirm import Confirmation
from uav_testgen.campaign.observe import Progress
from uav_testgen.campaign.ranking import choose_suite
from uav_testgen.campaign.runner import CampaignResult, SuiteTest
from uav_testgen.campaign.screening import FlownRun
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.testing.evaluations import evaluation_at
from uav_testgen.testing.still_backend import StillBackend
from uav_testgen.view.data import page_data
from uav_testgen.view.html import embed_json, render

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>"


def result_with(evaluations: list[Evaluation], name: str = "page") -> CampaignResult:
    config = CampaignConfig(name=name, case="mission2", screening={"backend": "still"})
    ranking = config.ranking.model_copy(update={"min_path_distance_m": 0.0})
    ranked = choose_suite(evaluations, 1.5, ranking, ScatterConfig().error)
    tests = []
    for rank, test in enumerate(ranked, start=1):
        scenario = test.evaluation.scenario
        flight = StillBackend().fly(scenario, rank)
        run = FlownRun(0, test.evaluation.number, 0, flight, judge(scenario, flight))
        confirmation = Confirmation("px4", (run,)) if rank == 1 else None
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
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    evaluations = [
        evaluation_at(n, 0.4 + 0.2 * n, north_m=-25.0 + 6.0 * n, runs=(2.0, 0.6) if n == 0 else ())
        for n in range(7)
    ]
    result = result_with([*evaluations, hostile_evaluation()], name=HOSTILE[:90])
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(result.config.name, page_data(result)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(in_ci: bool) -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        reason = "no Chromium on this machine; install 'chromium' to test the report page"
        pytest.fail(reason, pytrace=False) if in_ci else pytest.skip(reason)
    return found


def opened(browser: str, path: Path, *options: str) -> str:
    """The page after its script ran, as markup; what the browser complains about fails the test."""
    words = [
        browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
        f"--user-data-dir={path.parent / 'profile'}", "--virtual-time-budget=4000", *options,
    ]  # fmt: skip
    done = subprocess.run([*words, "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=240)
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not complaints, complaints
    return done.stdout


def test_the_page_comes_up_and_shows_the_tests(browser: str, page: Path) -> None:
    shown = opened(browser, page)
    assert 'data-ready="yes"' in shown
    rows = re.findall(r"<tr tabindex=.*?</tr>", shown, re.S)
    assert len(rows) == 7, "0.4 to 1.4 m, and the hostile one"
    assert "predicted" in shown and "flown on PX4" in shown
    assert "chosen" in rows[0]
    assert "Distance to the nearest obstacle" in shown and "diversity of the suite" in shown


def test_a_flaky_test_is_called_so(browser: str, page: Path) -> None:
    shown = opened(browser, page)
    assert len(re.findall(r'class="pill flaky"[^>]*>1/2 flaky<', shown)) == 1


def test_a_search_by_generations_is_shown(browser: str, tmp_path: Path) -> None:
    result = result_with([evaluation_at(n, 0.4 + 0.5 * n, north_m=-25.0 + 6.0 * n) for n in range(5)])
    rows = tuple({"generation": n, "best_distance_m": 2.0 - 0.5 * n} for n in range(3))
    path = tmp_path / "report.html"
    for report in (GeneratorReport(rows, (0, 1, 4)), None):
        page = page_data(replace(result, generator_report=report))
        path.write_text(render("generations", page), encoding="utf-8")
        shown = opened(browser, path)
        assert 'data-ready="yes"' in shown
        assert ('<section class="card" id="generations">' in shown) == (report is not None)
        assert ("Best distance [m]</th>" in shown) == (report is not None)
        assert ("keeps 3 of 5 evaluations, 2 of them predicted below" in shown) == (report is not None)


def test_hostile_names_are_text(browser: str, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "<script>document.title" not in text and "<img src=x" not in text
    shown = opened(browser, page)
    title = re.search(r"<title>(.*?)</title>", shown, re.S)
    assert title is not None and title.group(1) != "owned"
    assert "<img" not in shown


def test_the_page_loads_nothing(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", text)
    assert "default-src 'none'" in text
    assert len(text) < 5_000_000


def test_a_campaign_without_failures_says_so(browser: str, tmp_path: Path) -> None:
    result = result_with([evaluation_at(n, 3.0, fly=False) for n in range(3)])
    path = tmp_path / "report.html"
    path.write_text(render("none", page_data(result)), encoding="utf-8")
    shown = opened(browser, path)
    assert 'data-ready="yes"' in shown
    assert re.search(r'<p class="empty" id="no-tests">No test failed', shown)


def test_a_picture_can_be_taken(browser: str, page: Path, tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    opened(browser, page, "--window-size=1300,2200", f"--screenshot={picture}")
    assert picture.stat().st_size > 50_000, "a blank page would be far smaller"


def test_filters_slider_player_and_view_answer(browser: str, page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>', text)
    assert policy is not None
    reader = Path(__file__).with_name("reader.js").read_text(encoding="utf-8")
    # The policy keeps foreign scripts out, this one too.
    driven = tmp_path / "driven.html"
    driven.write_text(text.replace(policy.group(0), "") + f"<script>{reader}</script>", encoding="utf-8")
    found = re.search(r'<pre id="answers">(.*?)</pre>', opened(browser, driven), re.S)
    assert found is not None, "the script came to its end"
    answers = json.loads(found.group(1))
    distances = answers.pop("sorted")
    assert distances == sorted(distances) and len(distances) == 7
    assert answers == {
        "by_name": 1, "refuted": 1, "hard": 0, "all_again": 7, "chosen": 2, "heading_names_it": True,
        "clock_moves": True, "turns": True, "zooms": True, "plays": True, "theme_changes": True,
    }  # fmt: skip


def test_embedded_json_is_read_back_and_cannot_end_its_element() -> None:
    data = {"a": "</script>\u2028&<!--", "b": [1, None]}
    text = embed_json(data)
    assert "<" not in text and json.loads(text) == data
