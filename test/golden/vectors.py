"""Where the recorded vectors of the real planner lie in this project."""

from pathlib import Path

VECTORS = Path(__file__).parent / "vectors"


def files(kind: str) -> list[Path]:
    """The recorded files of a kind, in order."""
    found = sorted((VECTORS / kind).glob("*.json.gz"))
    assert found, f"no {kind} vectors in {VECTORS}"
    return found
