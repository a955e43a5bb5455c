"""Built interface packages, kept in the user's cache: the next clone of the same sources copies them.

Building the messages takes a minute. What is built depends on the sources, the ROS wheels, Python and the compiler,
which the key names, and on where the environment stands: that path is written into some text files, and replaced
by a mark in what is kept. The folder is one that only this user can write to, as for compiled kernels.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .console import ROOT, clean_environment, output

_MARK = b"@where-the-environment-stands@"
_ASK = "import sys; from uav_testgen.core.compile_cache import private_folder; print(private_folder(sys.argv[1]) or '')"


def folder_for(package: str, key: str, venv: Path) -> Path | None:
    """Where the files of a package built from so-named sources are kept; None if this user has no private place."""
    env = clean_environment() | {"PYTHONPATH": str(ROOT)}
    found = output([str(venv / "bin" / "python"), "-c", _ASK, f"messages-{package}-{key[:16]}"], env)
    return Path(found) if found else None


def restore(kept: Path, venv: Path) -> bool:
    """Copy a kept package into an environment; False if there is none."""
    files = kept / "files"
    if not files.is_dir():
        return False
    for source in _files(files):
        target = venv / source.relative_to(files)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copy2(source, target)
        _replace(target, _MARK, os.fsencode(venv))
    os.utime(kept)
    return True


def keep(kept: Path, installed: Path, venv: Path) -> None:
    """Keep what was installed for an environment, all of it or nothing; what cannot be kept is built again."""
    with contextlib.suppress(OSError):
        passing = Path(tempfile.mkdtemp(dir=kept, prefix="passing-"))
        try:
            shutil.copytree(installed, passing / "files", symlinks=True)
            for file in _files(passing / "files"):
                _replace(file, os.fsencode(venv), _MARK)
            (passing / "files").rename(kept / "files")
        finally:
            shutil.rmtree(passing, ignore_errors=True)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _replace(file: Path, old: bytes, new: bytes) -> None:
    """In text files only: in a library a path of another length would shift everything behind it."""
    data = file.read_bytes()
    if old in data and b"\0" not in data:
        file.write_bytes(data.replace(old, new))
