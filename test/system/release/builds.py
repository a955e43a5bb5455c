"""Builds archives from a copy of the tree and makes environments in which nothing else is installed."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Not part of the tree: what tools and users leave in it.
LEFT_BEHIND = shutil.ignore_patterns(
    ".git", ".venv*", "build", "install", "log", "results", "dist", "*.egg-info", "__pycache__",
    ".*_cache", ".hypothesis",
)  # fmt: skip
BUILD = "import sys; from setuptools import build_meta; print(getattr(build_meta, sys.argv[1])(sys.argv[2]))"
# The wheels of ROS set these for the interpreter that runs the tests; an empty environment has none of them.
NOT_INHERITED = ("PYTHON", "LD_LIBRARY_PATH", "_ROS_WHEELS", "AMENT_", "ROS_", "VIRTUAL_ENV", "NUMBA_")


class NotInstallable(Exception):
    """No package index answers, and what is needed is not in the cache."""


def copy_of_the_tree(folder: Path) -> Path:
    """The tree without what was built in it before, so that nothing stale gets into an archive."""
    return Path(shutil.copytree(ROOT, folder / "tree", ignore=LEFT_BEHIND))


def build(kind: str, tree: Path, out: Path) -> Path:
    """An archive of the tree, made with the installed setuptools: no package index is asked."""
    out.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", BUILD, f"build_{kind}", str(out)], cwd=tree, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return out / done.stdout.splitlines()[-1]


def unpack(archive: Path, folder: Path) -> Path:
    """The one folder inside a source archive."""
    with tarfile.open(archive) as file:
        # Python before 3.10.12 and 3.11.4 has no filters; there the attribute means nothing.
        file.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        file.extractall(folder)
    (inside,) = folder.iterdir()
    return inside


def names_in(archive: Path) -> set[str]:
    """The files of an archive, for a source archive without the folder that holds them."""
    if archive.suffix == ".whl":
        return set(zipfile.ZipFile(archive).namelist())
    with tarfile.open(archive) as file:
        return {member.name.partition("/")[2] for member in file.getmembers() if member.isfile()}


def interpreter(version: str) -> str | None:
    """A Python of this version, e.g. "3.10"; None if the machine has none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    places = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"versions/{version}.*/bin/python"))]
    if version == this_version():
        places.insert(0, sys.executable)
    for place in filter(None, places):
        # A shim may exist for a version that does not.
        done = subprocess.run([str(place), "-c", "import venv"], capture_output=True, env=plain_environment())
        if done.returncode == 0:
            return str(place)
    return None


def this_version() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def plain_environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_INHERITED)}
    return {**kept, **more}


def empty_environment(python: str, folder: Path, wheel: Path) -> Path:
    """An environment with the wheel and what its metadata asks for; returns its folder of programs.

    The versions are the locked ones, so that a new release of somebody else's package fails nobody's build.
    """
    pins = folder / "pins.txt"
    lock = (ROOT / "requirements" / "lock.txt").read_text(encoding="utf-8")
    pins.write_text("\n".join(re.findall(r"^([^ #\n]+==[^\\\n]+?) *\\?$", lock, re.MULTILINE)))
    target = folder / "venv"
    _run([python, "-m", "venv", "--without-pip", str(target)])
    into = ["--python", str(target / "bin" / "python")]
    what = ["install", "--quiet", "--constraint", str(pins), str(wheel)]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", *into, *what]
    # uv takes seconds where pip takes a minute; pip reads a configuration that uv does not know.
    uv = [sys.executable, "-m", "uv", "pip", *what[:1], *into, "--system-certs", *what[1:]]
    installers = [uv, pip] if importlib.util.find_spec("uv") is not None else [pip]
    for number, installer in enumerate(installers, start=1):
        try:
            _run(installer)
            break
        except NotInstallable:
            if number == len(installers):
                raise
    return target / "bin"


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env=plain_environment())
    if done.returncode != 0:
        raise NotInstallable(done.stderr.strip()[-500:])
