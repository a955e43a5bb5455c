"""A wall clock that jumps by days at every look: no result, lease or budget may depend on it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from uav_testgen.backend.folder_queue import FolderQueue
from uav_testgen.testing.commands import command, results

from .torment import check_once_each

# In place of the C library: every look at the wall clock is a day before or after the last one.
JUMPING = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static long jumps = 0;
static long jump(void) { return (++jumps % 2 ? 86400L : -86400L); }
int clock_gettime(clockid_t id, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *) = 0;
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int answer = real(id, now);
    if (id == CLOCK_REALTIME) now->tv_sec += jump();
    return answer;
}
time_t time(time_t *where) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (where) *where = now.tv_sec;
    return now.tv_sec;
}
"""


def test_a_jumping_clock_changes_no_result(
    tmp_path: Path, campaign: Path, undisturbed: dict[str, bytes]
) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    source, library = tmp_path / "jumping.c", tmp_path / "jumping.so"
    source.write_text(JUMPING)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    probe = "import time; a, b = time.time(), time.time(); raise SystemExit(0 if abs(a - b) > 80000 else 1)"
    python = command()[0]
    subprocess.run([python, "-c", probe], env=environment, check=True)
    words = command("campaign", campaign, "--out", tmp_path / "out", "--jobs", "2")
    done = subprocess.run(words, capture_output=True, text=True, timeout=240, env=environment)
    assert done.returncode == 0, done.stderr
    check_once_each(tmp_path / "out")
    assert results(tmp_path / "out") == undisturbed


@pytest.mark.parametrize("jump_s", [-86_400.0, 86_400.0], ids=["back", "forward"])
def test_a_job_in_a_folder_survives_a_jump(tmp_path: Path, jump_s: float) -> None:
    queue = FolderQueue(tmp_path, lease_s=30.0)
    queue.submit("job", {"what": 1})
    first = queue.claim("a")
    assert first is not None
    # Seen from after the jump, the lease lies a day in the future or in the past.
    then_s = first.path.stat().st_mtime - jump_s
    os.utime(first.path, (then_s, then_s))
    again = queue.claim("b")
    if jump_s > 0:
        assert again is not None, "the lease ran out: another worker flies it"
        assert queue.complete(again, {"status": "flown", "by": "b"})
        assert not queue.complete(first, {"status": "flown", "by": "a"}), "and the first answer counts, once"
        assert queue.result("job") == {"format": 1, "id": "job", "status": "flown", "by": "b"}
    else:
        assert again is None
        age_s = queue._folder_time_s() - first.path.stat().st_mtime
        assert abs(age_s) < 30.0, "the lease begins anew instead of lasting a day"
        assert queue.renew(first) and queue.complete(first, {"status": "flown"})
