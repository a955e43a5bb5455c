"""`--form`: code for forms that scenes name."""

from __future__ import annotations

import argparse


def add_form_option(parser: argparse.ArgumentParser) -> None:
    """Let the user make forms known before scenes are read."""
    parser.add_argument(
        "--form",
        action="append",
        default=[],
        type=_made_known,
        metavar="FILE.py:FUNCTION",
        help="a function from parameters to triangles, for scenes that name its form; may be repeated",
    )


def form_words(arguments: argparse.Namespace) -> list[str]:
    """The options with which the same forms are known again."""
    return [word for form in arguments.form for word in ("--form", form)]


def _made_known(given: str) -> str:
    from uav_testgen.shape.own import add_form

    add_form(given)
    return given
