"""Argument parsers that say what is wrong in one line and name the exit codes in their help."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from uav_testgen.core.exit_codes import MEANINGS, ExitCode
from uav_testgen.core.plain_text import one_line

_TITLE = "exit codes:"
_LABEL = 7


class _Formatter(argparse.HelpFormatter):
    """Wraps text as usual, but keeps the lines of the table of exit codes."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if not text.startswith(_TITLE):
            return super()._fill_text(text, width, indent)
        lines = [_TITLE]
        for code, meaning in MEANINGS.items():
            first, *others = super()._fill_text(meaning, width - _LABEL, "").splitlines()
            lines += [f"  {code.value:<{_LABEL - 2}}{first}", *(" " * _LABEL + line for line in others)]
        return "\n".join(lines)


class Parser(argparse.ArgumentParser):
    """A parser of ours; sub-commands get the same class."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, "epilog": _TITLE, **options})

    def error(self, message: str) -> NoReturn:
        """One line, however long or odd the words on the command line were."""
        sys.stderr.write(one_line(f"{self.prog}: {message}; see: {self.prog} --help") + "\n")
        sys.exit(ExitCode.INVALID_INPUT)
