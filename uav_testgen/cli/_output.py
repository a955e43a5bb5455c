"""Printing for people and for machines."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from uav_testgen.core.plain_text import one_line


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Every sub-command speaks JSON on request."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")


def print_json(data: Any) -> None:
    """One JSON document on stdout; NaN is refused, because JSON has none."""
    json.dump(data, sys.stdout, indent=2, allow_nan=False, default=str)
    sys.stdout.write("\n")


def complain(text: str) -> None:
    """One line on stderr, capped and without anything a terminal would obey."""
    print(one_line(f"uav-testgen: {text}"), file=sys.stderr, flush=True)
