"""Where compiled kernels are kept between runs.

Numba notices a change only in the file of the function it caches, not in the functions that one calls. So
the folder's name contains a fingerprint of every source file in the rooms that have kernels: edited code
never meets old machine code, and an installation that cannot write next to its sources still has a cache.

Numba's index files are pickles: whoever can write into the folder can run code as the user who reads it. So a
folder is used only if it belongs to this user and nobody else can write to it or put another in its place.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import logging
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

_VARIABLE = "NUMBA_CACHE_DIR"
_STALE_S = 14 * 24 * 3600.0
KERNEL_ROOMS = ("core", "flight", "loop", "planner", "sensing", "shape", "vehicle", "world")
_log = logging.getLogger(__name__)


def source_fingerprint(package: Path) -> str:
    """Twelve hex digits of the contents of all source files that kernels are made from."""
    digest = hashlib.blake2b(sys.version.encode(), digest_size=6)
    for room in KERNEL_ROOMS:
        for path in sorted((package / room).rglob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@functools.cache
def fingerprint() -> str:
    """That of the package this file belongs to."""
    return source_fingerprint(Path(__file__).parents[1])


def _roots() -> Iterator[Path]:
    """Folders that may hold the cache, best first."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        yield Path(base) / "uav_testgen"
    home = os.path.expanduser("~")
    if os.path.isabs(home):
        yield Path(home) / ".cache" / "uav_testgen"
    with contextlib.suppress(OSError):  # no temporary folder at all
        yield Path(tempfile.gettempdir()) / f"uav_testgen-{os.getuid()}"


def is_private(folder: Path) -> bool:
    """True for a folder of this user, no link, that only this user can write to or replace."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        return False
    # Whoever may write to a folder above may rename what is in it, unless that folder is sticky (as /tmp is).
    # A group may: on many systems every user has one of their own, and home folders are open to it.
    for above in folder.parents:
        there = os.lstat(above)
        if there.st_uid not in (0, os.getuid()):
            return False
        if there.st_mode & stat.S_IWOTH and not there.st_mode & stat.S_ISVTX:
            return False
    return True


def _made_private(root: Path, name: str) -> Path | None:
    """`root/name`, made if necessary; None if it cannot be, cannot be written to, or is open to others."""
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        root = Path(os.path.realpath(root.parent)) / root.name
        folder = root / name
        for one in (root, folder):
            with contextlib.suppress(FileExistsError):
                one.mkdir(mode=0o700)
            if not is_private(one):
                return None
        return folder if os.access(folder, os.W_OK) else None
    except (OSError, ValueError):
        return None


def private_folder(name: str) -> Path | None:
    """A folder of this name among what this user keeps between runs, made if necessary; None if none is private."""
    return next((folder for root in _roots() if (folder := _made_private(root, name))), None)


def choose_cache_folder() -> Path | None:
    """The first folder that is writable and private, made if necessary.

    Where there is none (every place taken by somebody else, or open to others): a new one for this run.
    None if not even that can be made (then nothing is cached).
    """
    if folder := private_folder(f"kernels-{fingerprint()}"):
        return folder
    try:
        passing = Path(tempfile.mkdtemp(prefix="uav_testgen-"))
    except OSError:
        return None
    maker = os.getpid()
    atexit.register(lambda: shutil.rmtree(passing, ignore_errors=True) if os.getpid() == maker else None)
    _log.warning(
        "no private folder for compiled kernels: they are compiled for this run only. Set XDG_CACHE_HOME to "
        "a folder that belongs to you and that others cannot write to"
    )
    return passing


def use_cache_folder() -> None:
    """Point Numba to our folder unless the user chose one. Called once, before any kernel is defined."""
    if chosen := os.environ.get(_VARIABLE):
        if _is_writable(Path(chosen)):
            return
        _log.warning("%s=%s cannot be written to; another folder is used", _VARIABLE, chosen[:200])
    folder = choose_cache_folder()
    if folder is None:
        _compile_without_cache()
        return
    os.environ[_VARIABLE] = str(folder)  # worker processes inherit it
    if "numba" in sys.modules:
        from numba import config

        config.CACHE_DIR = str(folder)


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError):
        return False
    return os.access(folder, os.W_OK)


def _compile_without_cache() -> None:
    """Numba refuses to compile what asks for a cache it cannot have; so nothing asks for one."""
    from numba.core.dispatcher import Dispatcher

    _log.warning("no folder for compiled kernels can be written to: they are compiled anew in every run")
    os.environ.pop(_VARIABLE, None)
    setattr(Dispatcher, "enable_caching", lambda self: None)  # noqa: B010


def remove_stale_folders() -> None:
    """Delete compiled kernels, and messages kept by the set-up, that have not been used for two weeks."""
    current = os.environ.get(_VARIABLE, "")
    if not current or not Path(current).name.startswith("kernels-"):
        return
    kept = Path(current).parent
    for folder in (*kept.glob("kernels-*"), *kept.glob("messages-*")):
        with contextlib.suppress(OSError):  # another process may be removing the same one
            if folder != Path(current) and time.time() - folder.lstat().st_mtime > _STALE_S:
                shutil.rmtree(folder, ignore_errors=True)
