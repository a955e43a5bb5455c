"""Backends by name. The ROS ones are strings, so the core never imports ROS."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.own_line import making
from uav_testgen.core.plugin import is_plugin
from uav_testgen.core.registry import Registry

_PROMISED = ("name", "capabilities", "fly", "__enter__", "__exit__")


class _Backends(Registry):
    """Looks at a class of the user's before anybody asks it for what it lacks."""

    def load(self, name: str) -> Any:
        """The class behind a name."""
        kind = super().load(name)
        lacking = [word for word in _PROMISED if not hasattr(kind, word)] if is_plugin(name) else []
        if lacking:
            raise ConfigError(
                f"backend '{name}' has no {' and no '.join(lacking)}; docs/howto/backend.md shows what a backend has"
            )
        return kind


BACKENDS = _Backends(
    "backend",
    {
        "lfs": "uav_testgen.backend.lfs.backend:LfsBackend",
        "graph": "uav_testgen.ros.backends.graph:GraphBackend",
        "px4": "uav_testgen.ros.backends.px4:Px4Backend",
        "aerialist": "uav_testgen.backend.aerialist:AerialistBackend",
        "folder": "uav_testgen.backend.folder:FolderBackend",
        "command": "uav_testgen.backend.command:CommandBackend",
    },
    unlisted={
        "planners": "uav_testgen.backend.several:PlannersBackend",
        "still": "uav_testgen.testing.still_backend:StillBackend",
        "replay": "uav_testgen.testing.replay_backend:ReplayBackend",
    },
)


def check_settings(name: str, settings: Mapping[str, Any]) -> Any:
    """The backend's configuration object made from plain settings; ConfigError says what is wrong."""
    kind = BACKENDS.load(name)
    model = getattr(kind, "config_type", None)
    if model is None:
        if settings:
            raise ConfigError(f"backend '{name}' takes no settings, got: {', '.join(sorted(settings))}")
        return None
    return parse_config(model, settings, source=f"settings of backend '{name}'")


def make_backend(name: str, settings: Mapping[str, Any] | None = None) -> Backend:
    """A backend ready to be entered, from its name and its plain settings."""
    config = check_settings(name, settings or {})
    factory = BACKENDS.load(name)
    with making("backend", name) if is_plugin(name) else contextlib.nullcontext():
        backend: Backend = factory(config) if config is not None else factory()
    return backend
