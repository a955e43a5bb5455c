"""Rooms that share their name with the public function people look for: `uav_testgen.predict("two_walls")`.

`uav_testgen.predict` is a package as soon as anything in it is imported, whatever the package above says. So the
package itself can be called, and calling it calls the function.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


class _CallableRoom(ModuleType):
    _called: str

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        module, _, function = self._called.partition(":")
        return getattr(importlib.import_module(module), function)(*arguments, **named)


def callable_as(room: str, function: str) -> None:
    """Make the package `room` callable; `function` is "module:name", imported when it is called."""
    module = sys.modules[room]
    module.__class__ = _CallableRoom
    setattr(module, "_called", function)  # noqa: B010
