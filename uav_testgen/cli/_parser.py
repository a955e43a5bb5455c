"""Argument parsers that say what is wrong in one line; their help has groups, defaults, an example, the exit codes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from uav_testgen.cli._catalogue import EXAMPLES, FIRST_STEPS, groups_of
from uav_testgen.core.exit_codes import MEANINGS, ExitCode
from uav_testgen.core.plain_text import one_line
from uav_testgen.core.registry import nearest

_TITLE = "exit codes:"
_LABEL = 7
_INDENT = 15
_NUMBERS: dict[Any, str] = {int: "a whole number", float: "a number"}


class _Formatter(argparse.HelpFormatter):
    """Wraps text as usual, but keeps the lines of examples and of the table of exit codes; names defaults."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if not text.endswith(_TITLE):
            return super()._fill_text(text, width, indent)
        lines = [text]
        for code, meaning in MEANINGS.items():
            first, *others = super()._fill_text(meaning, width - _LABEL, "").splitlines()
            lines += [f"  {code.value:<{_LABEL - 2}}{first}", *(" " * _LABEL + line for line in others)]
        return "\n".join(lines)

    def _get_help_string(self, action: argparse.Action) -> str:
        return _with_default(action)


def _with_default(action: argparse.Action) -> str:
    """The help of an argument; an option that takes a value ends with its default, if it does not say it itself."""
    text = action.help or ""
    takes_value = action.nargs != 0 and bool(action.option_strings)
    if not takes_value or action.required or "default" in text or action.default == argparse.SUPPRESS:
        return text
    return f"{text} (default: none)" if action.default in (None, "", []) else f"{text} (default: %(default)s)"


def help_of(action: argparse.Action) -> str:
    """The same as it is shown."""
    return _with_default(action) % {**vars(action), "prog": "uav-testgen"}


class Parser(argparse.ArgumentParser):
    """A parser of ours; sub-commands get the same class.

    Options are not abbreviated: what is short for one option today would be short for two tomorrow.
    """

    def __init__(self, **options: Any) -> None:
        example = EXAMPLES.get(str(options.get("prog", "")).rpartition(" ")[2], "")
        epilog = f"example:\n  {example}\n\n{_TITLE}" if example else _TITLE
        ours = {"formatter_class": _Formatter, "epilog": epilog, "allow_abbrev": False}
        super().__init__(**{**ours, **options})

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """A command knows its own options best, so it says itself which ones it does not have."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._not_taken(unknown))
        return found, unknown

    def _not_taken(self, unknown: Sequence[str]) -> str:
        """The first word that is not taken, and what may have been meant."""
        options = [word for word in unknown if word.startswith("-")]
        if not options:
            way_out = "put names with spaces in quotes, and give one where one is asked for"
            return f"too many arguments: {' '.join(unknown)}; {way_out}"
        option = options[0].partition("=")[0]
        known = [name for action in self._actions for name in action.option_strings if name.startswith("--")]
        return f"unknown option {option}{nearest(option, known)}"

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """The same as argparse does, in words for people who do not write Python."""
        if action.type in _NUMBERS:
            try:
                return super()._get_value(action, arg_string)
            except argparse.ArgumentError:
                wanted = _NUMBERS[action.type]
                raise argparse.ArgumentError(action, f"{wanted} is expected, got {arg_string!r}") from None
        return super()._get_value(action, arg_string)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            text = f"unknown {action.metavar or 'value'} {value!r}{nearest(str(value), known)}"
            raise argparse.ArgumentError(action, f"{text}; known: {', '.join(known)}")

    def error(self, message: str) -> NoReturn:
        """One line, however long or odd the words on the command line were."""
        sys.stderr.write(one_line(f"{self.prog}: {message}; see: {self.prog} --help") + "\n")
        sys.exit(ExitCode.INVALID_INPUT)


class TopParser(Parser):
    """The parser of the whole program: its help shows the commands by what they are for."""

    def format_help(self) -> str:
        """Usage, commands in groups, first steps, options, exit codes."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        sentences = self._sentences()
        for title, names in groups_of(list(sentences)).items():
            formatter.start_section(title)
            formatter.add_arguments([_entry(name, sentences[name]) for name in names])
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments([action for action in self._actions if action.option_strings])
        formatter.end_section()
        first = "\n".join(f"  {EXAMPLES[name]}" for name in FIRST_STEPS)
        formatter.add_text(f"first steps:\n{first}\n  uav-testgen COMMAND --help\n\n{_TITLE}")
        return formatter.format_help()

    def _sentences(self) -> dict[str, str]:
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                return {choice.dest: choice.help or "" for choice in action._choices_actions}
        return {}


def _entry(name: str, sentence: str) -> argparse.Action:
    """A line of help; argparse draws positional arguments as we want commands to look."""
    return argparse.Action(option_strings=[], dest=name, metavar=f"{name:<{_INDENT}}".rstrip(), help=sentence)
