"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import os
from pathlib import Path

from uav_testgen.errors import StoreError


def write_text(path: Path, text: str) -> None:
    """Write a whole file or nothing; StoreError says why not. Missing folders are made."""
    # The process number keeps two writers of the same file apart.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    except OSError as error:
        if temporary.exists():
            temporary.unlink()
        raise StoreError(
            f"{path}: cannot be written ({error.strerror}); choose another output folder or free some space"
        ) from None
