"""`uav-testgen studio [FOLDER]`: edit scenes in the browser and watch the predicted flight follow."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from uav_testgen.cli._forms import add_form_option
from uav_testgen.cli._output import add_json_option, print_json


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "studio",
        help="edit scenes in the browser and see the predicted flight change",
        description="Serves a page on this machine only: drag obstacles and see the predicted flight, replay it, "
        "run campaigns. Scenes and campaigns are files in FOLDER.",
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path("results/studio"), metavar="FOLDER",
        help="where scenes and campaigns are opened and saved (default: results/studio)",
    )  # fmt: skip
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen on (default: 127.0.0.1)"
    )
    parser.add_argument(
        "--port", type=int, default=8765, metavar="N", help="port to listen on; 0 chooses one (default: 8765)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    for kind in ("planner", "generator"):
        parser.add_argument(
            f"--{kind}", action="append", default=[], metavar="NAME",
            help=f"offer a {kind} of your own, file.py:Class, in the menus; may be repeated",
        )  # fmt: skip
    parser.add_argument(
        "--requirement", action="append", default=[], metavar="NAME",
        help="offer a requirement of your own, file.py:Class(key=value), or begin searches with this one; may be "
        "repeated",
    )  # fmt: skip
    add_form_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.view.studio.own_parts import offer
    from uav_testgen.view.studio.serve import is_loopback, serve

    if not 0 <= arguments.port <= 65535:
        raise ConfigError(f"--port {arguments.port}: a number from 0 to 65535 is expected")
    if not is_loopback(arguments.host):
        print(
            f"uav-testgen: {arguments.host} can be reached from other machines; whoever has the address below, "
            "token included, can read and write the folder and start campaigns",
            file=sys.stderr,
        )

    own = offer(arguments.planner, arguments.generator, arguments.requirement, arguments.form)

    def announce(address: str) -> None:
        if arguments.json:
            print_json({"address": address, "folder": str(arguments.folder)})
            sys.stdout.flush()
        else:
            print(f"Studio: {address}\nFolder: {arguments.folder}\nStop with Ctrl-C.", flush=True)
        if not arguments.no_browser:
            import webbrowser

            webbrowser.open(address)

    try:
        serve(arguments.folder, arguments.host, arguments.port, announce, own)
    except KeyboardInterrupt:
        print("uav-testgen: the studio is stopped; jobs that it started go on", file=sys.stderr)
    return 0
