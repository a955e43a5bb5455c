"""Page, style and script of the studio; the report's components are joined in, so both look and draw alike."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from uav_testgen.view.shape_script import shape_script

_OWN = Path(__file__).resolve().parent / "page"
_REPORT = Path(__file__).resolve().parents[1] / "page"
SHARED = ("1_base.js", "2_map.js", "3_space.js", "4_charts.js", "4_player.js")
"""Components of the report that the studio uses as they are."""
DRONE_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2557a7"/>'
    '<path d="M25 16 9 24l4-8-4-8z" fill="#fff"/></svg>'
)


@lru_cache(maxsize=1)
def page() -> str:
    """The one page."""
    return (_OWN / "studio.html").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def script() -> str:
    """The report's components, then the studio's own parts in the order of their names."""
    parts = [_REPORT / name for name in SHARED] + sorted(_OWN.glob("*.js"))
    return "\n".join([shape_script(), *(part.read_text(encoding="utf-8") for part in parts)])


@lru_cache(maxsize=1)
def style() -> str:
    """The report's palette and elements, then the studio's layout."""
    parts = (_REPORT / "page.css", _OWN / "studio.css", _OWN / "rooms.css")
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)
