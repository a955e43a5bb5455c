"""A queue of jobs in a folder that several machines may share. Every step is one rename or one link.

    jobs/<id>.json              waits
    taken/<id>@<worker>.json    is flown by this worker; its modification time is the lease
    results/<id>.json           is done; never replaced
    failed/<id>.<time>.json     could not be flown, and was asked for again later
    refused/                    what is no job: other formats, other names, links, pipes, folders, large files

A job is claimed by renaming it, which only one worker can do. A worker renews its leases while it lives; a
lease that ran out, or whose worker is known to be dead, goes back to the queue with its count of attempts. A
result is linked into place, which only the first can do. So no job is lost, none has two results, and none is
flown again unless its worker died flying it. Whatever else lies in the folder is moved to refused/, and the
work goes on.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import re
import stat
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.core.config import MAX_INPUT_BYTES, check_json_depth
from uav_testgen.core.errors import StoreError
from uav_testgen.core.plain_text import one_line

_log = logging.getLogger(__name__)

FORMAT = 1
DEFAULT_LEASE_S = 120.0
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_MOST_ATTEMPTS = 1_000_000
# A job is a scenario; a result holds a whole flight.
MAX_JOB_BYTES = MAX_INPUT_BYTES
MAX_RESULT_BYTES = 32 * MAX_INPUT_BYTES
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
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise StoreError(f"{folder}: cannot be used as a job folder ({reason}); choose another") from None
        self._immovable: set[str] = set()

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
            return read_object(path, MAX_RESULT_BYTES)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            raise StoreError(f"{path}: cannot be read ({error})") from None

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
        path = self.folder / "workers" / f"{worker}.lock"
        try:
            lock = _open_lock(path)
        except OSError as error:
            raise StoreError(f"{path}: cannot be used as a lock ({error.strerror})") from None
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StoreError(
                    f"{self.folder}: a worker named '{worker}' runs already; give this one another --name"
                ) from None
            for taken in (self.folder / "taken").glob(f"*@{worker}.json"):
                self._requeue_or_refuse(taken)
            yield
        finally:
            os.close(lock)

    def claim(self, worker: str) -> Claim | None:
        """The next job, oldest first; None if there is none to be had."""
        self._requeue_expired()
        for path in sorted((self.folder / "jobs").glob("*.json"), key=_age):
            target = self.folder / "taken" / f"{path.stem}@{worker}.json"
            try:
                _check_name(path.stem, "job id")
                # The lease must be new before the file appears among the taken.
                os.utime(path, follow_symlinks=False)
                os.rename(path, target)
            except FileNotFoundError:
                continue  # another worker was quicker
            except (OSError, StoreError) as error:
                self._refuse(path, error)
                continue
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
            body = read_object(path, MAX_JOB_BYTES)
            if body["format"] != FORMAT or body["id"] != job_id:
                raise ValueError("another format or id")
            attempt = _attempts(body) + 1
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            self._refuse(path, error)
            return None
        # The attempt is counted before it is made: a job that kills its worker is known by its count.
        self._write(path, json.dumps({**body, "attempts": attempt}))
        return Claim(job_id, body, attempt, path)

    def _requeue_expired(self) -> None:
        # The clock of the file system, not ours: machines that share a folder need not agree on the time.
        now_s = self._folder_time_s()
        for path in (self.folder / "taken").glob("*.json"):
            with contextlib.suppress(FileNotFoundError):
                age_s = now_s - path.lstat().st_mtime
                if age_s > self.lease_s:
                    self._requeue_or_refuse(path)
                elif age_s < -self.lease_s:
                    # The clock jumped back: without this the lease of a dead worker would last until then.
                    os.utime(path, (now_s, now_s), follow_symlinks=False)

    def _requeue_or_refuse(self, path: Path) -> None:
        """Back to the queue what another worker left behind; what is no job goes aside."""
        try:
            self._requeue(path)
        except (OSError, ValueError) as error:
            self._refuse(path, error)

    def _refuse(self, path: Path, why: Exception) -> None:
        """Aside with what is no job; what cannot even be moved is left where it is."""
        if str(path) in self._immovable:
            return
        _log.warning("%s", one_line(f"{path}: not a job ({why}); it is moved to refused/"))
        for name in (path.name, f"{path.stem[:80]}.{time.time_ns()}.json"):
            target = self.folder / "refused" / name
            try:
                if not os.path.lexists(target):
                    os.rename(path, target)
                    return
            except FileNotFoundError:
                return
            except OSError:
                continue
        self._immovable.add(str(path))

    def _requeue(self, path: Path, attempts: int | None = None) -> None:
        job_id = path.stem.rpartition("@")[0]
        with contextlib.suppress(FileNotFoundError):
            if (self.folder / "results" / f"{job_id}.json").exists():
                path.unlink()
                return
            if attempts is not None:
                body = read_object(path, MAX_JOB_BYTES)
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


def read_object(path: Path, most_bytes: int) -> dict[str, Any]:
    """A JSON object from a regular file of limited size; OSError or ValueError says why not. Never waits."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "rb") as stream:
        found = os.fstat(stream.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("a regular file is expected")
        data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise ValueError(f"more than {most_bytes} bytes")
    text = data.decode("utf-8")
    check_json_depth(text)
    body = json.loads(text, parse_constant=_no_number)
    if not isinstance(body, dict):
        raise ValueError("a JSON object is expected")
    return body


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")


def _attempts(body: dict[str, Any]) -> int:
    attempts = body["attempts"]
    if type(attempts) is not int or not 0 <= attempts <= _MOST_ATTEMPTS:
        raise ValueError("attempts is a whole number from 0")
    return attempts


def _check_name(name: str, what: str) -> None:
    if not _NAME.fullmatch(name):
        raise StoreError(
            f"{what} '{name[:40]}': at most 100 letters, digits, dots, dashes and underscores are allowed"
        )


def _age(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _is_locked(path: Path) -> bool:
    try:
        lock = _open_lock(path)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False


def _open_lock(path: Path) -> int:
    """Descriptor of a lock file; never waits and follows no link."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW, 0o644)
