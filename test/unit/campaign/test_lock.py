"""Two campaigns never share a folder, and a crash never leaves one locked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from uav_testgen.core.errors import StoreError
from uav_testgen.work.folder import output_folder
from uav_testgen.work.lock import FILE_NAME, FolderLock

pytestmark = pytest.mark.unit

HOLD = """
import sys, time
from pathlib import Path
from uav_testgen.work.lock import FolderLock
with FolderLock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    process = holder(tmp_path)
    try:
        with (
            pytest.raises(StoreError, match=rf"process {process.pid} since .*another --out"),
            FolderLock(tmp_path),
        ):
            pass
    finally:
        process.kill()
        process.wait()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    process = holder(tmp_path)
    process.kill()
    process.wait()
    with FolderLock(tmp_path):
        assert str(os.getpid()) in (tmp_path / FILE_NAME).read_text()


def test_a_garbage_lock_file_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"\xff\x00 not json")
    with FolderLock(tmp_path):
        pass


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(StoreError, match="not empty"), output_folder(tmp_path, resume=False):
        pass
    with pytest.raises(StoreError, match="no campaign to resume"), output_folder(tmp_path, resume=True):
        pass
    assert (tmp_path / "thesis.tex").read_text() == "mine"


def test_a_file_in_the_way_is_reported(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(StoreError, match="cannot be made"), output_folder(tmp_path / "out", resume=False):
        pass
