"""Build description for both worlds: `pip install -e .` and `colcon build` (ament_python)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import setuptools
from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
NAME = "uav_testgen"


def node_executables() -> list[str]:
    """One executable for each file `ros/nodes/<name>_node.py`, so `ros2 run` finds every node."""
    files = sorted((ROOT / NAME / "ros" / "nodes").glob("*_node.py"))
    return [f"{file.stem} = {NAME}.ros.nodes.{file.stem}:main" for file in files]


def shared_files() -> list[tuple[str, list[str]]]:
    """Files that ROS looks for under share/uav_testgen, with their folders kept."""
    share = f"share/{NAME}"
    found = [
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (share, ["package.xml"]),
    ]
    for top in ("launch", "config", "rviz"):
        for folder in [ROOT / top, *sorted(path for path in (ROOT / top).rglob("*") if path.is_dir())]:
            files = [str(path.relative_to(ROOT)) for path in sorted(folder.glob("*")) if path.is_file()]
            if files:
                found.append((f"{share}/{folder.relative_to(ROOT)}", files))
    return found


def version() -> str:
    """The one place that says it is the package; setuptools before 61, as on ROS 2 Humble, reads no pyproject."""
    text = (ROOT / NAME / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    assert found is not None
    return found[1]


def record_commit(package: Path) -> None:
    """Write the commit of the clone that is built from into the package, for `uav-testgen --version`."""
    if not (ROOT / ".git").exists() or not package.is_dir():
        return
    words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=7", "--exclude=*"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return  # a version without its commit is a version
    if done.returncode == 0 and done.stdout.strip():
        (package / "commit.txt").write_text(done.stdout, encoding="utf-8")


class BuildWithCommit(build_py):
    """Wheels and colcon installations know their commit; an editable one asks the clone."""

    def run(self) -> None:
        super().run()
        if not getattr(self, "editable_mode", False):
            record_commit(Path(self.build_lib) / NAME)


class ArchiveWithCommit(sdist):
    """So does a source archive, and what is built from it."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        record_commit(Path(base_dir) / NAME)


# `colcon test` knows by the extra `test` that we use pytest; setuptools before 61 does not read it in pyproject.toml.
OLD = {"tests_require": ["pytest"]} if int(setuptools.__version__.split(".")[0]) < 61 else {}

setup(
    name=NAME,
    version=version(),
    packages=find_packages(include=[NAME, f"{NAME}.*"]),
    package_data={NAME: ["py.typed", "commit.txt", "**/*.html", "**/*.css", "**/*.js", "**/*.yaml"]},
    data_files=shared_files(),
    zip_safe=False,
    cmdclass={"build_py": BuildWithCommit, "sdist": ArchiveWithCommit},
    python_requires=">=3.10",
    entry_points={
        "console_scripts": [
            f"uav-testgen = {NAME}.cli._entry:main",
            f"composed_graph = {NAME}.ros.composed:main",
            *node_executables(),
        ],
        # Called like its module, so that naming it with -p as well loads it once.
        "pytest11": [f"{NAME}.testing.planner_regression = {NAME}.testing.planner_regression"],
    },
    **OLD,
)
