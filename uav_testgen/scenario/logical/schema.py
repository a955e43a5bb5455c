"""The JSON schema of logical scenarios: the form of the model with the words of one range table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from uav_testgen.scenario.logical.declaration import LogicalScenario
from uav_testgen.scenario.logical.range_table import RangeTable

SCHEMA_FILE = "logical-scenario.schema.json"

_NUMBERS: list[dict[str, Any]] = [
    {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    {"type": "number"},
]


def schema_text(table: RangeTable) -> str:
    """The schema for scenarios that use this table, as the text of its file."""
    schema = LogicalScenario.model_json_schema(by_alias=True)
    parts = schema["$defs"]
    parts["FlightArea"]["properties"]["landform"] = _words(table.landforms)
    parts["LogicalObstacle"]["properties"]["size"] = _stated(table.sizes_m, numbers=True)
    weather = parts["Weather"]
    weather["additionalProperties"] = False
    weather["properties"] = {
        "wind force": _stated(table.wind_kmh, numbers=True) | {"default": "none"},
        "reduced visibility": _stated(table.visibility, numbers=True) | {"default": "none"},
        **{
            key: _stated(parameter.words, numbers=parameter.bounds is not None)
            | ({"default": parameter.usual} if parameter.usual else {})
            | {"description": f"Recorded only{f' [{parameter.unit}]' if parameter.unit else ''}"}
            for key, parameter in table.weather.items()
        },
    }
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Logical scenario"}
    return json.dumps({**head, **{key: schema[key] for key in schema if key != "title"}}, indent=2) + "\n"


def _words(words: Iterable[str]) -> dict[str, Any]:
    """Words with an underscore may be written with a space."""
    spelt = [variant for word in words for variant in dict.fromkeys((word, word.replace("_", " ")))]
    return {"enum": spelt, "type": "string"}


def _stated(words: Iterable[str], *, numbers: bool) -> dict[str, Any]:
    listed = _words(words)
    choices = ([listed] if listed["enum"] else []) + (_NUMBERS if numbers else [])
    return choices[0] if len(choices) == 1 else {"anyOf": choices}
