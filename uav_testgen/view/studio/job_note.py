"""What the studio notes about a job it started: its settings, its process, and whether it was asked to pause or stop.

The note lies in the folder, so a restarted server finds its jobs again. A process is told from a later one with the
same number by the moment it began and by the folder in its command. A folder may be somebody else's: a note holds no
command, only settings as a page gives them, and they are checked again before anything is run.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from uav_testgen.core.errors import StoreError
from uav_testgen.core.files import write_text
from uav_testgen.work import lock

NOTES = "jobs"
_MOST_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class JobNote:
    """One job."""

    path: str
    """Its folder, as the page knows it."""
    kind: str
    settings: dict[str, Any] = field(default_factory=dict)
    """As the page gave them; empty where it was started from the command line."""
    pid: int = 0
    began: int = 0
    """In ticks of the kernel's clock."""
    asked: str = ""
    """pause or stop; empty while it may go on."""
    is_reporting: bool = False
    """Is the process the one that writes the report of a search that was stopped?"""
    confirming: str = ""
    """The backend with which the process flies the best tests again; empty for a search itself."""

    def is_alive(self, folder: Path) -> bool:
        """Does the noted process still run, and is it one of ours in this folder?"""
        return self.pid > 1 and began_at(self.pid) == self.began != 0 and names_in_command(self.pid, folder)

    def of_process(self, pid: int, *, is_reporting: bool = False, confirming: str = "") -> JobNote:
        """The same job, run by a process that has just been started."""
        asked = self.asked if is_reporting else ""
        return replace(
            self,
            pid=pid,
            began=began_at(pid),
            asked=asked,
            is_reporting=is_reporting,
            confirming=confirming,
        )


class JobNotes:
    """The notes of a folder."""

    def __init__(self, state: Path) -> None:
        self._folder = state / NOTES

    def all(self) -> dict[str, JobNote]:
        """Every readable note by the path of its job."""
        try:
            files = sorted(self._folder.glob("*.json"))
        except OSError:
            return {}
        found = (self._read(file) for file in files)
        return {note.path: note for note in found if note is not None}

    def of(self, path: str) -> JobNote | None:
        """The note of one job."""
        note = self._read(self._file(path))
        return note if note is not None and note.path == path else None

    def keep(self, note: JobNote) -> None:
        """Write it down."""
        if self._folder.is_symlink():
            raise StoreError(f"{self._folder.parent.name}/{NOTES}: is a link; remove it, then try again")
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(self._file(note.path), json.dumps(asdict(note)))

    def _file(self, path: str) -> Path:
        name = hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        return self._folder / f"{name}.json"

    def _read(self, file: Path) -> JobNote | None:
        try:
            if file.stat().st_size > _MOST_BYTES:
                return None
            data = json.loads(file.read_text(encoding="utf-8"))
            note = JobNote(**data)
            texts = (note.path, note.kind, note.asked, note.confirming)
            numbers = (note.pid, note.began)
            is_sound = all(isinstance(one, str) for one in texts) and all(type(one) is int for one in numbers)
            return note if is_sound and isinstance(note.settings, dict) else None
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None


def began_at(pid: int) -> int:
    """When a process began, in kernel ticks; 0 if it is gone. Where /proc is absent, 1 for any that lives."""
    try:
        fields = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
    except FileNotFoundError:
        if Path("/proc/self/stat").exists():
            return 0
        try:
            os.kill(pid, 0)
        except OSError:
            return 0
        return 1
    except OSError:
        return 0
    return 0 if fields[0] in "ZX" else int(fields[19])


def names_in_command(pid: int, folder: Path) -> bool:
    """Is this folder among the words of a process? Where /proc is absent nobody knows, and it is taken to be so."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return not Path("/proc/self/cmdline").exists()
    return os.fsencode(folder) in words


def holder_of(folder: Path) -> int | None:
    """The process that holds the lock of an output folder, by the kernel's own list; None if nobody does."""
    path = folder / lock.FILE_NAME
    try:
        inode = path.stat().st_ino
        held = Path("/proc/locks").read_text(encoding="ascii")
    except OSError:
        return _claimed_holder(path)
    for line in held.splitlines():
        parts = line.split()
        # "1: FLOCK ADVISORY WRITE 4711 fe:00:1234 0 EOF"
        if len(parts) >= 6 and parts[1] == "FLOCK" and parts[5].rsplit(":", 1)[-1] == str(inode):
            pid = int(parts[4])
            return pid if pid > 0 and pid == _claimed_holder(path) else None
    return None


def _claimed_holder(path: Path) -> int | None:
    """Who wrote its name into the lock file, if that process lives."""
    try:
        pid = int(json.loads(path.read_text(encoding="utf-8"))["pid"])
        os.kill(pid, 0)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return pid if pid > 1 else None
