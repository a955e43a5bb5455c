"""What continuous integration provides, what it announces, and what it must not skip."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TOOLS = ("bash", "env", "dirname", "mktemp", "rm", "tee", "grep", "tail", "timeout", "cat", "touch")
CLOSING = "===== 3 passed in 1.00s ====="


class Machine:
    """A machine of fakes: `make` says what it was asked for, `apt-get` may bring a Chromium."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "programs"
        self.programs.mkdir()
        self.calls = folder / "calls.txt"
        self.calls.touch()
        for name in TOOLS:
            found = shutil.which(name)
            assert found is not None
            (self.programs / name).symlink_to(found)
        self.add("make", f'echo "make $*" >> "{self.calls}"; [ "$1" = test ] && echo "{CLOSING}"; true')
        self.add("id", "echo 0")

    def add(self, name: str, script: str) -> None:
        path = self.programs / name
        path.write_text(f"#!{shutil.which('bash')}\n{script}\n")
        path.chmod(0o755)

    def run(self) -> tuple[int, str, list[str]]:
        done = subprocess.run(
            [ROOT / ".ci" / "run"],
            env={"PATH": str(self.programs), "HOME": os.environ.get("HOME", "/")},
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout, self.calls.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_missing_chromium_is_installed(machine: Machine) -> None:
    machine.add("apt-get", f'echo "apt-get $*" >> "{machine.calls}"')
    code, text, calls = machine.run()
    assert code == 0 and text.splitlines()[-1] == CLOSING
    assert calls[:2] == ["apt-get -qq update", "apt-get -qq install -y --no-install-recommends chromium"]
    assert calls[2] == "make setup lint types"
    limit = re.fullmatch(r"make test TEST_LIMIT_S=(\d+)", calls[3])
    assert limit is not None and 0 < int(limit[1]) <= 75 * 60


def test_a_chromium_that_is_there_is_used(machine: Machine) -> None:
    machine.add("chromium", "true")
    machine.add("apt-get", f'echo "apt-get $*" >> "{machine.calls}"')
    _, text, calls = machine.run()
    assert not any("apt-get" in call for call in calls) and "chromium" not in text


def test_what_a_machine_lacks_fails_its_tests(machine: Machine) -> None:
    machine.add("chromium", "true")
    machine.add(
        "make", f'echo "CI=$CI make $*" >> "{machine.calls}"; [ "$1" = test ] && echo "{CLOSING}"; true'
    )
    _, _, calls = machine.run()
    assert calls[-1].startswith("CI=true make test")


def test_a_failed_installation_is_announced_and_the_tests_run(machine: Machine) -> None:
    machine.add("apt-get", 'echo "no network"; exit 100')
    code, text, calls = machine.run()
    assert "no network\nci: chromium could not be installed" in text
    assert code == 0 and calls[-1].startswith("make test")


def test_without_rights_it_is_announced_too(machine: Machine) -> None:
    machine.add("id", "echo 1000")
    machine.add("apt-get", f'echo "apt-get $*" >> "{machine.calls}"')
    _, text, calls = machine.run()
    assert "only root can install one" in text and not any("apt-get" in call for call in calls)


def test_a_failed_set_up_ends_it(machine: Machine) -> None:
    machine.add("chromium", "true")
    machine.add("make", f'echo "make $*" >> "{machine.calls}"; exit 2')
    code, text, calls = machine.run()
    assert code == 2 and calls == ["make setup lint types"]
    assert text.splitlines()[-1] == "tests did not run: make ended with 2"


@pytest.mark.parametrize(("ci", "outcome"), [("true", "error"), ("", "skipped")])
def test_without_a_browser_its_tests_fail_in_ci_and_are_skipped_elsewhere(
    ci: str, outcome: str, tmp_path: Path
) -> None:
    python = Path(sys.executable)
    tests = ROOT / "test" / "system" / "report" / "test_report_page.py"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    words = ["-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-k", "without_failures_says_so"]
    done = subprocess.run(
        [python, "-m", "pytest", *words, tests],
        cwd=ROOT,
        env={**environment, "PATH": str(python.parent), "CI": ci},
        capture_output=True,
        text=True,
    )
    assert f"1 {outcome}" in done.stdout, done.stdout + done.stderr
