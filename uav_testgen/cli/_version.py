"""Version and commit of what is running."""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path
from typing import Any

from uav_testgen import __version__

PACKAGE = Path(__file__).resolve().parents[1]
RECORDED = "commit.txt"
"""Written into the package by setup.py when an archive or a wheel is built from a clone."""
_LIMIT_S = 5.0


def version_line(package: Path = PACKAGE) -> str:
    """`uav-testgen 0.2.0 (commit 1234abc)`; without the bracket where nobody knows the commit."""
    commit = commit_of(package)
    return f"uav-testgen {__version__}" + (f" (commit {commit})" if commit else "")


def commit_of(package: Path = PACKAGE) -> str:
    """Of the clone the package lies in, with `-dirty` if files were changed; else as recorded; else empty."""
    if (package.parent / ".git").exists():
        words = [
            "git",
            "-C",
            str(package.parent),
            "describe",
            "--always",
            "--dirty",
            "--abbrev=7",
            "--exclude=*",
        ]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=_LIMIT_S)
        except (OSError, ValueError, subprocess.SubprocessError):
            return ""
        return done.stdout.strip() if done.returncode == 0 else ""
    try:
        return (package / RECORDED).read_text(encoding="utf-8").strip()[:60]
    except (OSError, ValueError):
        return ""


class ShowVersion(argparse.Action):
    """--version; git is asked only then."""

    def __init__(self, option_strings: list[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *unused: object) -> None:
        """Print and leave."""
        print(version_line())
        parser.exit()
