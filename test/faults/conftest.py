"""Random faults are counted, so that a soak says what it has done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .torment import finish, reference_campaign

COUNTS: Counter[str] = Counter()
LONGEST_S: dict[str, float] = {}


@pytest.fixture(scope="session")
def counts() -> Counter[str]:
    """What was done to campaigns; printed at the end."""
    return COUNTS


@pytest.fixture(scope="session")
def longest_s() -> dict[str, float]:
    """The longest times that were measured; printed at the end."""
    return LONGEST_S


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
    """How often a random fault is repeated: once here, many times in a soak."""
    return int(request.config.getoption("--soak")) or 1


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the campaign of this suite finds when nothing happens to it."""
    folder = tmp_path_factory.mktemp("undisturbed")
    return finish(reference_campaign(folder), folder / "out", "--jobs", "0")


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """The settings file of the campaign that suffers."""
    return reference_campaign(tmp_path)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The account of a soak."""
    if COUNTS and terminalreporter.config.getoption("--soak"):
        terminalreporter.section("faults")
        for what, count in sorted(COUNTS.items()):
            terminalreporter.write_line(f"{count:6d} {what}")
        for what, seconds in sorted(LONGEST_S.items()):
            terminalreporter.write_line(f"{seconds:6.2f} s longest time from {what}")
