"""What the started program sees: stand-ins first in its PATH, the import-compatible package last on its Python path."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from uav_testgen.core.programs import foreign_environment

_SHIPPED = Path(__file__).resolve().parent / "shipped"
PATH_FOLDER = _SHIPPED / "path"
PACKAGE_FOLDER = _SHIPPED / "package"
SOCKET_NAME, PACKAGE_NAME, FORCE_NAME = (
    "UAV_TESTGEN_SOCKET",
    "UAV_TESTGEN_PACKAGE",
    "UAV_TESTGEN_OWN_AERIALIST",
)
PROGRAMS = ("docker", "kubectl", "yq")
Package = Literal["auto", "own"]


def write_programs(folder: Path) -> Path:
    """Executables that hand their words to the server; returns the folder to put first in PATH."""
    programs = folder / "bin"
    programs.mkdir(parents=True)
    client = PATH_FOLDER / "uav_testgen_client.py"
    for name in PROGRAMS:
        program = programs / name
        # Isolated and without site: quick to start, whatever environment the program runs in.
        words = [sys.executable, "-I", "-S", str(client), name]
        program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    return programs


def started_environment(
    given: Mapping[str, str], programs: Path, socket: Path, folder: Path, package: Package = "auto"
) -> dict[str, str]:
    """The environment of the started program, which runs in `folder`."""
    values = foreign_environment(given)
    values["PATH"] = os.pathsep.join([str(programs), values.get("PATH", os.defpath)])
    former = [values["PYTHONPATH"]] if values.get("PYTHONPATH") else []
    values["PYTHONPATH"] = os.pathsep.join([str(PATH_FOLDER), *former])
    values[SOCKET_NAME] = str(socket)
    values[PACKAGE_NAME] = str(PACKAGE_FOLDER)
    values[FORCE_NAME] = "1" if package == "own" else "0"
    if "AGENT" not in values and not _names_agent(folder):
        # Aerialist's local agent needs the least from a test; it is answered like the others.
        values["AGENT"] = "local"
    values.setdefault("MPLBACKEND", "Agg")
    return values


def _names_agent(folder: Path) -> bool:
    """Does a .env or settings.ini that python-decouple would find choose an agent?"""
    for place in (folder, *folder.resolve().parents):
        for name in ("settings.ini", ".env"):
            try:
                lines = (place / name).read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError:
                continue
            return any(line.split("=")[0].strip() == "AGENT" for line in lines)
    return False
