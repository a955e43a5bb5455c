"""The output folder: made, checked and locked before anything is spent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from uav_testgen.core.errors import StoreError
from uav_testgen.work import lock, store


@contextmanager
def output_folder(folder: Path, *, resume: bool) -> Iterator[Path]:
    """The locked folder; StoreError where it cannot be written to, or holds something else or links."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = {name for name in os.listdir(folder) if name != lock.FILE_NAME}
    except OSError as error:
        raise StoreError(
            f"{folder}: the output folder cannot be made ({error.strerror}); choose another with --out"
        ) from None
    with lock.FolderLock(folder):
        if names and not resume:
            hint = "continue it with --resume, " if store.FILE_NAME in names else ""
            raise StoreError(
                f"{folder}: the output folder is not empty; {hint}choose another --out or empty it"
            )
        if names and store.FILE_NAME not in names:
            raise StoreError(
                f"{folder}: no campaign to resume here ({store.FILE_NAME} is missing) and the folder "
                "is not empty; choose another --out"
            )
        _refuse_links(folder)
        yield folder


def _refuse_links(folder: Path, depth: int = 2) -> None:
    """What is written, replaced or removed here stays here: somebody else's folder may hold links to anywhere."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        raise StoreError(f"{folder}: cannot be listed ({error.strerror}); choose another --out") from None
    for entry in entries:
        if entry.is_symlink():
            raise StoreError(
                f"{entry.path}: is a link, and results are written into the folder itself only; remove the link or "
                "choose another --out"
            )
        if depth > 1 and entry.is_dir():
            _refuse_links(Path(entry.path), depth - 1)
