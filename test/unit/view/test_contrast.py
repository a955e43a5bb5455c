"""Text of the pages is readable: contrast of every text colour on every ground, light and dark (WCAG 2, AA)."""

from __future__ import annotations

import re

import pytest

from uav_testgen.view.studio import assets

TEXT = ("ink", "soft", "faint", "accent", "hard", "amber", "safe")
GROUNDS = ("card", "paper")
LEAST = 4.5


def colours(theme: str) -> dict[str, str]:
    style = assets.style()
    found = re.search(rf"{re.escape(theme)} \{{(.*?)\n\}}", style, re.DOTALL)
    assert found
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", found[1]))


def brightness(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255.0 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [":root", '[data-theme="dark"]'])
def test_every_text_colour_stands_out(theme: str) -> None:
    found = colours(theme)
    for ground in GROUNDS:
        for text in TEXT:
            one, other = sorted((brightness(found[text]), brightness(found[ground])))
            assert (other + 0.05) / (one + 0.05) >= LEAST, f"{text} on {ground}"
