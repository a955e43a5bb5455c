"""Where compiled kernels are kept between runs, and word about it when they have to be compiled.

Numba notices a change only in the file of the function it caches, not in the functions that one calls. So
the folder's name contains a fingerprint of every source file in the rooms that have kernels: edited code
never meets old machine code, and an installation that cannot write next to its sources still has a cache.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_VARIABLE = "NUMBA_CACHE_DIR"
_STALE_S = 14 * 24 * 3600.0
KERNEL_ROOMS = ("core", "flight", "loop", "planner", "sensing", "vehicle", "world")
_log = logging.getLogger(__name__)


def source_fingerprint(package: Path) -> str:
    """Twelve hex digits of the contents of all source files that kernels are made from."""
    digest = hashlib.blake2b(sys.version.encode(), digest_size=6)
    for room in KERNEL_ROOMS:
        for path in sorted((package / room).rglob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _roots() -> Iterator[Path]:
    """Folders that may hold the cache, best first."""
    if base := os.environ.get("XDG_CACHE_HOME"):
        yield Path(base) / "uav_testgen"
    home = os.path.expanduser("~")
    if home != "~":
        yield Path(home) / ".cache" / "uav_testgen"
    yield Path(tempfile.gettempdir()) / f"uav_testgen-{os.getuid()}"


def choose_cache_folder() -> Path | None:
    """The first writable folder, made if necessary; None if there is none (then nothing is cached)."""
    name = f"kernels-{source_fingerprint(Path(__file__).parents[1])}"
    for root in _roots():
        folder = root / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return None


def use_cache_folder() -> None:
    """Point Numba to our folder unless the user chose one. Called once, before any kernel is defined."""
    if os.environ.get(_VARIABLE):
        return
    folder = choose_cache_folder()
    if folder is None:
        return
    os.environ[_VARIABLE] = str(folder)  # worker processes inherit it
    if "numba" in sys.modules:
        from numba import config

        config.CACHE_DIR = str(folder)


def remove_stale_folders() -> None:
    """Delete caches of sources that have not been used for two weeks."""
    current = os.environ.get(_VARIABLE, "")
    if not current or not Path(current).name.startswith("kernels-"):
        return
    for folder in Path(current).parent.glob("kernels-*"):
        if folder != Path(current) and time.time() - folder.stat().st_mtime > _STALE_S:
            shutil.rmtree(folder, ignore_errors=True)


def has_flight_kernel() -> bool:
    """True if a compiled flight kernel is on disk (whether it fits is known only after loading it)."""
    folder = os.environ.get(_VARIABLE, "")
    return bool(folder) and any(Path(folder).rglob("compiled.fly_until-*.nbi"))


@contextmanager
def announce_compilation(what: str, is_cached: bool) -> Iterator[None]:
    """Say that the first use compiles, and how long it took.

    As a warning, because Python shows those without any handler: a minute of silence looks like a fault,
    to users of the command, of the library and of a worker process alike.
    """
    if is_cached:
        yield
        return
    _log.warning("compiling %s for this machine (once, one to two minutes)", what)
    begin = time.perf_counter()
    yield
    _log.warning("compiled %s in %.1f s", what, time.perf_counter() - begin)
    remove_stale_folders()
