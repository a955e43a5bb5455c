"""Scenes are opened and saved inside the folder, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.core.errors import ConfigError, InputFileError, StoreError, UavTestgenError
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.logical.declaration import find_logical
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


@pytest.mark.parametrize(
    ("form", "ending"),
    [
        ("own", "yaml"),
        ("own", "json"),
        ("aerialist", "yaml"),
        ("aerialist-old", "yml"),
        ("world", "world"),
        ("plan", "plan"),
    ],
)
def test_every_format_is_saved_and_opened_again(tmp_path: Path, form: str, ending: str) -> None:
    folder = StudioFolder(tmp_path)
    name = f"deep/er/scene.{ending}"
    saved = folder.save(name, SCENE, form, None, False)
    assert saved.path == name and name in saved.files
    opened = folder.open(name, named_mission("mission2"))
    assert opened.stamp == saved.stamp
    shown = opened.scenario.obstacles
    assert len(shown) == (0 if form == "plan" else 2)
    for one, other in zip(shown, SCENE.obstacles[: len(shown)], strict=True):
        assert one.center_enu_m == pytest.approx(other.center_enu_m, abs=1e-6)
    assert bool(saved.cannot_hold) == (form != "own"), "what is lost is said"
    assert name in [found["path"] for found in folder.scenes()]


def test_a_logical_scenario_is_opened_as_an_instance(tmp_path: Path) -> None:
    source = find_logical("scenario-01", tmp_path)
    (tmp_path / "logical.yaml").write_bytes(source.read_bytes())
    opened = StudioFolder(tmp_path).open("logical.yaml")
    assert opened.scenario.obstacles and "instance with seed 0" in opened.notes[-1]


def test_a_name_and_a_format_that_contradict_are_refused(tmp_path: Path) -> None:
    for name, form in (("a.plan", "own"), ("a.yaml", "world"), ("a.exe", "own"), ("a.yaml", "elf")):
        with pytest.raises(UavTestgenError):
            StudioFolder(tmp_path).save(name, SCENE, form, None, False)
    assert not list(tmp_path.iterdir())


def test_a_file_of_somebody_else_is_not_overwritten_unasked(tmp_path: Path) -> None:
    folder = StudioFolder(tmp_path)
    path, stamp, *_ = folder.save("a.yaml", SCENE, "own", None, False)
    (tmp_path / "a.yaml").write_text("somebody: else\n")
    for given in (None, stamp):
        with pytest.raises(StoreError, match="save under another name"):
            folder.save(path, SCENE, "own", given, False)
    folder.save(path, SCENE, "own", None, True)
    assert folder.open("a.yaml").scenario.obstacles == SCENE.obstacles


def test_uploads_pass_the_hardened_parsers_and_leave_nothing(tmp_path: Path) -> None:
    folder = StudioFolder(tmp_path)
    folder.save("a.yaml", SCENE, "own", None, False)
    content = (tmp_path / "a.yaml").read_bytes()
    assert folder.parse("any name.yaml", content).scenario.obstacles == SCENE.obstacles
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
