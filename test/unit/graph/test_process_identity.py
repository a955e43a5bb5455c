from __future__ import annotations

import os
import subprocess
import sys

import pytest

from uav_testgen.graph.process_identity import has_ended, own_process, process_here


def elsewhere(text: str) -> str:
    return text.replace("@", "@another-machine-")


def test_this_process_runs() -> None:
    assert own_process().startswith(f"{os.getpid()}@")
    assert not has_ended(own_process())


def test_a_killed_process_has_ended_before_and_after_it_is_buried() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    name = process_here(child.pid)
    try:
        assert not has_ended(name)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # ended, and still listed as a zombie
        assert has_ended(name)
    finally:
        child.kill()
        child.wait()
        assert child.stdin is not None
        child.stdin.close()
    assert has_ended(name)
    assert not has_ended(elsewhere(name)), "another machine's processes cannot be seen from here"


@pytest.mark.parametrize("text", ["", "x", "@", "12@", "-1@lab", "9" * 400 + "@lab", "4242"])
def test_nonsense_has_not_ended(text: str) -> None:
    assert not has_ended(text)
