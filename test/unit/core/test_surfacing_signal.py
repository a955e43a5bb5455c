"""A signal that meets a destructor or a callback of compiled code is neither printed nor lost."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

# The callback waits for the signal, so that it surely arrives where an exception cannot go on.
CALLBACK = """
import ctypes, signal, time
from uav_testgen.core.surfacing_signal import SurfacingSignal

@ctypes.CFUNCTYPE(None)
def called_by_compiled_code():
    print("inside", flush=True)
    time.sleep(60.0)

answer = SurfacingSignal(KIND, once=ONCE)
with answer:
    signal.signal(signal.SIGTERM, answer)
    try:
        called_by_compiled_code()
        for _ in range(600):
            time.sleep(0.1)
        print("lost")
    except KIND:
        print("arrived", answer.asked)
"""
DESTRUCTOR = """
import signal, time
from uav_testgen.core.surfacing_signal import SurfacingSignal

class Held:
    def __del__(self):
        print("inside", flush=True)
        time.sleep(60.0)

answer = SurfacingSignal(KIND, once=ONCE)
with answer:
    signal.signal(signal.SIGTERM, answer)
    try:
        held = Held()
        del held
        for _ in range(600):
            time.sleep(0.1)
        print("lost")
    except KIND:
        print("arrived", answer.asked)
"""
TWICE = """
import signal, time
from uav_testgen.core.surfacing_signal import SurfacingSignal

answer = SurfacingSignal(SystemExit, once=True)
with answer:
    signal.signal(signal.SIGTERM, answer)
    try:
        signal.raise_signal(signal.SIGTERM)
    except SystemExit:
        signal.raise_signal(signal.SIGTERM)  # a clean-up is not broken off
        print("cleaned up")
"""


@pytest.mark.parametrize("program", [CALLBACK, DESTRUCTOR], ids=["callback", "destructor"])
@pytest.mark.parametrize(("kind", "once"), [("KeyboardInterrupt", False), ("SystemExit", True)])
def test_a_dropped_exception_comes_again(program: str, kind: str, once: bool) -> None:
    text = program.replace("KIND", kind).replace("ONCE", str(once))
    process = subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "inside\n"
    process.send_signal(signal.SIGTERM)
    said, complaint = process.communicate(timeout=120)
    assert (said, complaint, process.returncode) == ("arrived True\n", "", 0)


def test_what_cleans_up_is_not_broken_off_by_a_second_signal() -> None:
    done = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr, done.returncode) == ("cleaned up\n", "", 0)


def test_other_dropped_exceptions_are_told_as_ever() -> None:
    text = """
from uav_testgen.core.surfacing_signal import SurfacingSignal
class Held:
    def __del__(self):
        raise ValueError("of the destructor")
with SurfacingSignal(KeyboardInterrupt):
    Held()
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "ValueError: of the destructor" in done.stderr
