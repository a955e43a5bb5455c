"""One self-contained HTML page: style, script and data inside, nothing loaded from anywhere.

The data is embedded as JSON with every character that could end a script element escaped, the script
sets text only as text, and a content security policy lets only this very script run.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path
from typing import Any

from uav_testgen.view.shape_script import shape_script

_PAGE = Path(__file__).resolve().parent / "page"


def render(title: str, data: dict[str, Any]) -> str:
    """The page as text."""
    parts = [part.read_text(encoding="utf-8") for part in sorted(_PAGE.glob("*.js"))]
    script = "\n".join([shape_script(), *parts])
    style = (_PAGE / "page.css").read_text(encoding="utf-8")
    filled = {
        "title": html.escape(title),
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; script-src '{_hash(script)}'",
        "style": style,
        "data": embed_json(data),
        "script": script,
    }
    page = (_PAGE / "page.html").read_text(encoding="utf-8")
    # Split once on the marks: what is filled in is never searched for marks again.
    pieces = page.split("@@")
    return "".join(filled[piece] if index % 2 else piece for index, piece in enumerate(pieces))


def embed_json(data: Any) -> str:
    """JSON that is safe inside a script element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # Lone surrogates cannot be written as UTF-8; no reader needs them.
    text = text.encode("utf-8", "replace").decode("utf-8")
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
