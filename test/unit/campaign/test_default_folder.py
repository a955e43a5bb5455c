"""Where a search writes when nobody says where."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.campaign.case import load_case
from uav_testgen.campaign.generate import default_folder
from uav_testgen.scenario.arena import Arena


def test_each_generator_and_seed_has_a_folder_of_its_own() -> None:
    case = load_case("mission2", Path(), Arena())
    folders = [
        default_folder(case, "prgen", 1),
        default_folder(case, "hunt", 1),
        default_folder(case, "hunt", 2),
        default_folder(case, "somewhere/mine.py:Walls", 1),
    ]
    assert [folder.as_posix() for folder in folders] == [
        "results/mission2-prgen-1",
        "results/mission2-hunt-1",
        "results/mission2-hunt-2",
        "results/mission2-Walls-1",
    ]
