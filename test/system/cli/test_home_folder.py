"""What a command leaves in a home folder: what SECURITY.md names, and nothing else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from uav_testgen.core.compile_cache import use_cache_folder
from uav_testgen.testing.commands import command


def test_nothing_but_what_is_named_is_written_at_home(tmp_path: Path, project_root: Path) -> None:
    use_cache_folder()  # kernels are not what this is about
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir()
    moved = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR", "ROS_LOG_DIR", "ROS_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in moved}
    done = subprocess.run(
        command("fly", "two_walls", "--backend", "still", "--plot", "--out", out),
        capture_output=True, text=True, timeout=240, env={**environment, "HOME": str(home)},
    )  # fmt: skip
    assert done.returncode == 1 and (out / "flight.png").is_file(), done.stderr
    folders = {path.parent.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}
    named = {".cache/matplotlib", ".ros/log"}
    assert folders <= named, folders
    security = (project_root / "SECURITY.md").read_text()
    assert all(f"~/{folder}" in security for folder in named)
