"""`uav-testgen list KIND`: the names that options and files accept, with a sentence on each."""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "list",
        help="list the names of planners, generators, missions and other parts, each with a sentence",
        description="List the names that options and files accept. Parts of your own need no name: give "
        "file.py:Class or module:Class instead.",
    )
    parser.add_argument("kind", choices=sorted(_KINDS), metavar="KIND", help=", ".join(sorted(_KINDS)))
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """One line for each name."""
    found = _KINDS[arguments.kind]()
    if arguments.json:
        print_json([{"name": name, "description": text} for name, text in found.items()])
        return 0
    width = max(len(name) for name in found)
    for name, text in found.items():
        print(f"{name:<{width}}  {text}".rstrip())
    return 0


def described_in_source(target: str) -> str:
    """First line of the docstring of "module:Class", read without importing it: a ROS part needs no ROS here."""
    module, _, name = target.partition(":")
    try:
        spec = importlib.util.find_spec(module)
        tree = ast.parse(Path(spec.origin or "").read_text(encoding="utf-8")) if spec is not None else None
    except (ImportError, OSError, SyntaxError, ValueError):
        return ""
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return (ast.get_docstring(node) or "").partition("\n")[0]
    return ""


def described_in_file(path: Path) -> str:
    """The first sentence of the comment at the head of a YAML file, up to what it adds after a colon or bracket."""
    words: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        words.append(line.lstrip("# "))
    return re.split(r"[.:] | \(", " ".join(words), maxsplit=1)[0].rstrip(".") + "."


def _parts(where: str) -> Callable[[], dict[str, str]]:
    def listed() -> dict[str, str]:
        module, _, attribute = where.partition(":")
        registry = getattr(importlib.import_module(module), attribute)
        return {name: described_in_source(registry.built_in_target(name)) for name in registry.names()}

    return listed


def _files(folder: str) -> Callable[[], dict[str, str]]:
    def listed() -> dict[str, str]:
        from uav_testgen.core.resources import config_folder

        paths = sorted(config_folder(folder).glob("*.yaml"))
        return {path.stem: described_in_file(path) for path in paths}

    return listed


_KINDS: dict[str, Callable[[], dict[str, str]]] = {
    "algorithms": _parts("uav_testgen.generator.algorithm.registry:ALGORITHMS"),
    "arenas": _files("arena"),
    "backends": _parts("uav_testgen.backend.registry:BACKENDS"),
    "generators": _parts("uav_testgen.generator.registry:GENERATORS"),
    "missions": _files("missions"),
    "planners": _parts("uav_testgen.planner.registry:PLANNERS"),
    "profiles": _files("planner_profiles"),
    "requirements": _parts("uav_testgen.oracle.requirement:REQUIREMENTS"),
    "scenes": _files("scenarios"),
    "systems": _files("systems"),
}
