"""A page chooses among what ships; it never names code or files."""

from __future__ import annotations

from typing import Any

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.view.studio.choices import choices_json, read_scene, read_settings


@pytest.mark.parametrize(
    "settings",
    [
        {"planner": "evil.py:Planner"}, {"system": "/etc/passwd.yaml"}, {"camera": "../x.yaml"}, {"renderer": "open3d"},
        {"changes": {}}, ["system"], {"system": {"name": "x"}},
    ],
)  # fmt: skip
def test_code_files_and_other_settings_are_refused(settings: Any) -> None:
    with pytest.raises(ConfigError):
        read_settings(settings)


def test_shipped_parts_are_accepted() -> None:
    assert read_settings({"system": "paper", "planner": "", "camera": None}) == {"system": "paper"}
    assert read_settings(None) == {}


def test_scenes_of_the_page_are_checked() -> None:
    good = load_scene("two_walls").model_dump(mode="json")
    assert read_scene(good).obstacles == load_scene("two_walls").obstacles
    for bad in (None, [], {}, {**good, "surprise": 1}, {**good, "obstacles": [{"size_m": [0, 0, 0]}]}):
        with pytest.raises(ConfigError):
            read_scene(bad)


def test_menus_come_from_the_declarations() -> None:
    menus = choices_json()["menus"]
    wind = {one["name"]: one for one in menus["wind"]}
    assert (wind["velocity_mean_mps"]["low"], wind["velocity_mean_mps"]["high"]) == (0.0, 60.0)
    words = {one["name"]: one["words"] for one in menus["terrain"]}
    assert words["landform"] == ["flat", "depression", "elevation", "steep_transition"]
    assert {one["name"] for one in menus["motion"]} >= {"speed_mps", "start_s", "mode"}
