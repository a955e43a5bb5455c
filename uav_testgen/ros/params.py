"""ROS parameters from configuration objects: declared with range and description, read back validated.

    config = declare_config(node, PlannerConfig, prefix="planner")

declares `planner.max_sensor_range_m` and so on. Values come from `--ros-args -p` or YAML files. What a node is built of
is read-only; the rest (`live=True`) may change between flights (`ros.live_params`). Called again, the present values
are read.
"""

from __future__ import annotations

import math
import sys
import types
import typing
from collections.abc import Collection, Iterator
from enum import Enum
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException
from rclpy.node import Node

from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest

Model = TypeVar("Model", bound=BaseModel)
_SCALARS = (bool, int, float, str)
_INT64 = 2**63 - 1
_EMPTY = [""]
"""An empty list has no type in ROS; this stands for one without words."""


class Leaf(NamedTuple):
    """One parameter: its path inside the configuration object, what it may hold, and its default."""

    path: tuple[str, ...]
    kind: type
    optional: bool
    field: FieldInfo
    default: Any


def declare_config(
    node: Node,
    model: type[Model],
    *,
    prefix: str = "",
    defaults: Model | None = None,
    without: Collection[str] = (),
    live: bool = False,
    fixed: Collection[str] = (),
) -> Model:
    """Declare every field of the model as a parameter of the node and return the validated values.

    `defaults` (else the model's own) count where the user set nothing. Fields in `without` are not declared
    and keep their default. `live` ones may change later, except those in `fixed`. A wrong type, a bound that is
    broken or a rule between fields raises ConfigError naming the node and the parameter.
    """
    start = prefix.strip(".")
    data: dict[str, Any] = {}
    for leaf in leaves(model, defaults):
        name = ".".join(filter(None, (start, *leaf.path)))
        changeable = live and leaf.path[0] not in fixed
        value = leaf.default if leaf.path[0] in without else _declare(node, name, leaf, changeable)
        place = data
        for part in leaf.path[:-1]:
            place = place.setdefault(part, {})
        place[leaf.path[-1]] = value
    return parse_config(model, data, source=f"parameters of node {node.get_fully_qualified_name()}")


def refuse_unknown(node: Node) -> None:
    """ConfigError for a value set for a parameter the node does not have; ROS ignores it silently."""
    overrides = getattr(node, "_parameter_overrides", {})  # rclpy has no public way to ask for them
    for name in overrides:
        if not node.has_parameter(name) and not name.startswith("qos_overrides."):
            known = [str(other) for other in node.get_parameters_by_prefix("")]
            raise ConfigError(
                f"parameters of node {node.get_fully_qualified_name()}: unknown parameter '{name}'"
                f"{nearest(name, known)}; 'ros2 param list' and docs/reference/parameters.md show all of them"
            )


def leaves(
    model: type[BaseModel], defaults: BaseModel | None = None, path: tuple[str, ...] = ()
) -> Iterator[Leaf]:
    """All parameters of a model, nested models included."""
    for name, field in model.model_fields.items():
        kind, optional = _without_none(field.annotation)
        default = (
            getattr(defaults, name) if defaults is not None else field.get_default(call_default_factory=True)
        )
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            inner = default if isinstance(default, BaseModel) else None
            yield from leaves(kind, inner, (*path, name))
        elif not field.is_required() or defaults is not None:
            yield Leaf((*path, name), _plain_kind(kind, name), optional, field, default)
        else:
            raise TypeError(f"{model.__name__}.{name} has no default, so it cannot be a ROS parameter")


def descriptor(leaf: Leaf, live: bool = False) -> ParameterDescriptor:
    """Description and range as other tools show them."""
    limits = _limits(leaf.field)
    described = ParameterDescriptor(description=leaf.field.description or "", read_only=not live)
    if isinstance(leaf.kind, type) and issubclass(leaf.kind, Enum):
        described.additional_constraints = "one of: " + ", ".join(str(choice.value) for choice in leaf.kind)
    elif leaf.kind is int and limits != (None, None):
        low, high = limits
        bounds = IntegerRange(
            from_value=math.ceil(low) if low is not None else -_INT64,
            to_value=math.floor(high) if high is not None else _INT64,
            step=0 if low is None or high is None else 1,
        )
        described.integer_range = [bounds]
    elif leaf.kind is float and limits != (None, None) and not leaf.optional:
        low, high = limits
        bounds = FloatingPointRange(
            from_value=float(low) if low is not None else -sys.float_info.max,
            to_value=float(high) if high is not None else sys.float_info.max,
        )
        described.floating_point_range = [bounds]
    extra = leaf.field.json_schema_extra
    if isinstance(extra, dict) and "allowed" in extra:
        described.additional_constraints = str(extra["allowed"])
    choices = _choices(leaf.field)
    if choices:
        described.additional_constraints = "one of: " + ", ".join(choices)
    if leaf.optional:
        # A range would refuse NaN, so it is told in words.
        nothing = "nan means: not set" if leaf.kind is float else "empty means: not set"
        words = " and ".join(
            f"{text} {limit:g}"
            for text, limit in zip(("at least", "at most"), limits, strict=True)
            if limit is not None
        )
        described.additional_constraints = f"{nothing}; else {words}" if words else nothing
    return described


def _choices(field: FieldInfo) -> list[str]:
    """The words a field may hold; none where any may."""
    kind, _ = _without_none(field.annotation)
    return [str(word) for word in typing.get_args(kind)] if typing.get_origin(kind) is typing.Literal else []


def _declare(node: Node, name: str, leaf: Leaf, live: bool) -> Any:
    if node.has_parameter(name):
        return _from_ros(node.get_parameter(name).value, leaf)
    try:
        given = node.declare_parameter(name, _to_ros(leaf.default, leaf), descriptor(leaf, live)).value
    except InvalidParameterTypeException as error:
        wanted = leaf.kind.__name__
        hint = " (a decimal number needs its point: 5.0)" if leaf.kind is float else ""
        where = node.get_fully_qualified_name()
        raise ConfigError(
            f"parameter {name} of node {where} must be of type {wanted}{hint}: {error}"
        ) from None
    except InvalidParameterValueException as error:
        raise ConfigError(f"node {node.get_fully_qualified_name()}: {error}") from None
    return _from_ros(given, leaf)


def _to_ros(value: Any, leaf: Leaf) -> Any:
    if value is None:
        return math.nan if leaf.kind is float else ""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple | list):
        return [_to_ros(item, leaf) for item in value] or _EMPTY
    return leaf.kind(value) if leaf.kind in _SCALARS else value


def _from_ros(value: Any, leaf: Leaf) -> Any:
    if leaf.optional and (value == "" or (isinstance(value, float) and math.isnan(value))):
        return None
    if leaf.kind is tuple:
        return () if list(value) == _EMPTY else tuple(value)
    return value


def _without_none(annotation: Any) -> tuple[Any, bool]:
    """(`T`, True) for `T | None`, else (the annotation, False)."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        others = [argument for argument in typing.get_args(annotation) if argument is not types.NoneType]
        if len(others) == 1:
            return _without_none(others[0])[0], True
    if typing.get_origin(annotation) is typing.Annotated:
        return _without_none(typing.get_args(annotation)[0])
    return annotation, False


def _plain_kind(kind: Any, name: str) -> type:
    """The Python type of a parameter; tuples of numbers become arrays."""
    if typing.get_origin(kind) is typing.Literal:
        return type(typing.get_args(kind)[0])
    if typing.get_origin(kind) in (tuple, list):
        return tuple
    if isinstance(kind, type) and (kind in _SCALARS or issubclass(kind, Enum)):
        return kind
    if isinstance(kind, type) and issubclass(kind, _SCALARS):
        return next(scalar for scalar in _SCALARS if issubclass(kind, scalar))
    raise TypeError(f"field {name} of type {kind} cannot be a ROS parameter")


def _limits(field: FieldInfo) -> tuple[float | None, float | None]:
    """Lowest and highest value; strict bounds are shown as they are and checked by the model."""
    low = high = None
    for rule in field.metadata:
        low = getattr(rule, "ge", None) if getattr(rule, "ge", None) is not None else getattr(rule, "gt", low)
        high = (
            getattr(rule, "le", None) if getattr(rule, "le", None) is not None else getattr(rule, "lt", high)
        )
    return low, high
