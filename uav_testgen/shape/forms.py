"""The table of all shapes: the one place that says which there are."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from uav_testgen.shape import box, cylinder, mesh, sphere
from uav_testgen.shape.base import Form
from uav_testgen.shape.kinds import Shape

FORMS: Mapping[Shape, Form] = MappingProxyType(
    {Shape.BOX: box.FORM, Shape.CYLINDER: cylinder.FORM, Shape.SPHERE: sphere.FORM, Shape.MESH: mesh.FORM}
)
