"""Every scene of the gallery still shows what it is shown for, and stands on the page with its picture."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.scenes import load_scene, scene_names
from uav_testgen.view.shown import figures_of, not_shown

ROOT = Path(__file__).resolve().parents[3]
ENTRIES: list[dict[str, Any]] = yaml.safe_load((ROOT / "config" / "gallery.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_gallery", ROOT / "tools" / "make_gallery.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_gallery"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["scene"]))
def test_a_scene_shows_what_it_is_shown_for(entry: dict[str, Any], tool: ModuleType) -> None:
    prediction, recorded = tool.flown(entry)
    assert not not_shown(figures_of(prediction, recorded), entry["shows"])
    assert not problems(prediction.scenario)
    if "recorded_distance_m" in entry:
        assert prediction.distance_m == pytest.approx(entry["recorded_distance_m"], abs=0.2)
    assert tool.section(entry, prediction) in tool.PAGE.read_text(encoding="utf-8"), "run: make gallery"


def test_every_kind_is_there_with_its_picture() -> None:
    names = [entry["scene"] for entry in ENTRIES]
    assert len(names) >= 8 and set(names) <= set(scene_names())
    for name in names:
        assert (ROOT / "docs" / "images" / "gallery" / f"{name}.png").is_file()
        assert load_scene(name).name
    assert (ROOT / "docs" / "images" / "found_failure.gif").stat().st_size < 1_000_000


def test_a_scene_that_shows_something_else_is_noticed() -> None:
    figures = {"nominal": "pass", "too_close": 0}
    assert not_shown(figures, {"nominal": "pass", "too_close": [0, 1]}) == []
    assert len(not_shown(figures, {"nominal": "soft_fail", "too_close": [1, 5]})) == 2
