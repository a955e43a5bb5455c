"""YAML to frozen, validated configuration objects.

Each room has one `RoomConfig`. A wrong file never surfaces as a traceback: `load_config` raises a
ConfigError with the file, the field, what was given, what is allowed and, for a misspelt key, the
nearest right one. ROS parameters and docs/parameters.md are made from the same objects.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.plain_text import printable
from uav_testgen.core.registry import nearest

MAX_INPUT_BYTES = 8 * 1024 * 1024
MAX_INPUT_DEPTH = 40

# Brackets, and strings as a whole, so that brackets inside them are not counted.
_YAML = (".yaml", ".yml")
_JSON_NESTING = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"?', re.DOTALL)

Model = TypeVar("Model", bound=BaseModel)


class RoomConfig(BaseModel):
    """Base of every configuration object: frozen, no unknown keys, no silent NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class _SafeLoader(yaml.SafeLoader):
    """YAML without object tags, aliases (whose expansion can exhaust memory), deep nesting or repeated keys.

    Each is refused where it is met: reading on would cost time and memory.
    """

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self._depth = 0
        self._keys: dict[int, set[str]] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases (*name) are not accepted in input files")
        self._depth += 1
        if self._depth > MAX_INPUT_DEPTH:
            raise yaml.YAMLError(f"nested deeper than {MAX_INPUT_DEPTH} levels")
        try:
            node = super().compose_node(parent, index)
        finally:
            self._depth -= 1
        if isinstance(parent, yaml.MappingNode) and index is None:
            self._check_new(parent, node)
        return node

    def _check_new(self, mapping: Any, key_node: Any) -> None:
        """Of two equal keys YAML would silently keep the last one."""
        key = str(key_node.value)
        keys = self._keys.setdefault(id(mapping), set())
        if key in keys:
            raise yaml.YAMLError(f"line {key_node.start_mark.line + 1}: duplicate key '{key[:60]}'")
        keys.add(key)

    def construct_scalar_value(self, node: Any) -> Any:
        """A number or date; what only looks like one is an error with its line, not one of arithmetic.

        YAML reads 1:00:00 to the base of 60, and many such places overflow; 2026-13-45 is no date.
        """
        kind = node.tag.rpartition(":")[2]
        try:
            return getattr(yaml.SafeLoader, f"construct_yaml_{kind}")(self, node)
        except (ValueError, ArithmeticError):
            word = "date" if kind == "timestamp" else "number"
            problem = f"'{node.value[:40]}' is not a {word} that can be used; put a text in quotes"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from None


for _kind in ("int", "float", "timestamp"):
    _SafeLoader.add_constructor(f"tag:yaml.org,2002:{_kind}", _SafeLoader.construct_scalar_value)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON objects whose keys are all different; the second of two equal keys would win silently."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"duplicate key '{key[:60]}'")
        found[key] = value
    return found


def check_json_depth(text: str) -> None:
    """ValueError for deep nesting, which costs memory and recursion before any rule can refuse it."""
    depth = 0
    for match in _JSON_NESTING.finditer(text):
        token = match[0]
        if token in "[{":
            depth += 1
            if depth > MAX_INPUT_DEPTH:
                raise ValueError(f"nested deeper than {MAX_INPUT_DEPTH} levels")
        elif token in "]}":
            depth -= 1


def read_text(path: Path) -> str:
    """Text of a user's file; InputFileError says why not."""
    try:
        if path.is_dir():
            raise InputFileError(f"{path}: is a folder, a file is expected")
        if path.exists() and not path.is_file():
            raise InputFileError(f"{path}: is a device or pipe, a regular file is expected")
        size = path.stat().st_size
        if size > MAX_INPUT_BYTES:
            raise InputFileError(f"{path}: {size} bytes, at most {MAX_INPUT_BYTES} are accepted")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputFileError(f"{path}: no such file{_similar_file(path)}") from None
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except ValueError:
        raise InputFileError(f"{path}: a path cannot contain a NUL character") from None
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror})") from None


def _similar_file(path: Path) -> str:
    """The nearest name among the files of the same kind: a picture is never what was meant by a mission."""
    try:
        alike = {path.suffix.lower(), *(_YAML if path.suffix.lower() in _YAML else ())}
        with os.scandir(path.parent) as entries:
            names = [one.name for one in entries if Path(one.name).suffix.lower() in alike and one.is_file()]
    except (OSError, ValueError):
        return ""
    # An equal ending makes no two names alike.
    return nearest(path.name, [name for name in names if nearest(path.stem, [Path(name).stem])])


def read_yaml(path: Path) -> Any:
    """Parse a YAML (or JSON) file with the safe loader; errors name the file and the line."""
    text = read_text(path)
    try:
        if path.suffix == ".json" or path.suffix == ".plan":
            check_json_depth(text)
            return json.loads(text, object_pairs_hook=_unique_keys)
        return yaml.load(text, Loader=_SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" line {mark.line + 1}, column {mark.column + 1}:" if mark else ""
        raise InputFileError(f"{path}:{where} not valid YAML ({error.problem})") from None
    except yaml.YAMLError as error:
        raise InputFileError(f"{path}: not valid YAML ({error})") from None
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}: line {error.lineno}: not valid JSON ({error.msg})") from None
    except (RecursionError, ValueError, ArithmeticError) as error:
        raise InputFileError(f"{path}: cannot be parsed ({type(error).__name__}: {error})") from None


def read_value(text: str) -> Any:
    """One value written as in YAML, on a command line; ValueError says what is wrong with it."""
    try:
        return yaml.load(text, Loader=_SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise ValueError(error.problem or "not valid YAML") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from None


def load_config(model: type[Model], path: Path, *, overrides: Mapping[str, Any] | None = None) -> Model:
    """Read a YAML file into a configuration object; `overrides` replace top-level keys."""
    data = read_yaml(path)
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: a mapping of settings is expected, got {type(data).__name__}")
    return parse_config(model, {**data, **(overrides or {})}, source=str(path))


def parse_config(
    model: type[Model], data: Mapping[str, Any], *, source: str, called: Mapping[str, str] | None = None
) -> Model:
    """Validate plain data; ConfigError carries every problem, one after the other.

    `called` says what the user calls a field: the option of a command, or the key of another format.
    """
    try:
        return model.model_validate(dict(data))
    except ValidationError as error:
        raise ConfigError(f"{source}: " + "; ".join(describe_problems(error, model, called or {}))) from None


def describe_problems(
    error: ValidationError, model: type[BaseModel], called: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """One readable sentence per problem: field (as it is `called`), rule, value, nearest key."""
    sentences = []
    for problem in error.errors():
        parts = [str(part) for part in problem["loc"]]
        field = ".".join([called.get(parts[0], parts[0]), *parts[1:]]) if parts else ""
        if problem["type"] == "extra_forbidden":
            known = _known_keys(model, problem["loc"][:-1])
            others = f"; known: {', '.join(known)}" if known else ""
            sentences.append(f"unknown key '{field}'{nearest(str(problem['loc'][-1]), known) or others}")
        elif problem["type"] == "missing":
            sentences.append(f"{field}: is required, but missing")
        else:
            sentences.append((f"{field}: " if field else "") + _rule(problem) + _given(problem))
    return [printable(sentence) for sentence in sentences]  # keys and values are somebody else's


def in_one_line(error: Exception) -> str:
    """The text of any error; pydantic's own has many lines and words about pydantic."""
    if isinstance(error, ValidationError):
        return "; ".join(describe_problems(error, BaseModel))
    return str(error)


def _rule(problem: ErrorDetails) -> str:
    """What is allowed; a rule of our own without the words pydantic puts before it."""
    own = problem.get("ctx", {}).get("error")
    return str(own) if isinstance(own, Exception) else problem["msg"]


def _given(problem: ErrorDetails) -> str:
    """What was given instead. A rule about several keys names the values it means itself."""
    if problem["type"] == "value_error" and isinstance(problem["input"], (Mapping, BaseModel)):
        return ""
    given = repr(problem["input"])
    return f" (got {given if len(given) <= 60 else given[:57] + '...'})"


def _known_keys(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """Field names of the (nested) model at a location; falls back to the outermost that is known."""
    current: Any = model
    for part in location:
        fields = _fields_by_key(current)
        if isinstance(part, str) and part in fields:
            current = _inner_model(fields[part].annotation) or current
    return sorted(_fields_by_key(current))


def _fields_by_key(model: Any) -> dict[str, Any]:
    """Fields under the keys a file uses for them."""
    return {field.alias or name: field for name, field in getattr(model, "model_fields", {}).items()}


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    """The first model class inside an annotation such as tuple[Obstacle, ...] or Wind | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _inner_model(argument)
        if found is not None:
            return found
    return None
