"""Settings that come from a result file, not from the user: they start no program and load no code.

A campaign folder and the note in a test file say how something was predicted. Somebody else may have written them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from uav_testgen.backend.registry import BACKENDS
from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.plugin import is_plugin


def check_foreign(
    backend: str,
    settings: Mapping[str, Any],
    source: str,
    way_out: str,
    *,
    named: Collection[str] = (),
    others: Mapping[str, Any] | None = None,
    flies: bool = True,
) -> None:
    """ConfigError where settings need code that the user has not `named`, or a backend that starts programs.

    `others` are further settings of the same source, such as those of a generator. Where nothing will be flown
    (`flies` is False), a backend that starts programs may be named.
    """
    _refuse_code([backend, *_texts(settings), *_texts(others or {})], source, way_out, named)
    command = settings.get("start_planner")
    if command and command not in named:
        raise ConfigError(
            f"{source}: it names the command '{str(command)[:200]}', which is not started because a file says so. "
            f"{way_out}"
        )
    kind = BACKENDS.load(backend)
    if not kind.capabilities.deterministic:
        if not flies:
            return
        raise ConfigError(
            f"{source}: it names backend '{backend}' for its predictions, which may start programs; only one that "
            f"repeats its flights exactly is used because of a file. {way_out}"
        )
    config = parse_config(kind.config_type, dict(settings), source=source)
    assembled = getattr(config, "assembled", None)
    if assembled is not None:  # a system may lie in a file of its own
        _refuse_code(_texts(_parts_that_may_be_code(assembled())), source, way_out, named)


def _parts_that_may_be_code(system: Any) -> dict[str, Any]:
    return {"vehicle": getattr(system.vehicle, "model", ""), "planner": system.planner.name}


def _refuse_code(
    texts: Collection[str] | Iterator[str], source: str, way_out: str, named: Collection[str]
) -> None:
    for text in texts:
        if is_plugin(text) and text not in named:
            raise ConfigError(
                f"{source}: it names the code '{text[:200]}', which is not loaded because a file says so. {way_out}"
            )


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from _texts(value)
