"""A disk that is full, read-only or damaged: one clear sentence, nothing lost, and --resume goes on."""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from uav_testgen.testing.commands import command

from .torment import command_here, finish, stored_numbers

# In a mount namespace of its own a user may make a file system that is as small as the test needs it.
ALONE = ["unshare", "--mount", "--map-root-user", "sh", "-ec"]


def namespace_or_skip() -> None:
    """Skip where the system does not let users mount."""
    if shutil.which("unshare") is None:
        pytest.skip("no unshare on this system")
    tried = subprocess.run([*ALONE, "mount -t tmpfs -o size=64k tmpfs /mnt"], capture_output=True)
    if tried.returncode != 0:
        pytest.skip(f"no private mounts here: {tried.stderr.decode()[:200]}")


def in_namespace(script: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script with its own mounts; `$@` are the words of the campaign command."""
    return subprocess.run(
        [*ALONE, script, "sh", *map(str, words)], capture_output=True, text=True, timeout=240
    )


def test_a_disk_that_fills_up(tmp_path: Path, campaign: Path, undisturbed: dict[str, bytes]) -> None:
    namespace_or_skip()
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    script = f"""
        mount -t tmpfs -o size=24k tmpfs {disk}
        code=0; "$@" || code=$?
        cp -r {disk}/out {kept}
        exit $code
    """
    words = command("campaign", campaign, "--out", disk / "out", "--jobs", "0")
    done = in_namespace(script, *words)
    assert done.returncode == 3, done.stderr
    assert "the disk is full" in done.stderr and "--resume" in done.stderr
    assert "Traceback" not in done.stderr
    assert stored_numbers(kept), "what fitted on the disk is there"
    assert finish(campaign, kept, "--jobs", "0") == undisturbed


def test_a_file_that_may_not_grow(tmp_path: Path, campaign: Path, undisturbed: dict[str, bytes]) -> None:
    out = tmp_path / "out"
    done = subprocess.run(
        command("campaign", campaign, "--out", out, "--jobs", "0"),
        capture_output=True,
        text=True,
        timeout=240,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)),
    )
    assert done.returncode == 3, done.stderr
    assert "the file may not grow further" in done.stderr and "Traceback" not in done.stderr
    assert stored_numbers(out)
    assert finish(campaign, out, "--jobs", "0") == undisturbed


def test_a_read_only_disk(tmp_path: Path, campaign: Path) -> None:
    namespace_or_skip()
    disk = tmp_path / "disk"
    disk.mkdir()
    script = f'mount -t tmpfs -o size=1m,ro tmpfs {disk}; exec "$@"'
    done = in_namespace(script, *command("campaign", campaign, "--out", disk / "out", "--jobs", "0"))
    assert done.returncode == 2
    assert "Read-only file system" in done.stderr and "--out" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_campaign_on_a_disk_that_became_read_only(
    tmp_path: Path, campaign: Path, undisturbed: dict[str, bytes]
) -> None:
    namespace_or_skip()
    out = tmp_path / "out"
    finish(campaign, out, "--jobs", "0")
    lines = (out / "evaluations.jsonl").read_bytes().splitlines(keepends=True)
    (out / "evaluations.jsonl").write_bytes(b"".join(lines[:9]))
    script = f'mount --bind {out} {out}; mount -o remount,bind,ro {out}; exec "$@"'
    done = in_namespace(script, *command("campaign", campaign, "--out", out, "--resume", "--jobs", "0"))
    assert done.returncode == 2, done.stderr
    assert "Read-only file system" in done.stderr or "read-only" in done.stderr
    assert "Traceback" not in done.stderr
    assert (out / "evaluations.jsonl").read_bytes() == b"".join(lines[:9])
    assert finish(campaign, out, "--jobs", "0") == undisturbed


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An output folder that is not to be changed."""
    from .torment import reference_campaign

    folder = tmp_path_factory.mktemp("finished")
    finish(reference_campaign(folder), folder / "out", "--jobs", "0")
    return folder / "out"


@pytest.mark.timeout(7200)
def test_a_damaged_last_record(
    tmp_path: Path,
    campaign: Path,
    finished: Path,
    undisturbed: dict[str, bytes],
    rounds: int,
    counts: Counter[str],
) -> None:
    dice = random.Random(5)
    lines = (finished / "evaluations.jsonl").read_bytes().splitlines(keepends=True)
    for number in range(rounds):
        out = tmp_path / f"out{number}"
        out.mkdir()
        keep = dice.randint(1, len(lines) - 2)
        last = bytearray(lines[keep])
        match dice.choice(["cut", "flipped", "zeros", "noise"]):
            case "cut":
                del last[dice.randint(1, len(last) - 1) :]
            case "flipped":
                last[dice.randrange(len(last) - 1)] ^= 1 << dice.randrange(8)
            case "zeros":
                last[dice.randrange(len(last)) :] = bytes(dice.randint(1, 5000))
            case _:
                last = bytearray(dice.randbytes(dice.randint(1, 5000)).replace(b"\n", b""))
        (out / "evaluations.jsonl").write_bytes(b"".join(lines[:keep]) + last)
        code, said = command_here("campaign", str(campaign), "--out", str(out), "--resume", "--jobs", "0")
        assert code == 0, said
        assert f"line {keep + 1} was not completely written" in said
        assert (out / "evaluations.torn").read_bytes() == last
        assert finish(campaign, out, "--jobs", "0") == undisturbed
    counts["last records damaged"] += rounds
