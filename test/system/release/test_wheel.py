"""A wheel in an environment with nothing but Python: no ROS, no source tree, none of the extras."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from . import builds

OUR_PROGRAM = "from uav_testgen.cli.main import main; raise SystemExit(main())"
PYTHONS = ("3.10", "3.11", "3.12", "3.13")


class Installed:
    """The program in an empty environment."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.python = programs / "python"
        self._program = programs / "uav-testgen"
        self._folder = folder
        cache = folder / "cache"
        cache.mkdir(mode=0o700)
        self._environment = builds.plain_environment(XDG_CACHE_HOME=str(cache))

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self._program), *words],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
        )

    def python_says(self, code: str) -> str:
        done = subprocess.run(
            [str(self.python), "-c", code], cwd=self._folder, env=self._environment, capture_output=True, text=True
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    return builds.build("wheel", builds.copy_of_the_tree(folder), folder / "dist")


def install(version: str, folder: Path, wheel: Path, in_ci: bool) -> Installed:
    python = builds.interpreter(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed here")
    try:
        return Installed(builds.empty_environment(python, folder, wheel), folder)
    except builds.NotInstallable as error:
        if in_ci:
            raise
        pytest.skip(f"the packages cannot be installed here: {error}")


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "version",
    [
        pytest.param(version, marks=[] if version == builds.this_version() else pytest.mark.slow)
        for version in PYTHONS
    ],
)
def test_a_wheel_alone_predicts_a_flight(version: str, wheel: Path, tmp_path: Path, in_ci: bool) -> None:
    installed = install(version, tmp_path, wheel, in_ci)
    found = installed.python_says(
        "import importlib.util as u, uav_testgen; print(uav_testgen.__file__, "
        "[name for name in ('rclpy', 'open3d', 'ray', 'uvicorn', 'mcap') if u.find_spec(name)])"
    )
    assert found.startswith(str(tmp_path)) and found.endswith("[]"), found

    done = installed.run("fly", "two_walls", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    there = json.loads(done.stdout)
    here = subprocess.run(
        [sys.executable, "-c", OUR_PROGRAM, "fly", "two_walls", "--json", "--out", str(tmp_path / "here")],
        cwd=builds.ROOT,
        capture_output=True,
        text=True,
    )
    ours = json.loads(here.stdout)
    assert there["version"] == ours["version"]
    assert there["prediction"]["distance_m"] == pytest.approx(ours["prediction"]["distance_m"], abs=1e-6)

    # Missions, arenas, systems and fleets travel inside; what needs an extra says which one.
    for words in (("fleet", "package-delivery"), ("graph", "--dry-run")):
        done = installed.run(*words)
        assert done.returncode == 0, done.stderr
    for words, way_out in (
        (("studio", "scenes"), "pip install 'uav_testgen[studio]'"),
        (("graph",), "source a ROS 2 workspace"),
        (("fly", "two_walls", "--backend", "graph"), "source a ROS 2 workspace"),
    ):
        done = installed.run(*words)
        assert done.returncode == 3 and way_out in done.stderr, done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr
