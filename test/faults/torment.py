"""A small campaign, ways to hurt it, and the check that it did not matter."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
from pathlib import Path

from uav_testgen.campaign.search import KIND
from uav_testgen.cli.main import main
from uav_testgen.testing.commands import results
from uav_testgen.work.store import Store

SIMULATIONS = 16
# Naps make flights long enough to be hit. Many tries: random kills must not look like a poisoned scenario.
SETTINGS = """
name: torment
case: mission2
generator: random
seed: 11
batch_size: 8
budget: {simulations: %d}
screening:
  backend: still
  repeats: 2
  tries: 10
  settings: {drift_m: 0.8, work_s: 0.05}
ranking: {suite_size: 1, min_path_distance_m: 0}
"""


def reference_campaign(folder: Path) -> Path:
    """The settings file."""
    path = folder / "torment.yaml"
    path.write_text(SETTINGS % SIMULATIONS)
    return path


def finish(config: Path, out: Path, *words: str) -> dict[str, bytes]:
    """Run or resume to the end, in this process; the files that must not depend on what happened before."""
    code, said = command_here("campaign", str(config), "--out", str(out), "--resume", *words)
    assert code == 0, said
    check_once_each(out)
    return results(out)


def command_here(*words: str) -> tuple[int, str]:
    """Run a command in this process, which has everything imported; exit code and what went to stderr."""
    with contextlib.redirect_stderr(io.StringIO()) as stderr, contextlib.redirect_stdout(io.StringIO()):
        code = main(words)
    return code, stderr.getvalue()


def stored_numbers(out: Path) -> list[int]:
    """Numbers of the evaluations in the store, in order of arrival; [] before there is one."""
    return [int(record.body["number"]) for record in Store(out).read() if record.kind == KIND]


def check_once_each(out: Path) -> None:
    """Nothing lost, nothing counted twice."""
    numbers = stored_numbers(out)
    assert len(numbers) == len(set(numbers)), "an evaluation is stored twice"
    assert sorted(numbers) == list(range(len(numbers))), "an evaluation is missing"


def workers_of(driver: int) -> list[int]:
    """Worker processes of a local campaign: what its fork server forked."""
    servers = [pid for pid in children(driver) if "forkserver" in command_line(pid)]
    return [worker for server in servers for worker in children(server)]


def children(pid: int) -> list[int]:
    """Living child processes."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(entry))
    return found


def command_line(pid: int) -> str:
    """The words a process was started with."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def kill(process: subprocess.Popen[str]) -> None:
    """kill -9 and wait."""
    process.send_signal(signal.SIGKILL)
    process.communicate()
