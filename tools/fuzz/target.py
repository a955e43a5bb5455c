"""What a fuzz target is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# They run compiled kernels, which do not survive being instrumented: random changes only.
UNGUIDED = ("scores", "profile")
CORPUS = Path(__file__).resolve().parent / "corpus"


@dataclass(frozen=True)
class Target:
    """`check` must not raise anything but UavTestgenError."""

    check: Callable[[bytes], None]
    seeds: list[bytes]


def kept(name: str) -> list[bytes]:
    """Inputs that once broke a parser; they are tried first, in every run."""
    return [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]
