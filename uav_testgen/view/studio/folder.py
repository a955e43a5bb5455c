"""The folder a studio works in: which scenes are there, opening and saving, and nothing outside of it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from uav_testgen.core.errors import InputFileError, StoreError
from uav_testgen.scenario.formats.aerialist_write import save_test
from uav_testgen.scenario.formats.scenario_file import MAX_SCENARIO_BYTES, load_scenario, save_scenario
from uav_testgen.scenario.model import Scenario
from uav_testgen.work import store

STATE = ".studio"
SUFFIXES = (".yaml", ".yml", ".json", ".plan")
FORMATS = ("own", "aerialist")
MOST_FILES = 500
DEEPEST = 3


class StudioFolder:
    """Paths are given relative to the root, with slashes; whatever leads out of it is refused."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    @property
    def state(self) -> Path:
        """Where the studio keeps what only concerns itself."""
        return self.root / STATE

    def inside(self, given: str) -> Path:
        """The file a relative path names; InputFileError if that is not inside the folder."""
        if not given or "\x00" in given or len(given) > 1000:
            raise InputFileError("a file name is missing or too long; give a name such as my_scene.yaml")
        path = self.root / given
        try:
            resolved = path.resolve()
        except (OSError, RuntimeError):
            raise InputFileError(f"{given[:200]}: the path cannot be followed") from None
        hidden = any(part.startswith(".") for part in Path(given).parts)
        if (
            Path(given).is_absolute()
            or hidden
            or not resolved.is_relative_to(self.root)
            or resolved == self.root
        ):
            raise InputFileError(f"{given[:200]}: lies outside the studio's folder; choose a name inside it")
        return resolved

    def relative(self, path: Path) -> str:
        """A path as the page knows it."""
        return path.relative_to(self.root).as_posix()

    def scenes(self) -> list[dict[str, Any]]:
        """Files that may hold a scene, by name; campaign folders list their tests themselves."""
        found = []
        for path in self._walk(self.root, 0):
            if path.suffix.lower() in SUFFIXES:
                found.append({"path": self.relative(path), "bytes": path.stat().st_size})
                if len(found) >= MOST_FILES:
                    break
        return found

    def campaigns(self) -> list[Path]:
        """Folders that hold a campaign."""
        found = []
        for folder in [self.root, *self._folders(self.root, 0)]:
            if (folder / store.FILE_NAME).is_file() and folder != self.root:
                found.append(folder)
        return found[:MOST_FILES]

    def open(self, given: str) -> tuple[Scenario, str]:
        """The scene in a file, and the stamp of its content."""
        path = self.inside(given)
        if path.suffix.lower() not in SUFFIXES:
            raise InputFileError(f"{given[:200]}: a scene is a {', '.join(SUFFIXES)} file")
        try:
            return load_scenario(path), stamp_of(path)
        except InputFileError as error:
            raise InputFileError(str(error).replace(f"{self.root}{os.sep}", "")) from None

    def save(
        self, given: str, scenario: Scenario, form: str, stamp: str | None, overwrite: bool
    ) -> tuple[str, str]:
        """Write a scene; returns its path and stamp. A file changed meanwhile is not overwritten unasked."""
        path = self.inside(given)
        if path.suffix.lower() not in (".yaml", ".yml"):
            raise InputFileError(f"{given[:200]}: scenes are saved as .yaml; change the ending")
        if form not in FORMATS:
            raise InputFileError(f"format '{form[:40]}' is unknown; choose one of {', '.join(FORMATS)}")
        if path.exists() and not overwrite and (stamp is None or stamp != stamp_of(path)):
            raise StoreError(
                f"{self.relative(path)}: exists with other content; save under another name, or overwrite it"
            )
        if form == "aerialist":
            save_test(path, scenario)
        else:
            save_scenario(path, scenario)
        return self.relative(path), stamp_of(path)

    def parse(self, name: str, content: bytes) -> Scenario:
        """The scene in an uploaded file, read by the same parsers; nothing of it stays on the disk."""
        suffix = Path(name).suffix.lower()
        if suffix not in SUFFIXES:
            raise InputFileError(f"{name[:100]}: a scene is a {', '.join(SUFFIXES)} file")
        if len(content) > MAX_SCENARIO_BYTES:
            raise InputFileError(
                f"{name[:100]}: {len(content)} bytes, a scene has at most {MAX_SCENARIO_BYTES}"
            )
        with tempfile.TemporaryDirectory(prefix="studio-") as folder:
            path = Path(folder) / f"upload{suffix}"
            path.write_bytes(content)
            try:
                return load_scenario(path)
            except InputFileError as error:
                raise InputFileError(str(error).replace(str(path), name[:100])) from None

    def _walk(self, folder: Path, depth: int) -> Iterator[Path]:
        try:
            entries = sorted(folder.iterdir(), key=lambda path: (path.is_dir(), path.name))
        except OSError:
            return
        if depth and any(entry.name == store.FILE_NAME for entry in entries):
            return
        for entry in entries:
            if entry.name.startswith(".") or entry.is_symlink():
                continue
            if entry.is_dir() and depth < DEEPEST:
                yield from self._walk(entry, depth + 1)
            elif entry.is_file():
                yield entry

    def _folders(self, folder: Path, depth: int) -> Iterator[Path]:
        try:
            entries = sorted(folder.iterdir())
        except OSError:
            return
        for entry in entries:
            if entry.is_dir() and not entry.is_symlink() and not entry.name.startswith("."):
                yield entry
                if depth < DEEPEST and not (entry / store.FILE_NAME).is_file():
                    yield from self._folders(entry, depth + 1)


def stamp_of(path: Path) -> str:
    """Hash of a file's content: tells whether somebody else wrote it."""
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
