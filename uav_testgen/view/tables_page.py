"""Reports that are tables and pictures, in the campaign report's design: one file, no script, nothing loaded."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from pathlib import Path

from uav_testgen.view.comparison_text import Table

_STYLE = Path(__file__).resolve().parent / "page" / "page.css"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_NUMBER = re.compile(r"[\s\d.,:/%()–−+×*<>=-]*([a-z]{1,3})?")


def tables_page(
    title: str, kind: str, head: Sequence[str], tables: Sequence[Table], pictures: Sequence[Path]
) -> str:
    """The page as text; `kind` says above the title what was done, `head` are the sentences below it."""
    lede = "".join(f'<p class="lede">{html.escape(line.replace("`", ""))}</p>' for line in head if line)
    links = "".join(
        f'<a href="#part-{number}">{html.escape(name)}</a>' for number, (name, _, _) in enumerate(tables, 1)
    )
    parts = [_card(number, *table) for number, table in enumerate(tables, 1)]
    shown = "".join(_figure(picture) for picture in pictures)
    if shown:
        parts.append(f'<section class="card"><h2>Pictures</h2><div class="pictures">{shown}</div></section>')
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{html.escape(title)}</title><style>{_style()}</style></head><body>"
        f'<header class="top"><div class="wrap"><p class="eyebrow">uav_testgen {html.escape(kind)}</p>'
        f"<h1>{html.escape(title)}</h1>{lede}</div></header>"
        f'<main class="wrap"><nav class="contents" aria-label="Contents">{links}</nav>{"".join(parts)}</main>'
        "</body></html>\n"
    )


def _style() -> str:
    """The report's style; without a script the colours follow the reader's system."""
    style = _STYLE.read_text(encoding="utf-8")
    dark = re.search(r'\[data-theme="dark"\] \{(.*?)\}', style, re.DOTALL)
    assert dark is not None, "page.css declares the dark palette"
    return f"{style}\n@media (prefers-color-scheme: dark) {{ :root {{{dark[1]}}} }}"


def _card(number: int, title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    numeric = [all(_NUMBER.fullmatch(row[k]) for row in rows if k < len(row)) for k in range(len(header))]
    head = "".join(_cell("th", k, text, numeric) for k, text in enumerate(header))
    body = "".join(
        f"<tr>{''.join(_cell('td', k, text, numeric) for k, text in enumerate(row))}</tr>" for row in rows
    )
    table = f'<table class="list"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    empty = "" if rows else '<p class="empty">Nothing to show: no run has finished yet.</p>'
    return (
        f'<section class="card" id="part-{number}"><h2>{html.escape(title)}</h2>'
        f'<div class="table-scroll whole" tabindex="0" role="region" aria-label="{html.escape(title)}">'
        f"{table}</div>{empty}</section>"
    )


def _cell(tag: str, column: int, text: str, numeric: Sequence[bool]) -> str:
    names = [' scope="col"'] if tag == "th" else []
    if column < len(numeric) and numeric[column]:
        names.append(' class="num"')
    return f"<{tag}{''.join(names)}>{html.escape(text)}</{tag}>"


def _figure(picture: Path) -> str:
    image = base64.b64encode(picture.read_bytes()).decode()
    name = html.escape(picture.stem.replace("-", " ").replace("_", " "))
    return f'<figure><figcaption>{name}</figcaption><img alt="{name}" src="data:image/png;base64,{image}"></figure>'
