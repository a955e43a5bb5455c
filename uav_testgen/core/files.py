"""Writing files so that a reader never sees half of one, and reading those that may be anything."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import threading
from pathlib import Path
from typing import Any

import yaml

from uav_testgen.core.errors import DiskError, InputFileError


class _PlainDumper(yaml.SafeDumper):
    """Writes an object that occurs twice out in full, because our own reader refuses aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def yaml_text(data: Any) -> str:
    """Plain data as YAML, keys in their order."""
    text: str = yaml.dump(data, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True)
    return text


def read_regular(path: Path, most_bytes: int) -> bytes:
    """Content of a user's file; InputFileError says why not. Never waits, never reads what has no end."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise InputFileError(f"{path}: is a device or pipe, a regular file is expected")
            data = stream.read(most_bytes + 1)
    except IsADirectoryError:
        raise InputFileError(f"{path}: is a folder, a file is expected") from None
    except (OSError, ValueError) as error:
        raise InputFileError(f"{path}: cannot be read ({getattr(error, 'strerror', error)})") from None
    if len(data) > most_bytes:
        raise InputFileError(f"{path}: larger than {most_bytes} bytes, which is the most that is accepted")
    return data


def checksum(path: Path) -> str:
    """SHA-256 of a file of any size."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def made_folder(folder: Path) -> Path:
    """An output folder, made if necessary; DiskError where nothing can be written into it, before anything is spent."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DiskError(
            f"{folder}: nothing can be written there ({reason}); choose another output folder"
        ) from None
    return folder


def write_text(path: Path, text: str) -> None:
    """Write a whole file or nothing; DiskError says why not. Missing folders are made."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file or nothing; DiskError says why not. Missing folders are made."""
    # The numbers of process and thread keep two writers of the same file apart.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise DiskError(
            f"{path}: cannot be written ({error.strerror}); choose another output folder or free some space"
        ) from None
