"""An obstacle of a scene file that names a form: replaced by the triangles which that form makes."""

from __future__ import annotations

from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.shape.kinds import Shape
from uav_testgen.shape.own import make_form


def with_form(entry: dict[str, Any], where: str) -> dict[str, Any]:
    """The entry as a mesh. Without `size_m` it has its natural size, else it is stretched to the one given."""
    if entry.get("shape", Shape.MESH.value) != Shape.MESH.value or "triangles" in entry:
        raise ConfigError(f"{where}: an obstacle with a form is a mesh; leave out shape and triangles")
    form, parameters = entry["form"], entry.get("parameters", {})
    if not isinstance(form, str) or not isinstance(parameters, dict):
        raise ConfigError(f"{where}: 'form' is a name and 'parameters' a mapping of its parameters")
    if not all(isinstance(key, str) for key in parameters):
        raise ConfigError(f"{where}.parameters: every parameter has a name")
    try:
        triangles, natural_m = make_form(form, parameters)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None
    rest = {key: value for key, value in entry.items() if key not in ("form", "parameters")}
    return {"size_m": natural_m, **rest, "shape": Shape.MESH.value, "triangles": triangles}
