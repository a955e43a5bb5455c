"""Writes the published JSON schema of logical scenarios from its model and the shipped range table."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.scenario.logical.range_table import load_table
from uav_testgen.scenario.logical.schema import SCHEMA_FILE, schema_text

PAGE = Path(__file__).resolve().parents[1] / "config" / "stella" / SCHEMA_FILE


def main() -> None:
    """Write it."""
    PAGE.write_text(schema_text(load_table("px4", Path())), encoding="utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
