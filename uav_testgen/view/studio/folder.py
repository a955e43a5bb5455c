"""The folder a studio works in: which scenes are there, opening and saving, and nothing outside of it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from uav_testgen.core.errors import InputFileError, StoreError, UavTestgenError
from uav_testgen.scenario.formats.convert import SUFFIXES as FORMAT_SUFFIXES
from uav_testgen.scenario.formats.convert import draw_instance, format_of, read_any, write_as
from uav_testgen.scenario.formats.scenario_file import MAX_SCENARIO_BYTES
from uav_testgen.scenario.model import Mission, Scenario
from uav_testgen.work import store

STATE = ".studio"
SUFFIXES = tuple(suffix for suffixes in FORMAT_SUFFIXES.values() for suffix in suffixes)
FORMATS = ("own", "aerialist", "aerialist-old", "plan", "world")
RECORDS = ("flights.jsonl", "layouts.jsonl")
"""Files of recorded flights."""
FLEET = ".fleet.json"
"""A fleet on a grid is told from a scene by the end of its name."""
_SETTINGS = tuple(
    f".{kind}.yaml"
    for kind in ("campaign", "study", "comparison", "planners", "explain", "minimise", "certify")
)
"""What jobs were started with lies beside scenes and is none of the user's."""
_WRITTEN_BY_JOBS = (store.FILE_NAME, "predictions.jsonl", "explanation.json", "minimised.json")
MOST_FILES = 500
DEEPEST = 3


class Opened(NamedTuple):
    """A scene that was read."""

    scenario: Scenario
    stamp: str
    """Of the content of its file."""
    notes: tuple[str, ...]
    """What of the file has no counterpart here."""


class Saved(NamedTuple):
    """A scene that was written."""

    path: str
    stamp: str
    files: tuple[str, ...]
    cannot_hold: tuple[str, ...]
    """What the format has no word for."""


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
            if path.suffix.lower() in SUFFIXES and not path.name.endswith((*_SETTINGS, FLEET)):
                found.append({"path": self.relative(path), "bytes": path.stat().st_size})
                if len(found) >= MOST_FILES:
                    break
        return found

    def jobs(self) -> list[Path]:
        """Folders that hold what a long job wrote."""
        return [folder for folder in self._folders(self.root, 0) if is_job(folder)][:MOST_FILES]

    def with_records(self) -> list[str]:
        """Folders with recorded flights."""
        found = [
            one for one in self._folders(self.root, 0) if any((one / name).is_file() for name in RECORDS)
        ]
        return [self.relative(folder) for folder in found][:MOST_FILES]

    def fleets(self) -> list[str]:
        """Fleets on a grid, by name."""
        found = [self.relative(path) for path in self._walk(self.root, 0) if path.name.endswith(FLEET)]
        return found[:MOST_FILES]

    def open(self, given: str, mission: Mission | None = None) -> Opened:
        """The scene in a file; `mission` is for Gazebo worlds, which hold none."""
        path = self.inside(given)
        if path.suffix.lower() not in SUFFIXES:
            raise InputFileError(f"{given[:200]}: a scene is a {', '.join(SUFFIXES)} file")
        try:
            scenario, notes = read_scene_file(path, mission)
            return Opened(scenario, stamp_of(path), notes)
        except InputFileError as error:
            raise InputFileError(str(error).replace(f"{self.root}{os.sep}", "")) from None

    def save(self, given: str, scenario: Scenario, form: str, stamp: str | None, overwrite: bool) -> Saved:
        """Write a scene. A file changed meanwhile is not overwritten unasked."""
        path = self.inside(given)
        if form not in FORMATS:
            raise InputFileError(f"format '{form[:40]}' is unknown; choose one of {', '.join(FORMATS)}")
        kind = format_of(Path(given), form)
        if path.exists() and not overwrite and (stamp is None or stamp != stamp_of(path)):
            raise StoreError(
                f"{self.relative(path)}: exists with other content; save under another name, or overwrite it"
            )
        try:
            files, cannot_hold = write_as(kind, path, scenario)
        except UavTestgenError as error:
            raise type(error)(str(error).replace(f"{self.root}{os.sep}", "")) from None
        names = tuple(self.relative(file.resolve()) for file in files)
        return Saved(self.relative(path), stamp_of(path), names, tuple(cannot_hold))

    def parse(self, name: str, content: bytes, mission: Mission | None = None) -> Opened:
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
                scenario, notes = read_scene_file(path, mission)
                return Opened(scenario, stamp_of(path), notes)
            except InputFileError as error:
                raise InputFileError(str(error).replace(str(path), name[:100])) from None

    def _walk(self, folder: Path, depth: int) -> Iterator[Path]:
        try:
            entries = sorted(folder.iterdir(), key=lambda path: (path.is_dir(), path.name))
        except OSError:
            return
        if depth and is_job(folder):
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
                if depth < DEEPEST and not is_job(entry):
                    yield from self._folders(entry, depth + 1)


def is_job(folder: Path) -> bool:
    """Does the folder hold what a long job wrote?"""
    return any((folder / name).is_file() for name in _WRITTEN_BY_JOBS)


def stamp_of(path: Path) -> str:
    """Hash of a file's content: tells whether somebody else wrote it."""
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()


def read_scene_file(path: Path, mission: Mission | None) -> tuple[Scenario, tuple[str, ...]]:
    """A scene of any format; of a logical scenario the instance with seed 0."""
    is_world = path.suffix in FORMAT_SUFFIXES["world"]
    scenario, left_out = read_any(str(path), mission if is_world else None)
    notes = [f"not read: {what}" for what in left_out]
    if scenario.logical is not None and not scenario.obstacles:
        scenario = draw_instance(path.name, scenario, 0)
        notes.append("a logical scenario: this is its instance with seed 0")
    return scenario, tuple(notes)
