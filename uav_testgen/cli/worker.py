"""`uav-testgen worker DIR`: fly the jobs of a shared folder."""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from uav_testgen.cli._output import add_json_option, complain, print_json
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.plain_text import printable

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "worker",
        help="fly jobs from a shared folder",
        description="Take jobs (JSON) from DIR/jobs, fly them with a backend, write results (JSON) to "
        "DIR/results. Any number of workers may share a folder; campaigns send jobs with backend 'folder'.",
    )
    parser.add_argument(
        "folder",
        type=Path,
        metavar="DIR",
        nargs="?",
        help="folder shared with the campaign (default: none; --print-script needs none)",
    )
    parser.add_argument(
        "--print-script",
        action="store_true",
        help="print a worker in one file instead, for a container or machine where only Aerialist is installed",
    )
    parser.add_argument("--backend", default="aerialist", metavar="NAME", help="simulator or autopilot")
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="YAML file with settings of the backend"
    )
    parser.add_argument(
        "--name", metavar="NAME", help="unique name of this worker (default: the machine's name)"
    )
    parser.add_argument(
        "--lease",
        type=float,
        default=120.0,
        metavar="S",
        help="seconds without a heartbeat before another worker takes over",
    )
    parser.add_argument("--until-empty", action="store_true", help="end when no job is left")
    add_json_option(parser)
    parser.set_defaults(run=run)


def script_text() -> str:
    """The source of the worker in one file."""
    path = Path(__file__).resolve().parents[1] / "backend" / "worker_script.py"
    return "#!/usr/bin/env python3\n" + path.read_text(encoding="utf-8")


@contextmanager
def _ready(backend: Any) -> Iterator[Any]:
    """The backend, ready to fly; where Aerialist is missing, without the advice to use a worker."""
    from uav_testgen.backend.aerialist import MissingProgram
    from uav_testgen.core.errors import BackendError

    try:
        entered = backend.__enter__()
    except MissingProgram as error:
        raise BackendError(error.here) from None
    with ExitStack() as stack:
        stack.push(backend.__exit__)
        yield entered


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    if arguments.print_script:
        print(script_text(), end="")
        return ExitCode.DONE
    from uav_testgen.backend.folder_queue import FolderQueue
    from uav_testgen.backend.folder_worker import FolderWorker
    from uav_testgen.backend.registry import make_backend
    from uav_testgen.core.config import read_yaml
    from uav_testgen.core.errors import ConfigError

    if arguments.folder is None:
        raise ConfigError("name the folder shared with the campaign: uav-testgen worker DIR")
    if not 1.0 <= arguments.lease <= 86_400.0:
        raise ConfigError(f"--lease must be 1 to 86400 s, got {arguments.lease:g}")
    if arguments.backend == "folder":
        raise ConfigError("--backend folder would send the jobs back to a folder; name the one that flies")
    settings = read_yaml(arguments.settings) if arguments.settings else {}
    if not isinstance(settings, dict):
        raise ConfigError(f"{arguments.settings}: a mapping of settings is expected")
    name = arguments.name or platform.node().split(".")[0] or f"worker-{os.getpid()}"
    queue = FolderQueue(arguments.folder, arguments.lease)
    # One JSON object is all that stdout holds on request; what happens meanwhile is for people.
    lines = sys.stderr if arguments.json else sys.stdout
    with queue.sign_in(name), _ready(make_backend(arguments.backend, settings)) as backend:
        worker = FolderWorker(queue, backend, name, lambda line: print(line, file=lines, flush=True))

        def leave(number: int, frame: FrameType | None) -> None:
            # A flight under way is broken off and its job goes back to the queue.
            worker.stop = True
            if worker.flying:
                raise KeyboardInterrupt

        numbers = [number for number in _NUMBERS if signal.getsignal(number) is not signal.SIG_IGN]
        former = {number: signal.signal(number, leave) for number in numbers}
        greeting = printable(f"worker '{name}' flies with {arguments.backend} for {arguments.folder}")
        print(greeting, file=lines, flush=True)
        try:
            worker.serve(until_empty=arguments.until_empty)
        except KeyboardInterrupt:
            print("the flight under way was broken off; its job is back in the queue", file=lines, flush=True)
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)
    if arguments.json:
        print_json(
            {
                "worker": name,
                "backend": arguments.backend,
                "folder": str(arguments.folder),
                "handled": worker.handled,
                "flown": worker.flown,
            }
        )
    else:
        print(f"{worker.handled} jobs handled", flush=True)
    if worker.stop and arguments.until_empty:
        complain("interrupted; the jobs that are left stay in the queue, run the same command again")
        return ExitCode.INTERRUPTED
    return ExitCode.DONE
