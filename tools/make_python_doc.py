"""Writes docs/reference/python.md from the docstrings of the public names; `--check` compares."""

from __future__ import annotations

import inspect
import sys
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import uav_testgen  # noqa: E402
from uav_testgen import api  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "python.md"
HEAD = """# Python

Written by `make docs` from the docstrings; do not edit by hand.

`import uav_testgen` offers these names; `help(name)` shows the same. Everything else is reached through its package,
such as `from uav_testgen.oracle import Verdict, judge`, and may change between versions.
"""


def main() -> int:
    """Write the page, or with --check compare it."""
    text = page()
    if "--check" in sys.argv[1:]:
        fresh = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text
        print("docs/reference/python.md is " + ("fresh" if fresh else "stale: run `make docs`"))
        return 0 if fresh else 1
    PAGE.write_text(text, encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0


def page() -> str:
    """Functions first, then the values they take and give."""
    names = [name for name in uav_testgen.__all__ if not name.startswith("_")]
    functions = {name: getattr(api, name) for name in names if name[0].islower()}
    kinds = {name: getattr(uav_testgen, name) for name in names if name[0].isupper()}
    parts = [HEAD, "## Functions\n"]
    parts += [
        f"### {name}\n\n```text\n{_signature(name, it)}\n```\n\n{_words(it)}\n"
        for name, it in functions.items()
    ]
    parts.append("## Values\n")
    parts += [f"### {name}\n\n{_words(kind)}\n{_members(kind)}" for name, kind in kinds.items()]
    return "\n".join(parts).rstrip() + "\n"


def _signature(name: str, function: Any) -> str:
    lines = []
    for parameter in inspect.signature(function).parameters.values():
        text = f"    {parameter.name}: {parameter.annotation}"
        if parameter.default is not inspect.Parameter.empty:
            text += f" = {parameter.default!r}"
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "    *," not in lines:
            lines.append("    *,")
        lines.append(text + ",")
    result = inspect.signature(function).return_annotation
    return "\n".join([f"{name}(", *lines, f") -> {result}"])


def _words(it: Any) -> str:
    """The docstring; its indented examples as code."""
    lines, code = [], False
    for line in inspect.getdoc(it).splitlines():
        indented = line.startswith("    ")
        if indented != code and (indented or line.strip()):
            lines.append("```text" if indented else "```")
            code = indented
        lines.append(line.removeprefix("    ") if code else line)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join([*lines, "```"] if code else lines)


def _members(kind: Any) -> str:
    """Fields, properties and methods of its own, with the first sentence of each."""
    annotations = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("uav_testgen"):
            annotations |= inspect.get_annotations(base)
    rows = [
        f"| `{name}` | `{_plain(text)}` |"
        for name, text in annotations.items()
        if not name.startswith(("_", "model_"))
    ]
    for name, member in vars(kind).items():
        if name.startswith(("_", "model_")) or name in annotations:
            continue
        is_value = isinstance(member, (property, cached_property))
        inner = (
            getattr(member, "fget", None)
            or getattr(member, "func", None)
            or getattr(member, "__func__", member)
        )
        said = (inspect.getdoc(inner) or "").partition("\n")[0] if callable(inner) else ""
        if said:
            shown = name if is_value else f"{name}()"
            rows.append(f"| `{shown}` | {said.replace('|', chr(92) + '|')} |")
    return "\n".join(["", "| member | |", "|---|---|", *rows, ""]) if rows else ""


def _plain(annotation: Any) -> str:
    return str(annotation).replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
