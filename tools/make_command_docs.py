"""Writes docs/reference/commands.md, json.md and the JSON schemas from the parsers and models; `--check` compares."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from uav_testgen.cli._answers.table import ANSWERS  # noqa: E402
from uav_testgen.cli._catalogue import EXAMPLES, groups_of  # noqa: E402
from uav_testgen.cli._parser import help_of  # noqa: E402
from uav_testgen.cli.main import build_parser  # noqa: E402

REFERENCE = ROOT / "docs" / "reference"
MADE = "Written by `make docs` from the code; do not edit by hand."


def main() -> int:
    """Write the pages, or with --check compare them."""
    pages = {REFERENCE / "commands.md": commands_page(), REFERENCE / "json.md": json_page(), **schemas()}
    stale = [path for path, text in pages.items() if not path.is_file() or path.read_text("utf-8") != text]
    known = set(pages)
    stale += [path for path in (REFERENCE / "json").glob("*.json") if path not in known]
    if "--check" in sys.argv[1:]:
        names = ", ".join(str(path.relative_to(ROOT)) for path in stale)
        print(f"stale: {names}; run `make docs`" if stale else "the pages of the commands are fresh")
        return 1 if stale else 0
    for path in stale:
        if path not in known:
            path.unlink()
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_text(pages[path], encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Every command with its parser."""
    top = build_parser()
    (action,) = [one for one in top._actions if isinstance(one, argparse._SubParsersAction)]
    return dict(action.choices)


def commands_page() -> str:
    """All commands with all options."""
    found = parsers()
    lines = ["# Commands", "", MADE, ""]
    lines += ["`uav-testgen COMMAND --help` shows the same. Exit codes are the same for every command:"]
    lines += ["[errors.md](errors.md). What `--json` prints: [json.md](json.md).", ""]
    for title, names in groups_of(list(found)).items():
        lines += [f"## {title[0].upper()}{title[1:]}", ""]
        for name in names:
            lines += _command(name, found[name])
    return "\n".join(lines).rstrip() + "\n"


def _command(name: str, parser: argparse.ArgumentParser) -> list[str]:
    actions = [one for one in parser._actions if not isinstance(one, argparse._HelpAction)]
    positional = [_shown(one) for one in actions if not one.option_strings]
    lines = [f"### {name}", "", _sentence(parser.description or ""), "", "```sh"]
    lines += [" ".join(["uav-testgen", name, *positional, "[options]"])]
    lines += [EXAMPLES[name], "```", "", "| argument | meaning |", "|---|---|"]
    lines += [f"| `{_shown(one)}` | {_sentence(help_of(one))} |" for one in actions]
    return [*lines, ""]


def _shown(action: argparse.Action) -> str:
    if action.choices is not None and action.metavar is None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    else:
        value = str(action.metavar or action.dest.upper())
    if not action.option_strings:
        return {"?": f"[{value}]", "+": f"{value} ..."}.get(str(action.nargs), value).replace("|", "\\|")
    names = ", ".join(action.option_strings)
    return names if action.nargs == 0 else f"{names} {value}".replace("|", "\\|")


def _sentence(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def json_page() -> str:
    """Fields of every answer."""
    lines = ["# What `--json` prints", "", MADE, ""]
    lines += [
        "Every command takes `--json` and prints one JSON document on stdout; progress and notes go to stderr."
    ]
    lines += [
        "Where a field depends on what ran, the named ones below are always there and others may follow."
    ]
    lines += ["The schema of each answer (JSON Schema 2020-12) is in `docs/reference/json/`.", ""]
    for name, models in sorted(ANSWERS.items()):
        lines += [f"## {name}", ""]
        for model in models:
            lines += [_sentence(model.__doc__ or ""), ""]
            lines += _fields(model.model_json_schema())
        lines += [f"Schema: `docs/reference/json/{name}.schema.json`", ""]
    return "\n".join(lines).rstrip() + "\n"


def _fields(schema: dict[str, Any]) -> list[str]:
    lines = []
    for title, part in [("", schema), *schema.get("$defs", {}).items()]:
        rows = [
            f"| `{name}` | {_kind(field)} | {_sentence(field.get('description', ''))} |"
            for name, field in part.get("properties", {}).items()
        ]
        if rows:
            lines += [f"`{title}`:", ""] if title else []
            lines += ["| field | type | meaning |", "|---|---|---|", *rows, ""]
    return lines


def _kind(field: dict[str, Any]) -> str:
    if "$ref" in field:
        return f"`{field['$ref'].rpartition('/')[2]}`"
    if "anyOf" in field:
        return " or ".join(_kind(one) for one in field["anyOf"])
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    kind = str(field.get("type", "any"))
    return f"list of {_kind(field['items'])}" if kind == "array" and field.get("items") else kind


def schemas() -> dict[Path, str]:
    """One schema file for each command."""
    found = {}
    for name, models in ANSWERS.items():
        parts = [model.model_json_schema() for model in models]
        schema = parts[0] if len(parts) == 1 else {"anyOf": parts}
        text = json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=1)
        found[REFERENCE / "json" / f"{name}.schema.json"] = text + "\n"
    return found


if __name__ == "__main__":
    sys.exit(main())
