"""Runs pytest so that it always ends, and nothing that it started outlives it.

    python tools/run_tests.py --limit-s 1800 -- -n 2 --dist loadgroup -m "not slow"

What pytest and its plugins cannot do from inside:
- a total limit: when it is over, or on SIGTERM, the tests that were running are named, everything is ended,
  exit code 1
- a test that pytest-timeout could not interrupt, because it hangs in compiled code: its worker is killed,
  the test fails, the run goes on
- a worker that dies: xdist alone would wait for ever for what it should have done next
- programs that a test left behind: named and ended, exit code 1. They would hold the pipe to which the
  output goes, and whoever reads it would wait for ever
- a kill -9 of this program itself: it is two processes, and each ends everything when the other one is gone

With `--crowd 18` the machine is crowded on purpose: as many programs use up the processors meanwhile. Every limit
of a test (not what it tests) should then be longer, by the factor `--patience`.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from uav_testgen.testing.patience import PATIENCE_VARIABLE
from uav_testgen.testing.running_tests import FOLDER_VARIABLE, RunningTest, running_tests

PLUGINS = ("-p", "uav_testgen.testing.running_tests", "-p", "uav_testgen.testing.steady_groups")
BURNER = """
import sys, time
end_s = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end_s:
    sum(range(10_000))
"""
LOOK_EVERY_S = 0.2
BYTECODE = Path(sys.prefix) / "bytecode"
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def main(arguments: list[str] | None = None) -> int:
    """Exit code of pytest; 1 also where it had to be ended or left something behind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit-s", type=float, default=1800.0, help="all tests together [s]")
    parser.add_argument(
        "--grace-s", type=float, default=60.0, help="over a test's own limit; then its end [s]"
    )
    parser.add_argument(
        "--leave-s",
        type=float,
        default=15.0,
        help="for programs to end by themselves after pytest has ended [s]",
    )
    parser.add_argument("--crowd", type=int, default=0, help="programs that use up the processors meanwhile")
    parser.add_argument(
        "--patience", type=float, default=1.0, help="tests' own limits are longer by this factor"
    )
    parser.add_argument("pytest", nargs="*", help="arguments of pytest, after --")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.crowd < 0 or not options.patience >= 1.0:
        parser.error("--crowd is a number from 0, --patience one from 1")
    if not options.inside:
        return _outside(sys.argv[1:] if arguments is None else arguments)
    with tempfile.TemporaryDirectory(prefix="running_tests_") as folder:
        return Run(options, Path(folder)).watch()


def _outside(words: list[str]) -> int:
    """Start the run itself; whatever it leaves, because somebody killed it, is ended here."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    inside = subprocess.Popen(
        [sys.executable, __file__, "--inside", *words],
        preexec_fn=lambda: _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM),
    )

    def pass_on(number: int, _frame: object) -> None:
        # Ctrl-C in a terminal reaches everybody by itself.
        if number != signal.SIGINT or not sys.stdin.isatty():
            inside.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, pass_on)
    code = inside.wait()
    if code < 0:
        _say(f"ended by {signal.Signals(-code).name}; so is everything it had started")
    _kill_descendants()
    _forget_bytecode_of_temporary_files()
    return code if code >= 0 else 1


class Crowd:
    """Programs that use up the processors; each ends with us, and by itself when all tests should have ended."""

    def __init__(self, count: int, limit_s: float) -> None:
        if count:
            _say(f"{count} programs use up the processors meanwhile")
        # Each in a session of its own: schedulers share the processors between sessions first.
        self._burners = [
            subprocess.Popen(
                [sys.executable, "-c", BURNER, str(limit_s)],
                start_new_session=True,
                preexec_fn=lambda: _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL),
            )
            for _ in range(count)
        ]

    def leave(self) -> None:
        """Before anybody looks for what the tests have left behind."""
        if self._burners:
            _say(f"load at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        for burner in self._burners:
            burner.kill()
            burner.wait()


class Run:
    """One run of pytest, watched from outside."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self._folder = folder
        self._limit_s, self._grace_s = options.limit_s, options.grace_s * options.patience
        self._leave_s = options.leave_s
        self._began_s = time.monotonic()
        self._killed: set[int] = set()
        self._told_to_stop = False
        # Whatever a worker leaves behind when it dies becomes our child, so that it can be found.
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self._crowd = Crowd(options.crowd, options.limit_s)
        environment = _keeping_bytecode(os.environ)
        self._pytest = subprocess.Popen(
            [sys.executable, "-m", "pytest", *PLUGINS, *options.pytest],
            env={**environment, FOLDER_VARIABLE: str(folder), PATIENCE_VARIABLE: f"{options.patience:g}"},
            preexec_fn=lambda: _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM),
        )

    def watch(self) -> int:
        """Until it is over, one way or the other."""
        signal.signal(signal.SIGINT, self._interrupt)
        signal.signal(signal.SIGTERM, self._stop)
        while self._pytest.poll() is None:
            if time.monotonic() - self._began_s > self._limit_s:
                self._give_up(f"not finished after {self._limit_s:.0f} s")
                return 1
            if self._told_to_stop:
                self._give_up("told to stop")
                return 1
            for test in self._running():
                self._end_if_stuck(test)
            _bury(self._pytest.pid)
            time.sleep(LOOK_EVERY_S)
        code = self._pytest.returncode
        self._crowd.leave()
        left = self._left_behind()
        for pid, words in left.items():
            _say(f"a test left this running: {words} (process {pid}); ended")
        _kill_descendants()
        return code or (1 if left else 0)

    def _interrupt(self, _number: int, _frame: object) -> None:
        """Ctrl-C in a terminal reaches pytest by itself; a signal to this process alone does not."""
        with contextlib.suppress(ProcessLookupError):
            if not sys.stdin.isatty():
                self._pytest.send_signal(signal.SIGINT)

    def _stop(self, _number: int, _frame: object) -> None:
        self._told_to_stop = True

    def _end_if_stuck(self, test: RunningTest) -> None:
        if not test.limit_s or test.lasts_s < test.limit_s + self._grace_s or test.pid in self._killed:
            return
        self._killed.add(test.pid)
        _say(f"{test.test} has been hanging for {test.lasts_s:.0f} s; its worker {test.worker} is killed")
        with contextlib.suppress(ProcessLookupError):
            os.kill(test.pid, signal.SIGKILL)

    def _give_up(self, why: str) -> None:
        _say(f"{why}; running:")
        running = [f"{test.test} (worker {test.worker}, {test.lasts_s:.0f} s)" for test in self._running()]
        for text in running or ["no test: it was collecting, or between two tests"]:
            _say(f"  {text}")
        _kill_descendants()

    def _running(self) -> list[RunningTest]:
        return [test for test in running_tests(self._folder) if not _is_zombie(test.pid)]

    def _left_behind(self) -> dict[int, str]:
        deadline_s = time.monotonic() + self._leave_s
        while (left := _descendants()) and time.monotonic() < deadline_s:
            _bury()
            time.sleep(LOOK_EVERY_S)
        return {pid: _words(pid) for pid in left}


def _keeping_bytecode(environment: Mapping[str, str]) -> dict[str, str]:
    """Tests start hundreds of programs. Where Python is told to keep no bytecode, each of them would compile
    every module anew, which takes longer than most of them run. So it is kept, but not beside the sources."""
    kept = dict(environment)
    if kept.pop("PYTHONDONTWRITEBYTECODE", "") and "PYTHONPYCACHEPREFIX" not in kept:
        kept["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
    return kept


def _forget_bytecode_of_temporary_files() -> None:
    """Tests write programs of their own, under new names each time."""
    shutil.rmtree(BYTECODE / tempfile.gettempdir().lstrip("/"), ignore_errors=True)


def _say(text: str) -> None:
    print(f"run_tests: {text}", flush=True)


def _prctl(option: int, value: int) -> None:
    """Linux only; elsewhere orphans are not found, everything else works."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def _bury(but: int = 0) -> None:
    """Reap orphans that have ended; `but` is left to whoever waits for it."""
    for pid in _children(os.getpid()):
        if pid != but:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _children(pid: int) -> list[int]:
    """Of all threads: a process belongs to the thread that started it."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


def _descendants() -> list[int]:
    """Living processes below this one."""
    found, waiting = [], _children(os.getpid())
    while waiting:
        pid = waiting.pop()
        waiting += _children(pid)
        if not _is_zombie(pid):
            found.append(pid)
    return found


def _is_zombie(pid: int) -> bool:
    """It has ended, buried or not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in ("Z", "X")
    return True


def _words(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200]
    return "?"


def _kill_descendants() -> None:
    while found := _descendants():
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    _bury()


if __name__ == "__main__":
    sys.exit(main())
