"""Closed, full and lost places, small limits: a sentence and a documented code, never a lost result."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from uav_testgen.core.resources import config_folder
from uav_testgen.testing.commands import command, results, start, stored_lines, trial, wait_until

SCENE = config_folder() / "scenarios" / "two_walls.yaml"


def shell(text: str, *words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command inside a line of shell, where it is called "$@"."""
    return subprocess.run(
        ["bash", "-c", text, "bash", *command(*words)],
        capture_output=True, text=True, timeout=240, env={**os.environ, **environment},
    )  # fmt: skip


def fly(out: Path) -> list[str | Path]:
    return ["fly", SCENE, "--backend", "still", "--out", out]


@pytest.mark.parametrize("closing", ["2>&-", ">&-", "<&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_a_closed_stream_changes_nothing(closing: str, tmp_path: Path) -> None:
    done = shell(f'"$@" {closing}', *fly(tmp_path / "out"))
    assert done.returncode == 1, done.stderr  # flown, and not safe
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"flight.json", "trajectory.csv"}


def test_a_file_never_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = shell('"$@" 2>&-', "campaign", trial(tmp_path, 4), "--out", out, "--jobs", "0")
    assert done.returncode == 0 and (out / "summary.json").is_file()
    assert all(line.startswith(b'{"check"') for line in (out / "evaluations.jsonl").open("rb"))


@pytest.mark.parametrize("words", [["--help"], ["check", str(SCENE)]])
def test_a_full_device_is_told(words: list[str]) -> None:
    done = shell('"$@" >/dev/full', *words)
    assert done.returncode == 3
    assert "could not be printed (No space left on device)" in done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


def test_a_deleted_working_directory(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = shell(f'cd {gone}; rmdir {gone}; "$@"', "check", SCENE, PYTHONPATH=os.pathsep.join(sys.path))
    assert done.returncode == 3 and "the working directory no longer exists" in done.stderr


@pytest.mark.parametrize(
    ("limit", "words"),
    [("-n 12", "may open 12 files"), ("-v 150000", "may use 146 MiB of memory")],
)
def test_a_small_limit_is_told(limit: str, words: str, tmp_path: Path) -> None:
    done = shell(f'ulimit {limit}; "$@"', *fly(tmp_path / "out"))
    assert done.returncode == 3 and words in done.stderr and "ulimit" in done.stderr, done.stderr


def test_a_low_limit_that_may_be_raised_is_raised(tmp_path: Path) -> None:
    done = shell('ulimit -Sn 12; "$@"', *fly(tmp_path / "out"))
    assert done.returncode == 1, done.stderr


def test_names_the_encoding_lacks(tmp_path: Path) -> None:
    scene = tmp_path / "wände.yaml"
    scene.write_text(SCENE.read_text().replace("name: two walls", "name: zwei Wände"), encoding="utf-8")
    assert "Wände" in scene.read_text(encoding="utf-8")
    for words in (["check", scene], ["fly", scene, "--backend", "still", "--out", tmp_path / "öut"]):
        done = shell('"$@"', *words, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        assert done.returncode in (0, 1), done.stderr
        assert r"w\xe4nde" in done.stdout or r"W\xe4nde" in done.stdout


def test_a_campaign_goes_on_when_nobody_reads_its_progress(tmp_path: Path) -> None:
    config, out = trial(tmp_path, 12, work_s=0.02), tmp_path / "out"
    done = shell(
        'set -o pipefail; "$@" 2>&1 >/dev/null | head -c 1 >/dev/null',
        "campaign", config, "--out", out, "--jobs", "0",
    )  # fmt: skip
    assert done.returncode == 0 and (out / "report.html").is_file()
    quiet = tmp_path / "quiet"
    shell('"$@" 2>/dev/null', "campaign", config, "--out", quiet, "--jobs", "0")
    assert results(out) == results(quiet)


def test_a_reader_that_leaves_does_not_hide_that_work_is_unfinished(tmp_path: Path) -> None:
    done = shell('set -o pipefail; "$@" 2>&1 | head -c 1 >/dev/null', "check", tmp_path / "absent.yaml")
    assert done.returncode == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_signal_gets_the_way_to_resume(number: signal.Signals, tmp_path: Path) -> None:
    config, out = trial(tmp_path, 200, work_s=0.05), tmp_path / "out"
    process = start("campaign", config, "--out", out, "--jobs", "1")
    wait_until(lambda: stored_lines(out) > 2 or process.poll() is not None, "the first evaluations")
    process.send_signal(number)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert f"Resume with: {shlex.join(['uav-testgen', 'campaign', str(config)])}" in said
    assert said.rstrip().endswith("--resume")


def test_a_closed_terminal_does_not_end_what_was_started_with_nohup(tmp_path: Path) -> None:
    if not shutil.which("nohup"):
        pytest.skip("no nohup here")
    config, out = trial(tmp_path, 24, work_s=0.05), tmp_path / "out"
    words = ["nohup", *command("campaign", config, "--out", out, "--jobs", "0")]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    wait_until(lambda: stored_lines(out) > 2 or process.poll() is not None, "the first evaluations")
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=240) == 0 and (out / "report.html").is_file()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_without_a_store_says_that_it_has_to_be_run_again(
    number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "slow.yaml").write_text("work_s: 100.0\n")
    process = start(*fly(tmp_path / "out"), "--settings", tmp_path / "slow.yaml")
    try:
        wait_until(lambda: _naps(process.pid), "the flight")
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130 and "interrupted; " in said and "run the same command again" in said


def _naps(pid: int) -> bool:
    """True if the process sleeps and uses no processor time: it is past the loading of libraries."""

    def state() -> tuple[str, str]:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return fields[0], fields[11]

    before = state()
    time.sleep(0.5)
    return before[0] == "S" and state() == before
