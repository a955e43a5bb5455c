"""Writes docs/reference/topics.md and config/params from the nodes; `--check` only says whether they are fresh."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from uav_testgen.graph.description import load_graph  # noqa: E402
from uav_testgen.ros.parameter_yaml import parameter_files  # noqa: E402
from uav_testgen.ros.topic_table import topics_page  # noqa: E402


def made() -> dict[Path, str]:
    """Every file with its content."""
    folder = ROOT / "config" / "params"
    pages = {folder / f"{node}.yaml": text for node, text in parameter_files(load_graph()).items()}
    return {ROOT / "docs" / "reference" / "topics.md": topics_page(), **pages}


def main() -> int:
    """Write the files, or with --check compare them."""
    pages = made()
    stale = [path for path, text in pages.items() if not path.is_file() or path.read_text("utf-8") != text]
    stale += [path for path in (ROOT / "config" / "params").glob("*.yaml") if path not in pages]
    names = ", ".join(str(path.relative_to(ROOT)) for path in stale)
    if "--check" in sys.argv[1:]:
        print(f"stale: {names}; run `make docs`" if stale else "topics.md and config/params are fresh")
        return 1 if stale else 0
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"wrote {names}" if stale else "topics.md and config/params are fresh")
    return 0


if __name__ == "__main__":
    sys.exit(main())
