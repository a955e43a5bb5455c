"""Tables on Markdown pages that a command makes: where they stand, and under which circumstances they were made."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from uav_testgen.backend.registry import check_settings
from uav_testgen.core.errors import InputFileError
from uav_testgen.work.versions import host_facts, versions


def replace_between(path: Path, name: str, text: str) -> None:
    """Put a table between its two marks, `<!-- name: begin -->` and `<!-- name: end -->`."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    page = path.read_text(encoding="utf-8")
    if begin not in page or end not in page:
        raise InputFileError(f"{path}: the marks '{begin}' and '{end}' are missing")
    before, _, rest = page.partition(begin)
    path.write_text(f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")


def measured_on(facts: Mapping[str, Any]) -> str:
    """Date, commit, versions and machine, after what the caller adds."""
    said = {
        **facts,
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "commit": _commit(),
        **versions(),
        **host_facts(),
    }
    return "Measured with " + ", ".join(f"{name} {value}" for name, value in said.items() if value) + "."


def preset_of(backend: str, settings: Mapping[str, Any]) -> str:
    """Name and version of the system a simulating backend flies; empty for others."""
    checked = check_settings(backend, dict(settings))
    return str(checked.assembled().label) if hasattr(checked, "assembled") else ""


def _commit() -> str:
    """The commit of the tree that runs; empty outside a clone."""
    try:
        ran = subprocess.run(
            ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--exclude", "*"],
            capture_output=True,
            text=True,
            check=False,
            timeout=10,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""
