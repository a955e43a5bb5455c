"""What a stand-in says to the program that called it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_WORDS = 10_000
MOST_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Call:
    """A command as a program typed it."""

    words: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]
    stdin: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """Output and exit code; with `again_s` the caller asks again after a while."""

    stdout: str = ""
    stderr: str = ""
    code: int = 0
    again_s: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"stdout": self.stdout, "stderr": self.stderr, "code": self.code, "again_s": self.again_s}


def refusal(text: str, code: int = 1) -> Reply:
    """An error."""
    return Reply(stderr=f"{text}\n", code=code)
