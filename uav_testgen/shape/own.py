"""Forms of one's own: a Python function from parameters to triangles.

    def gate(width_m: float = 8.0, height_m: float = 10.0) -> list: ...   # triangles (n, 3, 3) in metres

A scene names a form; the code behind the name comes from the user (`--form file.py:function`, `add_form`, an entry
point of the group `uav_testgen.form`), never from the scene. What the function answers becomes part of the obstacle,
so flights, files, workers and messages need the triangles only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.plugin import is_plugin, load_plugin
from uav_testgen.core.registry import Registry
from uav_testgen.shape.base import Size, Triangles
from uav_testgen.shape.mesh import unit_form

OWN_FORMS = Registry("form", {"gate": "uav_testgen.shape.gate:gate"})


def add_form(form: str | Callable[..., Any]) -> str:
    """Make a form known under the name of its function, given as function, `file.py:function` or `module:function`."""
    function = load_plugin("form", form) if isinstance(form, str) else form
    if not callable(function):
        raise ConfigError(f"form '{form}': it is no function")
    name = getattr(function, "__name__", type(function).__name__)
    OWN_FORMS.add(name, function)
    return str(name)


def make_form(name: str, parameters: Mapping[str, Any]) -> tuple[Triangles, Size]:
    """The triangles of a form in shares of its half sizes, and its natural extents [m]."""
    if is_plugin(name):
        function = name.rpartition(":")[2]
        raise ConfigError(
            f"form '{name[:200]}': files load no code; write 'form: {function[:80]}' and name the code yourself: "
            f"--form {name[:200]}"
        )
    function = OWN_FORMS.load(name)
    try:
        return unit_form(function(**parameters))
    except Exception as error:
        raise ConfigError(f"form '{name}': {error}") from error
