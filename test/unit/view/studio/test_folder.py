"""Scenes are opened and saved inside the folder, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.core.errors import ConfigError, InputFileError, StoreError, UavTestgenError
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.view.studio.folder import StudioFolder

SCENE = load_scene("two_walls")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "../a.yaml",
        "/etc/passwd",
        "a/../../b.yaml",
        ".studio/token",
        "a\x00b.yaml",
        "x" * 2000,
        ".",
        "link/a.yaml",
    ],
)
def test_paths_outside_are_refused(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    folder = StudioFolder(root)
    with pytest.raises(InputFileError):
        folder.open(path)
    with pytest.raises(InputFileError):
        folder.save(path, SCENE, "own", None, True)
    assert not list(tmp_path.glob("*.yaml"))


@pytest.mark.parametrize("form", ["own", "aerialist"])
def test_saved_scenes_open_again(tmp_path: Path, form: str) -> None:
    folder = StudioFolder(tmp_path)
    path, stamp = folder.save("deep/er/scene.yaml", SCENE, form, None, False)
    opened, same = folder.open(path)
    assert (path, same) == ("deep/er/scene.yaml", stamp)
    assert len(opened.obstacles) == 2
    for one, other in zip(opened.obstacles, SCENE.obstacles, strict=True):
        assert one.center_enu_m == pytest.approx(other.center_enu_m, abs=1e-6)
    assert "deep/er/scene.yaml" in [found["path"] for found in folder.scenes()]


def test_a_file_of_somebody_else_is_not_overwritten_unasked(tmp_path: Path) -> None:
    folder = StudioFolder(tmp_path)
    path, stamp = folder.save("a.yaml", SCENE, "own", None, False)
    (tmp_path / "a.yaml").write_text("somebody: else\n")
    for given in (None, stamp):
        with pytest.raises(StoreError, match="save under another name"):
            folder.save(path, SCENE, "own", given, False)
    folder.save(path, SCENE, "own", None, True)
    assert folder.open("a.yaml")[0].obstacles == SCENE.obstacles


def test_uploads_pass_the_hardened_parsers_and_leave_nothing(tmp_path: Path) -> None:
    folder = StudioFolder(tmp_path)
    folder.save("a.yaml", SCENE, "own", None, False)
    content = (tmp_path / "a.yaml").read_bytes()
    assert folder.parse("any name.yaml", content).obstacles == SCENE.obstacles
    for name, bad in (
        ("a.exe", content), ("a.yaml", b"x: !!python/object/apply:os.system ['id']"), ("a.json", b"[" * 500),
        ("a.yaml", b"\xff\xfe"), ("a.yaml", b"a" * (2 * 1024 * 1024)), ("a.plan", b"{}"),
    ):  # fmt: skip
        with pytest.raises(UavTestgenError) as caught:
            folder.parse(name, bad)
        assert str(tmp_path) not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]


def test_broken_files_are_listed_and_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "<img src=x onerror=alert(1)>.yaml").write_text("mission: nowhere\n")
    folder = StudioFolder(tmp_path)
    (listed,) = folder.scenes()
    with pytest.raises((InputFileError, ConfigError), match="nowhere"):
        folder.open(listed["path"])
