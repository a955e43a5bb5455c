"""What README promises at a glance is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from uav_testgen import predict
from uav_testgen.cli._prediction import distance_lines, heading_of
from uav_testgen.cli.main import build_parser, sub_commands

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_is_short_and_opens_with_a_moving_picture() -> None:
    assert TEXT.count("\n") < 120
    first = re.search(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert first is not None and TEXT.count("\n", 0, first.start()) < 6
    assert first[1].endswith(".gif") and (ROOT / first[1]).stat().st_size < 1_000_000


def test_its_lines_fit_a_screen() -> None:
    shown = re.sub(r"^```.*?^```", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in shown.splitlines() if not line.startswith(("|", "!["))]
    assert [line for line in lines if len(line) > 120] == []


def test_two_commands_are_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    section = TEXT.partition("## Two commands")[2].partition("\n## ")[0]
    shown = re.findall(r"^make ([a-z-]+)", section, re.MULTILINE)
    assert shown == ["campaign", "test"]
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in shown)


def test_the_shown_answer_is_the_answer() -> None:
    prediction = predict("too_close")
    assert f"{heading_of(prediction, 'too close')}\n" in TEXT
    for line in distance_lines(prediction):
        assert f"  {line}\n" in TEXT


COMMANDS = [line for line in re.findall(r"uav-testgen [^`#\n]+", TEXT) if "--help" not in line]


@pytest.mark.parametrize("line", COMMANDS)
def test_a_shown_command_is_understood(line: str) -> None:
    words = shlex.split(line)[1:]
    assert words[0] in sub_commands()
    if len(words) > 1:
        assert build_parser(words[0]).parse_args(words).command == words[0]


def test_commands_are_found() -> None:
    assert len(COMMANDS) >= 8
