"""What this installation can do: findings of `uav-testgen doctor`. Nothing here imports ROS or compiles."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from uav_testgen.cli._answers.doctor import DoctorAnswer, Finding
from uav_testgen.core.extras import EXTRA_OF, way_to_get

_MIB = 1024 * 1024
_LITTLE_DISK_MIB = 500
_NEEDED = {
    "lfs": ("numpy", "numba", "scipy", "shapely", "pydantic", "yaml"),
    "graph": ("rclpy", "uav_testgen_msgs"),
    "px4": ("rclpy", "uav_testgen_msgs", "px4_msgs"),
}
"""Modules a backend cannot do without; one that is not named here needs nothing but this package."""
_PROGRAMS = {
    "px4": (("MicroXRCEAgent", "build the agent (docs/howto/px4.md), or start it on another machine"),),
    "aerialist": (
        (
            "aerialist",
            "install Aerialist, or run `uav-testgen worker` where it is installed (docs/howto/aerialist.md)",
        ),
    ),
}
"""Programs that a backend starts, or that have to run beside it."""


def diagnose() -> DoctorAnswer:
    """Every finding; a check that breaks is a finding itself."""
    findings = [finding for check in _CHECKS for finding in _guarded(check)]
    usable = all(one.status == "ok" for one in findings if one.topic == "backend" and one.name == "lfs")
    return DoctorAnswer(can_predict=usable, findings=findings)


def _guarded(check: Callable[[], Iterator[Finding]]) -> list[Finding]:
    name = check.__name__.strip("_").replace("_", " ")
    try:
        return list(check())
    except Exception as error:  # a doctor who faints helps nobody
        detail = f"the check itself failed: {type(error).__name__}: {error}"
        return [_found("installation", name, "problem", detail, "report it with this line")]


def _found(topic: str, name: str, status: str, detail: str, way_out: str = "") -> Finding:
    return Finding.model_validate(
        {"topic": topic, "name": name, "status": status, "detail": detail, "way_out": way_out}
    )


def _program() -> Iterator[Finding]:
    from uav_testgen.cli._version import PACKAGE, version_line

    yield _found("installation", "program", "ok", f"{version_line()} in {PACKAGE.parent}")
    system = f"{platform.system()} {platform.machine()}"
    yield _found(
        "installation", "python", "ok", f"{platform.python_version()} on {system} ({sys.executable})"
    )


def _shipped_files() -> Iterator[Finding]:
    from uav_testgen.core.resources import config_folder

    folder = config_folder()
    scenes = len(list(config_folder("scenarios").glob("*.yaml")))
    yield _found("installation", "shipped files", "ok", f"{folder} ({scenes} scenes)")


def _machine() -> Iterator[Finding]:
    from uav_testgen.core.processors import available_cores

    free_mib = shutil.disk_usage(".").free // _MIB
    detail = f"{available_cores()} cores, {free_mib} MiB free here"
    if free_mib < _LITTLE_DISK_MIB:
        yield _found(
            "installation", "machine", "problem", detail, "free some disk space or work in another folder"
        )
    else:
        yield _found("installation", "machine", "ok", detail)
    if not os.access(".", os.W_OK):
        yield _found(
            "installation",
            "this folder",
            "problem",
            "cannot be written to",
            "change to another one, or use --out",
        )


def _compiled_simulator() -> Iterator[Finding]:
    folder = os.environ.get("NUMBA_CACHE_DIR", "")
    if not folder:
        yield _found(
            "installation", "compiled", "problem", "no folder to keep compiled functions in: every run compiles",
            "make the home folder or the temporary folder writable, or set NUMBA_CACHE_DIR",
        )  # fmt: skip
        return
    kept = sum(1 for _ in Path(folder).rglob("*.nbi"))
    if kept:
        yield _found("installation", "compiled", "ok", f"{kept} functions in {folder}")
    else:
        yield _found(
            "installation", "compiled", "missing", "the first flight compiles for about a minute",
            "compile now: uav-testgen compile",
        )  # fmt: skip


def _backends() -> Iterator[Finding]:
    from uav_testgen.backend.registry import BACKENDS

    for name in BACKENDS.names():
        missing = [module for module in _NEEDED.get(name, ()) if not _is_there(module)]
        ways = list(dict.fromkeys(way_to_get(module) for module in missing))
        for program, way in _PROGRAMS.get(name, ()):
            if shutil.which(program) is None:
                missing.append(program)
                ways.append(way)
        if missing:
            yield _found("backend", name, "missing", f"not found: {', '.join(missing)}", "; ".join(ways))
        else:
            yield _found("backend", name, "ok", _READY.get(name, "ready"))


_READY = {
    "lfs": "ready: predictions in this process",
    "graph": "ready: the simulator over ROS 2 topics",
    "px4": "ready: start PX4 beside it (docs/howto/px4.md)",
    "aerialist": "the program is there; whether it can simulate shows the first flight",
    "folder": "ready: needs a worker at the other end (uav-testgen worker)",
}


def _extras() -> Iterator[Finding]:
    for module, extra in EXTRA_OF.items():
        if _is_there(module):
            yield _found("extra", module, "ok", f"part of [{extra}]")
        else:
            yield _found("extra", module, "missing", f"part of [{extra}]", way_to_get(module))


def _ros_settings() -> Iterator[Finding]:
    names = ("ROS_DISTRO", "ROS_DOMAIN_ID", "RMW_IMPLEMENTATION", "ROS_AUTOMATIC_DISCOVERY_RANGE")
    said = [f"{name}={os.environ[name]}" for name in names if name in os.environ]
    yield _found(
        "ROS 2", "environment", "ok", ", ".join(said) or "no variable is set: domain 0, this machine"
    )


def _containers() -> Iterator[Finding]:
    docker = shutil.which("docker")
    if docker is None:
        yield _found(
            "program",
            "docker",
            "missing",
            "Aerialist's docker agent needs it",
            "install Docker, or agent: local",
        )
    else:
        yield _found("program", "docker", "ok", docker)


def _is_there(module: str) -> bool:
    """Without importing it: the ROS wheels would start Python again."""
    return importlib.util.find_spec(module) is not None


_CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    _program, _shipped_files, _machine, _compiled_simulator, _backends, _extras, _ros_settings, _containers,
)  # fmt: skip
