"""One line for a terminal, whatever the text was."""

from __future__ import annotations

import pytest

from uav_testgen.core.plain_text import LONGEST_LINE, one_line, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, ä and 漢字", "plain, ä and 漢字"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("two\nlines\r", r"two\nlines\r"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\udcff", r"\udcff"),
        ("\x9b2J\x00", r"\x9b2J\x00"),
    ],
)
def test_nothing_a_terminal_obeys_is_left(text: str, shown: str) -> None:
    assert printable(text) == shown and shown.isprintable()


@pytest.mark.parametrize("text", ["x" * 10_000_000, "\x1b" * 5000, "a" * 999 + "\n" * 50])
def test_a_long_line_keeps_its_ends(text: str) -> None:
    line = one_line(f"file.yaml: {text}; do this")
    assert len(line) <= LONGEST_LINE
    assert line.startswith("file.yaml: ") and line.endswith("; do this")
