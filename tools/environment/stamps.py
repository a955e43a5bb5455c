"""Which steps are done. A step is done when its stamp holds the digest of what the step was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest(parts: Iterable[str | Path]) -> str:
    """Digest of texts and file contents; a folder counts with all files under it."""
    state = hashlib.sha256()
    for part in parts:
        files = [part] if isinstance(part, Path) and part.is_file() else []
        if isinstance(part, Path) and part.is_dir():
            files = sorted(path for path in part.rglob("*") if path.is_file())
        for file in files:
            state.update(file.name.encode())
            state.update(file.read_bytes())
        if isinstance(part, str):
            state.update(part.encode())
        state.update(b"\0")
    return state.hexdigest()


class Stamps:
    """Stamp files in one folder of the virtual environment, so that they vanish together with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def is_current(self, step: str, key: str) -> bool:
        """True if the step was completed for exactly this digest."""
        stamp = self._folder / step
        return stamp.is_file() and stamp.read_text(encoding="utf-8") == key

    def write(self, step: str, key: str) -> None:
        """Mark the step as completed; called only after its work has succeeded."""
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / step).write_text(key, encoding="utf-8")
