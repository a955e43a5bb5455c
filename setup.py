"""Build description for both worlds: `pip install -e .` and `colcon build` (ament_python)."""

from __future__ import annotations

from pathlib import Path

from setuptools import find_packages, setup

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


setup(
    name=NAME,
    version="0.1.0",
    description="Finds situations in which an autonomous drone flies dangerously close to an obstacle.",
    license="BSD-3-Clause",
    python_requires=">=3.10",
    extras_require={"ray": ["ray>=2.50"], "studio": ["starlette>=1.0", "uvicorn>=0.40", "websockets>=15.0"]},
    packages=find_packages(include=[NAME, f"{NAME}.*"]),
    package_data={NAME: ["py.typed", "**/*.html", "**/*.css", "**/*.js", "**/*.yaml"]},
    data_files=shared_files(),
    zip_safe=False,
    entry_points={"console_scripts": [f"uav-testgen = {NAME}.cli.main:main", *node_executables()]},
)
