"""Writes docs/reference/parameters.md from the configuration objects; `--check` only says whether it is fresh."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from uav_testgen.core.config import RoomConfig

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "parameters.md"
HEAD = """# Parameters

Written by `make docs` from the configuration objects in the code; do not edit by hand.

Each table is one object. In a YAML file the names are keys; on a ROS node they are parameters. A wrong key,
type or bound is refused with the file, the field and the rule.
"""


def main() -> int:
    """Write the page, or with --check compare it."""
    text = page()
    if "--check" in sys.argv[1:]:
        fresh = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text
        print(
            "docs/reference/parameters.md is fresh"
            if fresh
            else "docs/reference/parameters.md is stale: run `make docs`"
        )
        return 0 if fresh else 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0


def page() -> str:
    """The whole page."""
    return HEAD + "".join(table(model) for model in config_models())


def config_models() -> list[type[RoomConfig]]:
    """Every configuration object of the package, in the order of module and name."""
    for file in sorted((ROOT / "uav_testgen").rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        if "RoomConfig" in file.read_text(encoding="utf-8") and parts[-1] != "__init__":
            importlib.import_module(".".join(parts))
    found = {model for model in _below(RoomConfig) if model.__module__.startswith("uav_testgen.")}
    return sorted((model for model in found if model.model_fields), key=lambda m: (m.__module__, m.__name__))


def _below(model: type[RoomConfig]) -> Iterator[type[RoomConfig]]:
    for child in model.__subclasses__():
        yield child
        yield from _below(child)


def table(model: type[RoomConfig]) -> str:
    """Heading, first sentence and one row for each field."""
    summary = (model.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
    rows = [
        " | ".join(
            [f"| `{name}`", _kind(field), _default(field), _limits(field), _meaning(field), ""]
        ).rstrip()
        for name, field in model.model_fields.items()
    ]
    head = "| name | type | default | allowed | meaning |\n|---|---|---|---|---|\n"
    title = f"\n## {model.__name__}\n\n`{model.__module__}` — {' '.join(summary.split())}\n\n"
    return title + head + "\n".join(rows) + "\n"


def _kind(field: FieldInfo) -> str:
    annotation: Any = field.annotation
    name = annotation.__name__ if isinstance(annotation, type) else _without_validators(str(annotation))
    for noise in ("typing.", "collections.abc."):
        name = name.replace(noise, "")
    # Full module paths and validators say nothing to a user.
    words = "".join(c if c.isalnum() or c in "._" else " " for c in name).split()
    for word in sorted((w for w in words if "." in w and not w[0].isdigit()), key=len, reverse=True):
        name = name.replace(word, word.rsplit(".", 1)[-1])
    return f"`{name}`".replace("|", "\\|")


def _without_validators(name: str) -> str:
    """`Annotated[type, AfterValidator(...)]` as the type: validators are named with memory addresses, and
    the bounds of a range stand in a column of their own.
    """
    validator = r", (?:\w+Validator\(func=<[^>]*>\)|Within\([^)]*\))"
    return re.sub(rf"Annotated\[([^\[\]]+\[[^\[\]]+\])(?:{validator})+\]", r"\1", name)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "*required*"
    value = field.get_default(call_default_factory=True)
    if isinstance(value, BaseModel):
        return f"see {type(value).__name__}"
    value = getattr(value, "value", value)
    return "—" if value is None else f"`{value!r}`".replace("|", "\\|")


def _limits(field: FieldInfo) -> str:
    signs = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤", "min_length": "length ≥", "max_length": "length ≤"}
    rules = [
        f"{sign} {getattr(rule, key)}"
        for rule in field.metadata
        for key, sign in signs.items()
        if getattr(rule, key, None) is not None
    ]
    choices = [str(choice.value) for choice in field.annotation] if _is_enum(field.annotation) else []
    return ", ".join(rules or choices)


def _is_enum(annotation: Any) -> bool:
    return isinstance(annotation, type) and hasattr(annotation, "__members__")


def _meaning(field: FieldInfo) -> str:
    return " ".join((field.description or "").split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
