"""Compiled kernels are loaded from folders of this user only, and from none at all where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from uav_testgen.core import compile_cache
from uav_testgen.core.compile_cache import choose_cache_folder

SOMEBODY_ELSE = 4711
COMPILES = """
import os
import uav_testgen
from numba import njit

@njit(cache=True, nogil=True)
def doubled(value):
    return 2 * value

assert doubled(21) == 42
print(os.environ.get("NUMBA_CACHE_DIR", "none"))
"""


@pytest.fixture
def nowhere_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A temporary folder as everybody has it; no home and no cache folder to be had."""
    blocked = tmp_path / "a file"
    blocked.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setenv("HOME", str(blocked))
    # Folders of pytest may be open to others; this one is what /tmp is.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(os.path.realpath(name))
        folder.chmod(0o1777)
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        yield folder


def expected(folder: Path) -> Path:
    return folder / f"uav_testgen-{os.getuid()}"


def test_the_folder_is_closed_to_others(nowhere_else: Path) -> None:
    former = os.umask(0)
    try:
        found = choose_cache_folder()
    finally:
        os.umask(former)
    assert found is not None and found.parent == expected(nowhere_else)
    assert [path.stat().st_mode & 0o777 for path in (found, found.parent)] == [0o700, 0o700]
    assert choose_cache_folder() == found


def test_a_folder_others_can_write_to_is_not_used(nowhere_else: Path) -> None:
    for mode in (0o777, 0o775, 0o707):
        expected(nowhere_else).mkdir(exist_ok=True)
        expected(nowhere_else).chmod(mode)
        check_fresh(choose_cache_folder(), nowhere_else)
    expected(nowhere_else).chmod(0o700)
    inner = choose_cache_folder()
    assert inner is not None and inner.parent == expected(nowhere_else)
    inner.chmod(0o777)
    check_fresh(choose_cache_folder(), nowhere_else)


def test_a_link_is_not_followed(nowhere_else: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    expected(nowhere_else).symlink_to(tmp_path / "theirs")
    check_fresh(choose_cache_folder(), nowhere_else)
    assert not any((tmp_path / "theirs").iterdir())


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_used(nowhere_else: Path) -> None:
    expected(nowhere_else).mkdir(mode=0o755)
    os.chown(expected(nowhere_else), SOMEBODY_ELSE, SOMEBODY_ELSE)
    check_fresh(choose_cache_folder(), nowhere_else)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_below_another_users_is_not_used(
    nowhere_else: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = nowhere_else / "theirs"
    theirs.mkdir(mode=0o755)
    os.chown(theirs, SOMEBODY_ELSE, SOMEBODY_ELSE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(theirs))
    found = choose_cache_folder()
    assert found is not None and theirs not in found.parents


def check_fresh(found: Path | None, temporary: Path) -> None:
    """A folder with a name nobody could foresee, for this user alone."""
    assert found is not None and found.parent == temporary and found != expected(temporary)
    assert found.stat().st_mode & 0o777 == 0o700


def compiled_in(folder: Path, prelude: str = "") -> subprocess.CompletedProcess[str]:
    program = folder / "program.py"
    program.write_text(prelude + COMPILES)
    blocked = folder / "a file"
    blocked.touch()
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"XDG_CACHE_HOME": str(blocked), "HOME": str(blocked)}
    return subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True)


def test_without_any_writable_folder_nothing_is_cached_and_everything_works(tmp_path: Path) -> None:
    prelude = """
import os, tempfile
def no_folder(*words, **options):
    raise FileNotFoundError("No usable temporary directory found")
tempfile.gettempdir = tempfile.mkdtemp = no_folder
import numba.core.caching as caching
caching._SourceFileBackedLocatorMixin.ensure_cache_path = no_folder
"""
    done = compiled_in(tmp_path, prelude)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "none" and "compiled anew in every run" in done.stderr


def test_a_folder_for_one_run_is_gone_after_it(tmp_path: Path) -> None:
    expected(tmp_path).mkdir()
    expected(tmp_path).chmod(0o777)
    prelude = f"import tempfile\ntempfile.tempdir = {str(tmp_path)!r}\n"
    done = compiled_in(tmp_path, prelude)
    assert done.returncode == 0, done.stderr
    used = Path(done.stdout.strip())
    assert used.parent == tmp_path and used != expected(tmp_path) and not used.exists()


def test_a_chosen_folder_that_cannot_be_used_is_replaced(
    nowhere_else: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.delitem(sys.modules, "numba", raising=False)  # its own setting stays as it is
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "below"))
    compile_cache.use_cache_folder()
    assert Path(os.environ["NUMBA_CACHE_DIR"]).parent == expected(nowhere_else)
    assert "cannot be written to" in caplog.text
