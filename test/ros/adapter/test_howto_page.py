"""The page "Test your ROS planner" does what it says: its files are written, its commands run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "howto" / "ros_planner.md"
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```\s*$", re.MULTILINE | re.DOTALL)
BLOCKS = {match["info"].split()[-1]: match["body"] for match in FENCE.finditer(PAGE.read_text("utf-8"))}


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    for name in ("my_planner.py", "mine.yaml", "campaign.yaml"):
        (folder / name).write_text(BLOCKS[name], encoding="utf-8")
    return folder


def run(block: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", BLOCKS[block]],
        cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=500,
    )  # fmt: skip


def test_one_flight(workplace: Path) -> None:
    done = run("fly", workplace)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "with planner ros (mine)" in done.stdout and "uncalibrated" in done.stdout
    assert "lock-step, repeatable if the planner is" in done.stdout
    assert "predicted (graph)" in done.stdout


def test_a_campaign(workplace: Path) -> None:
    done = run("campaign", workplace)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert (workplace / "found" / "report.html").is_file()
    assert "error" not in done.stdout.lower(), done.stdout


def test_the_schema_page_is_a_whole_profile(tmp_path: Path) -> None:
    """What the reference shows is what every default is."""
    from uav_testgen.graph.planner_profile import PlannerProfile, load_profile

    text = (PAGE.parents[1] / "reference" / "planner_profile.md").read_text("utf-8")
    shown = tmp_path / "shown.yaml"
    shown.write_text(next(match["body"] for match in FENCE.finditer(text)), encoding="utf-8")
    given, default = load_profile(str(shown)).model_dump(), PlannerProfile().model_dump()
    assert {**given, "description": ""} == default
