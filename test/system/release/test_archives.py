"""Wheel and source archive are complete: one cannot tell from them which tree they were built in."""

from __future__ import annotations

import email
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from uav_testgen import __version__

from . import builds

ROOT = builds.ROOT
MADE_BY_THE_BUILD = ("PKG-INFO", "uav_testgen.egg-info/")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A source archive and a wheel, both built from a copy of the tree."""
    folder = tmp_path_factory.mktemp("archives")
    tree = builds.copy_of_the_tree(folder)
    source = builds.build("sdist", tree, folder / "dist")
    return source, builds.build("wheel", tree, folder / "dist")


def tracked() -> set[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return {name for name in filter(None, listed.stdout.split("\0")) if (ROOT / name).is_file()}


def test_the_source_archive_holds_the_repository(archives: tuple[Path, Path]) -> None:
    inside = {name for name in builds.names_in(archives[0]) if not name.startswith(MADE_BY_THE_BUILD)}
    missing = tracked() - inside
    assert not missing, f"name them in MANIFEST.in: {sorted(missing)[:10]}"


def test_a_wheel_built_from_the_source_archive_is_the_same(
    archives: tuple[Path, Path], tmp_path: Path
) -> None:
    unpacked = builds.unpack(archives[0], tmp_path / "unpacked")
    again = builds.build("wheel", unpacked, tmp_path / "again")
    assert builds.names_in(again) == builds.names_in(archives[1])


def test_the_wheel_holds_the_package_and_what_it_reads(archives: tuple[Path, Path]) -> None:
    inside = builds.names_in(archives[1])
    data = {name.partition(".data/data/share/uav_testgen/")[2] for name in inside if ".data/" in name}
    wanted = {name for name in tracked() if name.startswith(("uav_testgen/", "config/", "launch/", "rviz/"))}
    missing = {name for name in wanted if name not in inside and name not in data}
    assert not missing, f"name them in setup.py: {sorted(missing)[:10]}"


def test_the_metadata_says_what_is_needed(archives: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(archives[1]) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        fields = email.message_from_bytes(wheel.read(name))
    assert fields["Requires-Python"] == ">=3.10" and fields["Version"] == __version__
    needed = [str(value) for value in fields.get_all("Requires-Dist", [])]
    assert {"numpy<2.5,>=1.26", "numba>=0.61"} <= set(needed)
    assert {"open3d", "ros", "ray", "studio", "pandas", "docs", "test", "dev"} == set(
        fields.get_all("Provides-Extra", [])
    )


def test_the_comparison_can_fail(tmp_path: Path) -> None:
    """A folder that MANIFEST.in forgets is missed."""
    tree = builds.copy_of_the_tree(tmp_path)
    manifest = tree / "MANIFEST.in"
    manifest.write_text(manifest.read_text().replace("graft msg\n", ""))
    inside = builds.names_in(builds.build("sdist", tree, tmp_path / "dist"))
    shutil.rmtree(tree)
    assert "msg/Scenario.msg" not in inside and "uav_testgen/api.py" in inside
