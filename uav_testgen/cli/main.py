"""Entry point of `uav-testgen`: finds the sub-command, runs it, turns errors into one line.

A sub-command is a module with `register(subparsers)` and a function it sets as `run`. Modules are
imported only for the sub-command that is used (and for the top-level help), so start-up stays quick.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from uav_testgen.cli._failures import explain
from uav_testgen.cli._hasty import answer_around_the_command, command_is_done
from uav_testgen.cli._interrupt import ended_like_interrupted
from uav_testgen.cli._output import complain
from uav_testgen.cli._parser import Parser, TopParser
from uav_testgen.cli._streams import stdout_failure, use_lasting_streams
from uav_testgen.cli._surroundings import check_surroundings
from uav_testgen.cli._version import ShowVersion
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.libraries_apart import MATPLOTLIB, load_apart
from uav_testgen.core.registry import nearest

_GO_ON = "nothing is left to be resumed, run the same command again"


def sub_commands() -> list[str]:
    """Names of all sub-commands: the modules of this folder, except helpers and this one."""
    names = (module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return sorted(name.replace("_", "-") for name in names if not name.startswith("_") and name != "main")


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole parser, or the one sub-command that is about to run."""
    parser = TopParser(
        prog="uav-testgen",
        description="Find the situations in which a drone flies dangerously close to an obstacle.",
    )
    parser.add_argument("--version", action=ShowVersion, help="print version and commit, and exit")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for name in [only] if only else sub_commands():
        importlib.import_module(f"uav_testgen.cli.{name.replace('-', '_')}").register(subparsers)
    return parser


def chosen_command(arguments: Sequence[str]) -> str | None:
    """The first word that is not an option; None for help and version."""
    return next((word for word in arguments if not word.startswith("-")), None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; what the exit code means is in `uav_testgen.core.exit_codes`."""
    if arguments is not None:
        return _run(arguments)
    # A process of its own: output that nobody takes must neither end the work nor change what it returns.
    answer_around_the_command()
    use_lasting_streams()
    load_apart(MATPLOTLIB)
    try:
        code = _run(sys.argv[1:])
    except SystemExit as stop:  # the parser's own end: help, version, a wrong option
        code = stop.code if isinstance(stop.code, int) else ExitCode.DONE
    command_is_done()
    failure = stdout_failure()
    if failure is not None and code in (ExitCode.DONE, ExitCode.VIOLATED):
        complain(f"the result could not be printed ({failure}); what was to be written to files is there")
        return ExitCode.UNFINISHED
    return code


def _run(arguments: Sequence[str]) -> int:
    # Work is spread over processes; threads inside small matrix products would only fight for the cores.
    # This must happen before anything imports numpy, which the sub-commands do.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # --debug may stand anywhere, because it is typed after something went wrong.
    # After -- the words belong to a program that is started.
    own = list(arguments).index("--") if "--" in arguments else len(arguments)
    debug = "--debug" in arguments[:own]
    words = [word for word in arguments[:own] if word != "--debug"] + list(arguments[own:])
    command = chosen_command(words)
    if command is not None and command not in sub_commands():
        hint = nearest(command, sub_commands())
        see = f"{hint} See" if hint else "; see"
        complain(f"unknown command '{command}'{see}: uav-testgen --help")
        return ExitCode.INVALID_INPUT
    hint = _GO_ON
    interruption = ended_like_interrupted()
    try:
        with interruption:
            if command is not None:
                check_surroundings(command)
            parsed = build_parser(command).parse_args(words)
            hint = getattr(parsed, "go_on", hint)
            return int(parsed.run(parsed))
    except KeyboardInterrupt:
        complain(f"interrupted; {hint}")
        return ExitCode.INTERRUPTED
    except Exception as error:
        if debug:
            traceback.print_exc()
        sentence, code = explain(error)
        if interruption.asked and code == ExitCode.OUR_ERROR:
            sentence, code = f"interrupted; {hint}", ExitCode.INTERRUPTED
        complain(sentence)
        return code


if __name__ == "__main__":
    sys.exit(main())
