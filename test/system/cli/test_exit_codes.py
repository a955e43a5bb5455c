"""One table of exit codes: in the code, in every help, in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from uav_testgen.cli.main import main, sub_commands
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.exit_codes import MEANINGS, ExitCode

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("command", ["", *sub_commands()])
def test_every_help_shows_the_table(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*filter(None, [command]), "--help"])
    assert stop.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    for code, meaning in MEANINGS.items():
        assert f"{code.value} {meaning}" in text


def test_the_documentation_shows_the_same_table() -> None:
    text = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE))
    assert rows == {str(code.value): meaning for code, meaning in MEANINGS.items()}


def test_every_error_has_a_code_of_the_table_and_a_place_in_the_documentation() -> None:
    text = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    found = list(UavTestgenError.__subclasses__())
    while found:
        kind = found.pop()
        found += kind.__subclasses__()
        if kind.__module__ != "uav_testgen.core.errors":
            continue
        assert kind.exit_code in (ExitCode.INVALID_INPUT, ExitCode.UNFINISHED)
        row = next(line for line in text.splitlines() if f"`{kind.__name__}`" in line)
        assert ("(3)" in row) == (kind.exit_code == ExitCode.UNFINISHED), row


@pytest.mark.parametrize(
    "words",
    [
        ["fly", "--seed", "x" * 1_000_000, "scene.yaml"],
        ["fly", "\x1b[31mred\r\n" + "y" * 1_000_000],
        ["check", "\x1b]0;title\x07.yaml"],
        ["\x1b[2J" + "z" * 1_000_000],
        ["campaign", "a\nb.yaml", "--out", "\u202eout"],
        ["score", "no\x00folder"],
    ],
)
def test_an_error_is_one_line_that_no_terminal_obeys(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(words)
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2
    said = capsys.readouterr().err
    assert said.endswith("\n") and said[:-1].isprintable() and len(said) <= 1001
