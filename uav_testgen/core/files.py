"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import yaml

from uav_testgen.core.errors import DiskError


class _PlainDumper(yaml.SafeDumper):
    """Writes an object that occurs twice out in full, because our own reader refuses aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def yaml_text(data: Any) -> str:
    """Plain data as YAML, keys in their order."""
    text: str = yaml.dump(data, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True)
    return text


def write_text(path: Path, text: str) -> None:
    """Write a whole file or nothing; DiskError says why not. Missing folders are made."""
    # The process number keeps two writers of the same file apart.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise DiskError(
            f"{path}: cannot be written ({error.strerror}); choose another output folder or free some space"
        ) from None
