"""Commands that fly a test again name the code that files may not name by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.view.fly_again import fly_again


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({}, ""),
        ({"planner": "straight", "requirements": ["max_tilt(limit_deg=30)"]}, ""),
        ({"planner": "mine.py:Mine", "vehicle": "px4"}, " --vehicle px4 --planner mine.py:Mine"),
        (
            {"requirements": ["mine.py:Low(limit_m=9)", "max_tilt"]},
            " --requirement 'mine.py:Low(limit_m=9)' --requirement max_tilt",
        ),
    ],
)
def test_only_code_needs_to_be_named(stated: dict[str, Any], words: str) -> None:
    config = CampaignConfig.model_validate({"case": "mission2", **stated})
    assert fly_again(config, "tests/001.yaml") == "uav-testgen fly tests/001.yaml" + words
