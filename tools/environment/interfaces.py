"""Builds a ROS interface package (messages, services, actions) into the virtual environment with CMake."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from pathlib import Path

from . import kept_builds
from .console import clean_environment, output, run, say, succeeds
from .stamps import digest

_WAY_OUT = "see .venv/setup.log; `make clean-venv` starts afresh"


def supply(source: Path, venv: Path, cmake: str, ninja: str, key: str) -> None:
    """Install one package: as it was built for another clone, or built now. `key` names all it is made from."""
    made_with = digest([key, output(["c++", "--version"]), platform.machine()])
    kept = kept_builds.folder_for(source.name, made_with, venv)
    if kept is not None and kept_builds.restore(kept, venv):
        say(f"    {source.name} was built before ({kept})")
        return
    with tempfile.TemporaryDirectory(dir=venv) as stage:
        build(source, venv, cmake, ninja, Path(stage))
        installed = Path(stage) / venv.relative_to(venv.anchor)
        if kept is not None:
            kept_builds.keep(kept, installed, venv)
        shutil.copytree(installed, venv, symlinks=True, dirs_exist_ok=True)


def build(source: Path, venv: Path, cmake: str, ninja: str, stage: Path) -> None:
    """Configure, compile and install one package below `stage`; the build tree is removed when all went well."""
    build_tree = venv / "build" / source.name
    shutil.rmtree(build_tree, ignore_errors=True)
    build_tree.mkdir(parents=True)
    env = _environment(venv)
    configure = [
        cmake, "-S", str(source), "-B", str(build_tree), "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={ninja}",
        "-DCMAKE_BUILD_TYPE=Release",
        "-DBUILD_TESTING=OFF",
        "-DPYTHON_INTERFACES_ONLY=ON",
        f"-DCMAKE_INSTALL_PREFIX={venv}",
        f"-DPython3_EXECUTABLE={venv / 'bin' / 'python'}",
    ]  # fmt: skip
    run(configure, _WAY_OUT, env)
    say(f"    compiling {source.name}")
    run([cmake, "--build", str(build_tree), "--target", "install"], _WAY_OUT, env | {"DESTDIR": str(stage)})
    shutil.rmtree(build_tree, ignore_errors=True)


def importable(module: str, venv: Path) -> bool:
    """True if the environment's python can import the module."""
    return succeeds([str(venv / "bin" / "python"), "-c", f"import {module}"])


def _environment(venv: Path) -> dict[str, str]:
    """CMake finds the ROS wheels (or a sourced ROS) by these prefixes."""
    env = clean_environment()
    for name in ("AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH"):
        env[name] = os.pathsep.join([str(venv), *filter(None, [env.get(name)])])
    env["PATH"] = os.pathsep.join([str(venv / "bin"), env.get("PATH", "")])
    return env
