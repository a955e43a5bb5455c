"""Planners, generators and requirements of the user's own, offered to the page because they were named at the start.

A page never names code. What the person at the keyboard named is registered under its place, so that menus list it
and flights, campaigns, studies and comparisons load it like a shipped part, in other processes as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uav_testgen.core.plugin import is_plugin
from uav_testgen.core.registry import Registry
from uav_testgen.generator.registry import GENERATORS
from uav_testgen.oracle.requirement import REQUIREMENTS, make_requirement, split_text
from uav_testgen.planner.registry import PLANNERS


@dataclass(frozen=True, slots=True)
class OwnParts:
    """What was named, by places that other processes can load from."""

    planners: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    """With their arguments; these are the ones a new search begins with."""
    forms: tuple[str, ...] = ()
    """Functions behind the forms that scenes name; known to this process already."""


def offer(
    planners: Sequence[str] = (),
    generators: Sequence[str] = (),
    requirements: Sequence[str] = (),
    forms: Sequence[str] = (),
) -> OwnParts:
    """Load every part once, so that a wrong name is told at the start, and let the menus show it."""
    required = tuple(with_full_path(text) for text in requirements)
    for text in required:
        make_requirement(text)
        _show(REQUIREMENTS, split_text(text)[0])
    return OwnParts(
        tuple(_show(PLANNERS, with_full_path(name)) for name in planners),
        tuple(_show(GENERATORS, with_full_path(name)) for name in generators),
        required,
        tuple(with_full_path(form) for form in forms),
    )


def with_full_path(name: str) -> str:
    """`file.py:Class` by the whole path of its file: jobs may run in other folders."""
    place, ending, rest = name.partition(".py:")
    return f"{Path(place + '.py').resolve()}:{rest}" if ending else name


def _show(registry: Registry, name: str) -> str:
    part = registry.load(name)
    if is_plugin(name):
        registry.add(name, part)
    return name
