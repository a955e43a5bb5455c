"""A signal before a command has begun, or after it is done: one sentence or the command's own code, no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from uav_testgen.core.resources import config_folder

SCENE = str(config_folder() / "scenarios" / "two_walls.yaml")
# The command's own modules take long to load: that is where most signals meet a command that has just started.
STARTING = """
import importlib.abc, sys, time

class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "uav_testgen.cli.main":
            print("inside", flush=True)
            time.sleep(60.0)

sys.meta_path.insert(0, Slow())
sys.argv = ["uav-testgen", "check", SCENE]
from uav_testgen.cli._entry import main
sys.exit(main())
"""
ENDING = """
import atexit, signal, sys, time

def slow():
    print("inside", flush=True)
    for _ in range(ROUNDS):
        time.sleep(0.01)
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            print("inside", flush=True)

atexit.register(slow)
sys.argv = ["uav-testgen", "check", SCENE]
from uav_testgen.cli._entry import main
sys.exit(main())
"""


def signalled(program: str, *numbers: signal.Signals) -> tuple[int, str]:
    process = subprocess.Popen(
        [sys.executable, "-c", program.replace("SCENE", repr(SCENE))],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert process.stdout is not None
    for number in numbers:
        while process.stdout.readline() not in ("inside\n", ""):
            pass
        process.send_signal(number)
    _, said = process.communicate(timeout=200)
    return process.returncode, said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_before_it_has_begun(number: signal.Signals) -> None:
    code, said = signalled(STARTING, number)
    assert code == 130
    assert said == "uav-testgen: interrupted before anything began; run the same command again\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_after_it_is_done(number: signal.Signals) -> None:
    assert signalled(ENDING.replace("ROUNDS", "50"), number) == (0, "")


def test_a_command_that_does_not_end_can_still_be_ended() -> None:
    code, said = signalled(ENDING.replace("ROUNDS", "15_000"), signal.SIGTERM, signal.SIGINT)
    assert (code, said) == (-signal.SIGINT, "")
