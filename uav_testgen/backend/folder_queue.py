"""A queue of jobs in a folder that several machines may share. Every step is one rename or one link.

    jobs/<id>.json              waits
    taken/<id>@<worker>.json    is flown by this worker; its modification time is the lease
    results/<id>.json           is done; never replaced
    failed/<id>.<time>.json     could not be flown, and was asked for again later
    refused/                    files that are no jobs

A job is claimed by renaming it, which only one worker can do. A worker renews its leases while it lives; a
lease that ran out, or whose worker is known to be dead, goes back to the queue with its count of attempts. A
result is linked into place, which only the first can do. So no job is lost, none has two results, and none is
flown again unless its worker died flying it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from uav_testgen.core.errors import StoreError

FORMAT = 1
DEFAULT_LEASE_S = 120.0
_NAME = re.compile(r"^[A-Za-z0-9_.-]{1,100}$")
_FOLDERS = ("jobs", "taken", "results", "failed", "refused", "workers")


@dataclass(frozen=True, slots=True)
class Claim:
    """A job in the hands of one worker."""

    job_id: str
    body: dict[str, Any]
    attempt: int
    path: Path


class FolderQueue:
    """The folder; any number of clients and workers may open it."""

    def __init__(self, folder: Path, lease_s: float = DEFAULT_LEASE_S) -> None:
        self.folder = folder
        self.lease_s = lease_s
        try:
            for name in _FOLDERS:
                (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{folder}: cannot be used as a job folder ({error.strerror})") from None

    # Clients

    def submit(self, job_id: str, body: dict[str, Any]) -> bool:
        """Queue a job; False if it is known already (waiting, being flown or done)."""
        _check_name(job_id, "job id")
        if self._known(job_id):
            return False
        text = json.dumps({"format": FORMAT, "id": job_id, "attempts": 0, **body}, allow_nan=False)
        return self._place(self.folder / "jobs" / f"{job_id}.json", text)

    def result(self, job_id: str) -> dict[str, Any] | None:
        """What came of a job; None while it is open."""
        path = self.folder / "results" / f"{job_id}.json"
        try:
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise StoreError(f"{path}: cannot be read ({error})") from None
        return found

    def set_aside(self, job_id: str) -> None:
        """A result that is no flight makes room for another try; it is kept among the failed."""
        with contextlib.suppress(FileNotFoundError):
            os.rename(
                self.folder / "results" / f"{job_id}.json",
                self.folder / "failed" / f"{job_id}.{time.time_ns()}.json",
            )

    def withdraw(self, job_id: str) -> bool:
        """Take back a job nobody has claimed."""
        with contextlib.suppress(FileNotFoundError):
            (self.folder / "jobs" / f"{job_id}.json").unlink()
            return True
        return False

    def workers(self) -> list[str]:
        """Names of the workers that are alive on this machine's view of the folder."""
        return [path.stem for path in sorted((self.folder / "workers").glob("*.lock")) if _is_locked(path)]

    # Workers

    @contextlib.contextmanager
    def sign_in(self, worker: str) -> Iterator[None]:
        """Be the only worker of this name; jobs a dead namesake left behind are queued again at once."""
        _check_name(worker, "worker name")
        with (self.folder / "workers" / f"{worker}.lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StoreError(
                    f"{self.folder}: a worker named '{worker}' runs already; give this one another --name"
                ) from None
            for path in (self.folder / "taken").glob(f"*@{worker}.json"):
                self._requeue(path)
            yield

    def claim(self, worker: str) -> Claim | None:
        """The next job, oldest first; None if there is none to be had."""
        self._requeue_expired()
        for path in sorted((self.folder / "jobs").glob("*.json"), key=_age):
            target = self.folder / "taken" / f"{path.stem}@{worker}.json"
            try:
                # The lease must be new before the file appears among the taken.
                os.utime(path)
                os.rename(path, target)
            except FileNotFoundError:
                continue  # another worker was quicker
            claim = self._read_claim(path.stem, target)
            if claim is not None:
                return claim
        return None

    def renew(self, claim: Claim) -> bool:
        """Say that the job is still being flown; False if it was taken away."""
        try:
            os.utime(claim.path)
        except FileNotFoundError:
            return False
        return True

    def complete(self, claim: Claim, result: dict[str, Any]) -> bool:
        """Hand in a result; False if somebody else already has."""
        text = json.dumps({"format": FORMAT, "id": claim.job_id, **result}, allow_nan=False)
        first = self._place(self.folder / "results" / f"{claim.job_id}.json", text)
        claim.path.unlink(missing_ok=True)
        return first

    def give_back(self, claim: Claim) -> None:
        """Not flown after all: back to the queue."""
        self._requeue(claim.path, attempts=claim.attempt - 1)

    # Inside

    def _known(self, job_id: str) -> bool:
        return (
            (self.folder / "results" / f"{job_id}.json").exists()
            or (self.folder / "jobs" / f"{job_id}.json").exists()
            or any((self.folder / "taken").glob(f"{job_id}@*.json"))
        )

    def _read_claim(self, job_id: str, path: Path) -> Claim | None:
        if (self.folder / "results" / f"{job_id}.json").exists():
            path.unlink(missing_ok=True)  # its result came after the lease had run out
            return None
        try:
            body = json.loads(path.read_text(encoding="utf-8"))
            if body["format"] != FORMAT or body["id"] != job_id:
                raise ValueError("another format or id")
            attempt = int(body["attempts"]) + 1
        except (OSError, ValueError, KeyError, TypeError):
            os.replace(path, self.folder / "refused" / path.name)
            return None
        # The attempt is counted before it is made: a job that kills its worker is known by its count.
        self._write(path, json.dumps({**body, "attempts": attempt}))
        return Claim(job_id, body, attempt, path)

    def _requeue_expired(self) -> None:
        # The clock of the file system, not ours: machines that share a folder need not agree on the time.
        now_s = self._folder_time_s()
        for path in (self.folder / "taken").glob("*.json"):
            with contextlib.suppress(FileNotFoundError):
                age_s = now_s - path.stat().st_mtime
                if age_s > self.lease_s:
                    self._requeue(path)
                elif age_s < -self.lease_s:
                    # The clock jumped back: without this the lease of a dead worker would last until then.
                    os.utime(path, (now_s, now_s))

    def _requeue(self, path: Path, attempts: int | None = None) -> None:
        job_id = path.stem.rpartition("@")[0]
        with contextlib.suppress(FileNotFoundError):
            if (self.folder / "results" / f"{job_id}.json").exists():
                path.unlink()
                return
            if attempts is not None:
                body = json.loads(path.read_text(encoding="utf-8"))
                self._write(path, json.dumps({**body, "attempts": attempts}))
            os.rename(path, self.folder / "jobs" / f"{job_id}.json")

    def _folder_time_s(self) -> float:
        probe = self.folder / "workers" / f".clock-{os.getpid()}-{threading.get_ident()}"
        probe.touch()
        now_s = probe.stat().st_mtime
        probe.unlink(missing_ok=True)
        return now_s

    def _place(self, path: Path, text: str) -> bool:
        """A whole file or nothing, and never over another one."""
        temporary = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
        try:
            self._fill(temporary, text)
            os.link(temporary, path)
        except FileExistsError:
            return False
        except OSError as error:
            raise StoreError(f"{path}: cannot be written ({error.strerror})") from None
        finally:
            temporary.unlink(missing_ok=True)
        return True

    def _write(self, path: Path, text: str) -> None:
        """Replace the content of a file that is ours."""
        temporary = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
        try:
            self._fill(temporary, text)
            os.replace(temporary, path)
        except OSError as error:
            raise StoreError(f"{path}: cannot be written ({error.strerror})") from None

    @staticmethod
    def _fill(path: Path, text: str) -> None:
        with path.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())


def _check_name(name: str, what: str) -> None:
    if not _NAME.match(name):
        raise StoreError(f"{what} '{name[:40]}': letters, digits, dot, dash and underscore only")


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _is_locked(path: Path) -> bool:
    stream: IO[str]
    try:
        with path.open("a") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    return False
