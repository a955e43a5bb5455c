"""How values show themselves in notebooks: a small table, and a plan view where there is one. Everything is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

_WIDTH = 320.0
_MARGIN = 8.0


def table_html(title: str, rows: Iterable[tuple[str, Any]], drawing: str = "") -> str:
    """A titled table of names and values; None is left out."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(str(name))}</th>"
        f"<td style='text-align:left'>{html.escape(_text(value))}</td></tr>"
        for name, value in rows
        if value is not None
    )
    return f"<div><b>{html.escape(title)}</b><table>{cells}</table>{drawing}</div>"


def _text(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def plan_view(lines: Sequence[Any], areas: Sequence[Any] = ()) -> str:
    """An SVG of lines (n, 2+) and areas (n, 2+) seen from above, east to the right; empty without points."""
    flat = [
        np.asarray(one, dtype=np.float64).reshape(-1, np.shape(one)[-1])[:, :2]
        for one in (*lines, *areas)
        if len(one)
    ]
    flat = [one[np.isfinite(one).all(axis=1)] for one in flat]
    points = [one for one in flat if len(one)]
    if not points:
        return ""
    every = np.concatenate(points)
    low, high = every.min(axis=0), every.max(axis=0)
    scale = (_WIDTH - 2 * _MARGIN) / max(float((high - low).max()), 1e-6)
    height = (high - low)[1] * scale + 2 * _MARGIN

    def path(one: Any) -> str:
        at = (np.asarray(one, dtype=np.float64)[:, :2] - low) * scale + _MARGIN
        return " ".join(f"{x:.1f},{height - y:.1f}" for x, y in at)

    shapes = [
        f"<polygon points='{path(area)}' fill='#b8442c' fill-opacity='0.45'/>" for area in areas if len(area)
    ]
    shapes += [
        f"<polyline points='{path(line)}' fill='none' stroke='#1f5fa8' stroke-width='1.5'/>"
        for line in lines
        if len(line)
    ]
    return f"<svg width='{_WIDTH:.0f}' height='{height:.0f}' role='img'>{''.join(shapes)}</svg>"
