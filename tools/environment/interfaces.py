"""Builds a ROS interface package (messages, services, actions) into the virtual environment with CMake."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .console import clean_environment, run, say, succeeds

_WAY_OUT = "see .venv/setup.log; `make clean-venv` starts afresh"


def build(source: Path, venv: Path, cmake: str, ninja: str) -> None:
    """Configure, compile and install one package; the build tree is removed when all went well."""
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
    run([cmake, "--build", str(build_tree), "--target", "install"], _WAY_OUT, env)
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
