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
from collections.abc import Sequence
from pathlib import Path

from uav_testgen import __version__
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.registry import nearest


def sub_commands() -> list[str]:
    """Names of all sub-commands: the modules of this folder, except helpers and this one."""
    names = (module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return sorted(name for name in names if not name.startswith("_") and name != "main")


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole parser, or the one sub-command that is about to run."""
    parser = argparse.ArgumentParser(
        prog="uav-testgen",
        description="Find the situations in which a drone flies dangerously close to an obstacle.",
    )
    parser.add_argument("--version", action="version", version=f"uav-testgen {__version__}")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in [only] if only else sub_commands():
        importlib.import_module(f"uav_testgen.cli.{name}").register(subparsers)
    return parser


def chosen_command(arguments: Sequence[str]) -> str | None:
    """The first word that is not an option; None for help and version."""
    return next((word for word in arguments if not word.startswith("-")), None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; exit codes: 0 fine, 1 the answer is no, 2 wrong input, 130 interrupted."""
    # Work is spread over processes; threads inside small matrix products would only fight for the cores.
    # This must happen before anything imports numpy, which the sub-commands do.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words = list(sys.argv[1:] if arguments is None else arguments)
    # --debug may stand anywhere, because it is typed after something went wrong.
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    command = chosen_command(words)
    if command is not None and command not in sub_commands():
        hint = nearest(command, sub_commands())
        see = f"{hint} See" if hint else "; see"
        print(f"uav-testgen: unknown command '{command}'{see}: uav-testgen --help", file=sys.stderr)
        return 2
    try:
        parsed = build_parser(command).parse_args(words)
        return int(parsed.run(parsed))
    except UavTestgenError as error:
        if debug:
            raise
        print(f"uav-testgen: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("uav-testgen: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader (head, less) went away: not an error, but stdout must not be flushed again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        kind = type(error).__name__
        print(
            f"uav-testgen: unexpected {kind}: {error} (run again with --debug to see where)", file=sys.stderr
        )
        return 70


if __name__ == "__main__":
    sys.exit(main())
