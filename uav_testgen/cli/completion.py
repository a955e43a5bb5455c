"""`uav-testgen completion SHELL`: a script that lets the Tab key complete commands, options and shipped names."""

from __future__ import annotations

import argparse
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.exit_codes import ExitCode

SHELLS = ("bash", "zsh", "tcsh")


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "completion",
        help="print a script for Tab completion in bash, zsh or tcsh",
        description="Print a script that completes commands and options in your shell. Write it to where the shell "
        'looks for completions, as in the example, or load it at once: eval "$(uav-testgen completion bash)".',
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    script = script_for(arguments.shell)
    if arguments.json:
        print_json({"shell": arguments.shell, "script": script})
    else:
        print(script)
    return ExitCode.DONE


def script_for(shell: str) -> str:
    """The script; every command and option of this version is in it."""
    import shtab

    from uav_testgen.cli.main import build_parser

    parser = build_parser()
    _complete_files(parser, shtab.FILE)
    return str(shtab.complete(parser, shell))


def _complete_files(parser: argparse.ArgumentParser, hint: Any) -> None:
    """Arguments that take a file or folder complete to those."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                _complete_files(inner, hint)
        elif action.nargs != 0 and not action.choices and getattr(action.type, "__name__", "") == "Path":
            action.complete = hint  # type: ignore[attr-defined]
