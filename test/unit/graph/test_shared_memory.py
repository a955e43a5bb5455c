from __future__ import annotations

import fcntl
import mmap
import subprocess
import sys
from pathlib import Path

from uav_testgen.graph.shared_memory import remove_stale_segments

HOLD = """
import fcntl, sys, time
file = open(sys.argv[1], "rb+")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""


def segment(folder: Path, name: str) -> Path:
    (folder / name).write_bytes(b"x" * 100)
    lock = folder / f"{name}_el"
    lock.touch()
    return lock


def test_files_of_the_living_stay_and_those_of_the_dead_go(tmp_path: Path) -> None:
    alive = segment(tmp_path, "fastrtps_aaaa")
    dying = segment(tmp_path, "fastrtps_bbbb")
    (tmp_path / "something_else").touch()
    owner = subprocess.Popen([sys.executable, "-c", HOLD, str(dying)], stdout=subprocess.PIPE)
    assert owner.stdout is not None and owner.stdout.readline()
    with alive.open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert remove_stale_segments(tmp_path, 0.0) == []
        owner.kill()
        owner.wait()
        owner.stdout.close()
        assert sorted(remove_stale_segments(tmp_path, 0.0)) == ["fastrtps_bbbb", "fastrtps_bbbb_el"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fastrtps_aaaa",
        "fastrtps_aaaa_el",
        "something_else",
    ]


def test_a_mapped_port_without_lock_stays_until_it_is_unmapped(tmp_path: Path) -> None:
    port = tmp_path / "fastrtps_port7400"
    port.write_bytes(b"x" * 4096)
    with port.open("r+b") as file, mmap.mmap(file.fileno(), 4096):
        assert remove_stale_segments(tmp_path, 0.0) == []
    assert remove_stale_segments(tmp_path, 3600.0) == [], "a file just made may be about to be mapped"
    assert remove_stale_segments(tmp_path, 0.0) == ["fastrtps_port7400"]
