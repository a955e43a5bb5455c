"""What the tutorials show as a command's answer is its answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from uav_testgen import predict
from uav_testgen.cli._prediction import distance_lines, heading_of
from uav_testgen.scenario.formats.aerialist import load_test
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.plan_file import save_plan
from uav_testgen.scenario.model import Scenario

TUTORIALS = Path(__file__).resolve().parents[3] / "docs" / "tutorial"


def text_of(page: str) -> str:
    return (TUTORIALS / page).read_text(encoding="utf-8")


def block(page: str, language: str, beginning: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", text_of(page), re.DOTALL)
    return next(one for one in found if one.startswith(beginning))


@pytest.fixture
def phrase_book_test(tmp_path: Path) -> Scenario:
    """The Aerialist test of the phrase book, its plan beside it."""
    path = tmp_path / "my_test.yaml"
    path.write_text(block("from_aerialist.md", "yaml", "# my_test.yaml"))
    save_plan(tmp_path / "mission2.plan", named_mission("mission2"))
    return load_test(path).scenario


def test_the_safe_scene_of_the_first_tutorial() -> None:
    prediction = predict("passes")
    shown = block("first_scene.md", "text", heading_of(prediction, "passes") + "\n")
    for line in distance_lines(prediction):
        assert f"  {line}\n" in shown


def test_the_test_of_the_phrase_book(phrase_book_test: Scenario) -> None:
    prediction = predict(phrase_book_test)
    shown = block("from_aerialist.md", "text", heading_of(prediction, "my_test") + "\n")
    for line in distance_lines(prediction):
        assert f"  {line}\n" in shown


def test_the_same_obstacle_in_both_forms(phrase_book_test: Scenario) -> None:
    obstacle = phrase_book_test.obstacles[0]
    east, north, up = obstacle.center_enu_m
    length, width, height = obstacle.size_m
    text = text_of("from_aerialist.md")
    assert f"`center_enu_m: [{east}, {north}, {up}]`, `yaw_rad: {obstacle.yaw_rad:.3f}`" in text
    assert f"`size_m: [{length}, {width}, {height}]`" in text
