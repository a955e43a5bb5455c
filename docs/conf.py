"""Settings of the documentation site: `make docs-site` builds it from the Markdown pages beside this file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent

project = "uav_testgen"
author = "the uav_testgen authors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = "uav_testgen"
html_show_sphinx = False
html_show_copyright = False
# Options and formulas in running text are copied into shells: -- stays --, quotes stay straight.
smartquotes = False
myst_heading_anchors = 3
# Programs run in tests are fenced "python no-run" or "bash run": coloured like any other.
suppress_warnings = ["misc.highlighting_failure"]

_LINK = re.compile(r"\[([^\]\n]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def _keep_inside(app: Any, page: str, source: list[str]) -> None:
    """A link to a file of the project outside docs/ becomes its name: the site holds the pages only."""
    folder = (DOCS / page).parent

    def replaced(match: re.Match[str]) -> str:
        target = (folder / match[2]).resolve()
        if target.is_relative_to(DOCS) or not target.exists():
            return match[0]  # Sphinx complains about those that lead nowhere
        return f"{match[1]} (`{target.relative_to(DOCS.parent)}`)"

    source[0] = _LINK.sub(replaced, source[0])


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _keep_inside)
