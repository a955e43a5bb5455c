"""The command that flies a test of a campaign again."""

from __future__ import annotations

import shlex

from uav_testgen.campaign.config import SYSTEM_PARTS, CampaignConfig
from uav_testgen.core.plugin import is_plugin
from uav_testgen.oracle.requirement import split_text


def fly_again(config: CampaignConfig, file: str) -> str:
    """`uav-testgen fly FILE`; code that the test names is loaded only if the command names it, too."""
    stated = config.screening.settings
    parts = {name: stated[name] for name in SYSTEM_PARTS if isinstance(stated.get(name), str)}
    words: list[str] = []
    if any(is_plugin(value) for name, value in parts.items() if name in ("vehicle", "planner")):
        words += [word for name, value in parts.items() for word in (f"--{name}", value)]
    if any(is_plugin(split_text(text)[0]) for text in config.requirements):
        words += [word for text in config.requirements for word in ("--requirement", text)]
    return shlex.join(["uav-testgen", "fly", file, *words])
