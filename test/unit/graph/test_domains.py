"""Two graphs never get the same ROS domain, whoever starts them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from uav_testgen.core.errors import BackendError
from uav_testgen.graph import domains
from uav_testgen.graph.domains import FIRST, LAST, DomainReservation

HOLD = """
import sys
from uav_testgen.graph import domains
domains._NAME = sys.argv[1]
held = domains.DomainReservation()
print(held.domain, flush=True)
input()
"""


@pytest.fixture(autouse=True)
def names_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Graphs that run beside the tests must not take a domain between two lines of a test."""
    monkeypatch.setattr(domains, "_NAME", f"uav_testgen_test_{os.getpid()}_")


def test_reservations_differ_and_are_given_back() -> None:
    one, other = DomainReservation(), DomainReservation()
    assert FIRST <= one.domain <= LAST and one.domain != other.domain
    domain = one.domain
    one.release()
    again = DomainReservation()
    assert again.domain == domain
    again.release()
    other.release()


def test_a_killed_process_gives_its_domain_back() -> None:
    words = [sys.executable, "-c", HOLD, domains._NAME]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None and child.stdout is not None
    with child.stdin, child.stdout:
        domain = int(child.stdout.readline())
        assert domains._bind(domain) is None
        child.kill()
        child.wait()
    free = domains._bind(domain)
    assert free is not None
    free.close()


def test_nothing_of_it_lies_in_a_folder_that_users_share(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A folder belongs to whoever comes first, and locks the second user out."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    DomainReservation().release()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_second_user_gets_a_domain_too() -> None:
    mine = DomainReservation()
    child = os.fork()
    if child == 0:  # pragma: no cover - in the child
        code = 1
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            code = 0 if DomainReservation().domain != mine.domain else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    mine.release()
    assert os.waitstatus_to_exitcode(status) == 0


def test_when_all_are_taken_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domains, "_bind", lambda domain: None)
    with pytest.raises(BackendError, match=r"all ROS domains 1\.\.100 are taken"):
        DomainReservation()
