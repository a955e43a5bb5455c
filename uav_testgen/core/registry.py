"""Names for exchangeable parts: generators, backends, oracles, planners, vehicles.

A registry maps a name to "module:attribute" and imports it on first use, so that listing the names
costs nothing and the ROS backends can be reached without the core importing ROS. Other packages add
their own parts through entry points of the group `uav_testgen.<kind>`.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any

from uav_testgen.core.errors import ConfigError, MissingDependency
from uav_testgen.core.extras import way_to_get
from uav_testgen.core.plugin import is_plugin, load_plugin

_LONGEST_WORD = 200
_LONG_ENOUGH = 3  # letters that are the beginning of a name rather than a mistake
_ALIKE = 0.6  # below that, suggestions are nothing like what was typed


def nearest(word: str, choices: Iterator[str] | list[str]) -> str:
    """A ", did you mean ...?" ending for error messages; empty where nothing is near."""
    if len(word) > _LONGEST_WORD:  # nobody mistyped that, and comparing it takes long
        return ""
    known = list(choices)
    longer = [name for name in known if len(word) >= _LONG_ENOUGH and name.startswith(word)]
    match = longer or difflib.get_close_matches(word, known, n=1, cutoff=_ALIKE)
    return f", did you mean '{match[0]}'?" if match else ""


def nearest_and_known(word: str, choices: Iterator[str] | list[str]) -> str:
    """The ending of "unknown ..." messages: the nearest name, if any, and all of them."""
    names = list(choices)
    hint = nearest(word, names)
    return f"{hint} Known: {', '.join(names)}" if hint else f"; known: {', '.join(names)}"


@functools.cache
def _entry_points(path: tuple[str, ...]) -> Any:
    """What all installed packages offer, read once for every `sys.path`."""
    return entry_points()


class Registry:
    """Parts of one kind by name."""

    def __init__(self, kind: str, built_in: dict[str, str], unlisted: dict[str, str] | None = None) -> None:
        self.kind = kind
        self._unlisted = set(unlisted or {})
        """Stand-ins for tests and trials: found by name, but not offered."""
        self._targets = {**built_in, **(unlisted or {})}
        self._loaded: dict[str, Any] = {}
        self._plugins_read = False

    def add(self, name: str, target: str | Any, *, listed: bool = True) -> None:
        """Register a part: a "module:attribute" string, or the object itself; `listed`: offered to others, too."""
        if not listed:
            self._unlisted.add(name)
        if isinstance(target, str):
            self._targets[name] = target
            self._loaded.pop(name, None)
        else:
            kind = target if hasattr(target, "__qualname__") else type(target)
            self._targets[name] = f"{kind.__module__}:{kind.__qualname__}"
            self._loaded[name] = target

    def names(self) -> list[str]:
        """All names that are offered, sorted."""
        self._read_plugins()
        return sorted(set(self._targets) - self._unlisted)

    def built_in_target(self, name: str) -> str:
        """The "module:attribute" string behind a name."""
        self.require(name)
        return self._targets[name]

    def require(self, name: str) -> None:
        """Raise ConfigError unless the name is registered or points at code."""
        if is_plugin(name):
            return
        self._read_plugins()
        if name not in self._targets and name.endswith(".py"):
            raise ConfigError(f"{self.kind} '{name}': which class of the file? Say {name}:Class")
        if name not in self._targets:
            raise ConfigError(f"unknown {self.kind} '{name}'{nearest_and_known(name, self.names())}")

    def load(self, name: str) -> Any:
        """The registered object, or the one behind `module:Name` or `file.py:Name`; imported on first use."""
        if is_plugin(name):
            return load_plugin(self.kind, name)
        self.require(name)
        if name not in self._loaded:
            module_name, _, attribute = self._targets[name].partition(":")
            try:
                module = importlib.import_module(module_name)
            except ImportError as error:
                raise MissingDependency(
                    f"{self.kind} '{name}' needs a module that cannot be imported ({error}); "
                    f"{way_to_get(error.name)}"
                ) from error
            self._loaded[name] = getattr(module, attribute)
        return self._loaded[name]

    def _read_plugins(self) -> None:
        if self._plugins_read:
            return
        self._plugins_read = True
        for entry in _entry_points(tuple(sys.path)).select(group=f"uav_testgen.{self.kind}"):
            self._targets.setdefault(entry.name, entry.value)
