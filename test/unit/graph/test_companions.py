"""Programs that are started beside the nodes: started, watched, ended, also when the starter is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.core.programs import foreign_environment
from uav_testgen.graph.companions import Companions

REPORT = (
    "import os, sys, time, pathlib; target = pathlib.Path(sys.argv[1]); "
    "draft = target.with_suffix('.draft'); "
    "draft.write_text('\\n'.join([str(os.getpid()), os.environ.get('WORD', '-'), "
    "os.environ.get('LD_LIBRARY_PATH', '-')])); draft.rename(target); "
)


def wait_for(condition: Callable[[], bool], timeout_s: float = 30.0) -> bool:
    deadline_s = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline_s:
            return False
        time.sleep(0.05)
    return True


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def write_program(folder: Path, then: str) -> Path:
    path = folder / "program.py"
    path.write_text(REPORT + then)
    return path


def started(target: Path) -> tuple[int, str, str]:
    assert wait_for(target.is_file), "the program did not start"
    pid, word, libraries = target.read_text().split("\n")
    return int(pid), word, libraries


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("_ROS_WHEELS_BOOTSTRAP_COMPLETE", "1")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{sys.prefix}/lib{os.pathsep}/mine")
    return tmp_path


def test_started_and_stopped(folders: Path) -> None:
    # Without site packages: the ROS wheels would put their libraries back into the environment.
    program = write_program(folders, "sys.stdin.read()")
    text = f"WORD=own '{sys.executable}' -I -S '{program}' '{folders / 'told'}'"
    companions = Companions([text], {"WORD": "ours"}, folders)
    companions.start()
    pid, word, libraries = started(folders / "told")
    assert (word, libraries) == ("own", "/mine"), "our own libraries are not for other programs"
    time.sleep(0.3)
    companions.check()
    assert runs(pid), "its standard input does not end"
    companions.stop()
    assert not runs(pid)


def test_failure_is_told_with_its_last_words(folders: Path) -> None:
    companions = Companions(
        [f"'{sys.executable}' -I -S -c \"raise SystemExit('no such model')\""], {}, folders
    )
    companions.start()

    def failed() -> bool:
        try:
            companions.check()
        except BackendError as error:
            assert "ended with code 1: no such model" in str(error)
            return True
        return False

    assert wait_for(failed)
    companions.stop()


def test_ends_after_a_killed_starter(folders: Path) -> None:
    """The program outlives its starter for the time a landing takes, not longer."""
    program = write_program(folders, "time.sleep(120)")
    starter = (
        "import sys, time, pathlib; import uav_testgen.graph.companions as companions; "
        "companions._OUTLIVE_US_S = 2.0; "
        "companions.Companions([sys.argv[1]], {}, pathlib.Path(sys.argv[2])).start(); time.sleep(120)"
    )
    text = f"'{sys.executable}' -I -S '{program}' '{folders / 'told'}'"
    process = subprocess.Popen([sys.executable, "-c", starter, text, str(folders)])
    pid, *_ = started(folders / "told")
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    time.sleep(0.5)
    assert runs(pid)
    assert wait_for(lambda: not runs(pid))


def test_not_a_program(folders: Path) -> None:
    (folders / "file").write_text("")
    for words, why in (("no-such-program x", "No such file"), (f"{folders / 'file'} x", "Permission denied")):
        with pytest.raises(ConfigError, match=why):
            Companions([words], {}, folders).start()


def test_foreign_environment_keeps_what_is_the_users() -> None:
    given = {
        "A": "1",
        "LD_LIBRARY_PATH": "/v/lib:/opt/x:/v/lib/site/ros_a.libs",
        "_ROS_WHEELS_BOOTSTRAP_COMPLETE": "1",
    }
    assert foreign_environment(given, "/v") == {"A": "1", "LD_LIBRARY_PATH": "/opt/x"}
    del given["_ROS_WHEELS_BOOTSTRAP_COMPLETE"]
    assert foreign_environment(given, "/v") == given, "not touched by the wheels: not ours to change"
