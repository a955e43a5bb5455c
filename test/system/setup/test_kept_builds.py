"""Messages built for one clone serve the next: same bytes, paths of the new environment, all or nothing."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from types import ModuleType

import pytest

from uav_testgen.core.compile_cache import remove_stale_folders

LIBRARY = b"\x7fELF\0 made in /first/clone/.venv \0"


@pytest.fixture
def kept_builds(monkeypatch: pytest.MonkeyPatch, project_root: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(project_root / "tools"))
    return importlib.import_module("environment.kept_builds")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """What a build for the environment /first/clone/.venv would have installed."""
    folder = tmp_path / "installed"
    (folder / "lib").mkdir(parents=True)
    (folder / "share").mkdir()
    (folder / "lib" / "libmessages.so").write_bytes(LIBRARY)
    (folder / "share" / "setup.sh").write_text("prefix=/first/clone/.venv\n")
    (folder / "share" / "setup.sh").chmod(0o755)
    return folder


def test_the_next_clone_gets_the_same_files_with_its_own_path(
    kept_builds: ModuleType, installed: Path, tmp_path: Path
) -> None:
    kept, venv = tmp_path / "kept", tmp_path / "other" / ".venv"
    kept.mkdir()
    kept_builds.keep(kept, installed, Path("/first/clone/.venv"))
    assert kept_builds.restore(kept, venv)
    assert (venv / "lib" / "libmessages.so").read_bytes() == LIBRARY
    assert (venv / "share" / "setup.sh").read_text() == f"prefix={venv}\n"
    assert os.access(venv / "share" / "setup.sh", os.X_OK)


def test_what_was_interrupted_is_not_used(kept_builds: ModuleType, installed: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (kept / "passing-1" / "files").mkdir(parents=True)
    assert not kept_builds.restore(kept, tmp_path / ".venv")
    kept_builds.keep(kept, installed, Path("/first/clone/.venv"))
    kept_builds.keep(kept, installed, Path("/first/clone/.venv"))  # a second clone was as quick
    assert sorted(path.name for path in kept.iterdir()) == ["files", "passing-1"]


def test_a_folder_that_others_can_write_to_keeps_nothing(
    kept_builds: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, project_root: Path
) -> None:
    for name in ("XDG_CACHE_HOME", "HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    venv = project_root / ".venv"
    own = kept_builds.folder_for("px4_msgs", "0123456789abcdef", venv)
    assert own == tmp_path / "uav_testgen" / "messages-px4_msgs-0123456789abcdef"
    for folder in (tmp_path / "uav_testgen", tmp_path / ".cache" / "uav_testgen"):
        folder.mkdir(exist_ok=True, parents=True)
        folder.chmod(0o777)
    (tmp_path / f"uav_testgen-{os.getuid()}").mkdir()
    (tmp_path / f"uav_testgen-{os.getuid()}").chmod(0o777)
    assert kept_builds.folder_for("px4_msgs", "0123456789abcdef", venv) is None


def test_what_was_not_used_for_two_weeks_is_removed(
    monkeypatch: pytest.MonkeyPatch, kept_builds: ModuleType, installed: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "uav_testgen"
    old, used, current = (cache / name for name in ("messages-old-0", "messages-used-0", "kernels-0"))
    for folder in (old, used, current):
        folder.mkdir(parents=True)
        kept_builds.keep(folder, installed, Path("/first/clone/.venv"))
        os.utime(folder, (0, 0))
    assert kept_builds.restore(used, tmp_path / ".venv")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(current))
    remove_stale_folders()
    assert not old.exists()
    assert used.exists()
