"""Names that a room offers by itself: `from uav_testgen.oracle import Verdict` instead of the module inside.

They are resolved when they are asked for, so that importing one module of a room does not import all the others.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def public_names(room: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], list[str]]:
    """`__getattr__` and `__all__` of a room; `modules` says in which module of the room each list of names stands.

    __getattr__, __all__ = public_names(__name__, {"model": "Outcome Verdict", "judging": "judge"})
    """
    places = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module '{room}' has no attribute '{name}'")
        return getattr(importlib.import_module(f"{room}.{places[name]}"), name)

    return get, sorted(places)
