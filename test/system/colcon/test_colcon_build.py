"""The build a ROS user does: colcon over both packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_colcon_builds_both_packages(project_root: Path) -> None:
    for module in ("colcon_core", "rclpy", "uav_testgen_msgs"):
        pytest.importorskip(module)
    result = subprocess.run(
        [sys.executable, str(project_root / "tools" / "colcon_check.py")],
        cwd=project_root,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    assert "both packages are complete" in result.stdout
