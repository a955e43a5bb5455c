"""What the documentation shows works: code blocks run, links lead somewhere, tables are fresh.

Every ```python block of README and docs is a complete program. A shell block runs if it is fenced as
```bash run. Blocks that need what a test machine lacks are fenced ```python no-run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
# The first flight on a machine compiles the simulator: about a minute of computing.
TIME_LIMIT_S = 900
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```\s*$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """One fenced block."""

    page: str
    line: int
    info: str
    body: str


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            str(page.relative_to(ROOT)),
            text.count("\n", 0, match.start()) + 1,
            match["info"].strip(),
            match["body"],
        )
        for match in FENCE.finditer(text)
    ]


def runnable(info: str) -> str | None:
    """`python`, `bash`, or None for a block that only shows something."""
    words = info.split()
    if words[:1] == ["python"] and "no-run" not in words:
        return "python"
    return "bash" if words == ["bash", "run"] else None


BLOCKS = [block for page in PAGES for block in blocks_of(page) if runnable(block.info)]


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder that looks like the project root, where blocks may leave files."""
    for name in ("config", "docs", "launch", "test"):
        if (ROOT / name).exists():
            (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.mark.timeout(TIME_LIMIT_S + 60)
@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block.page}:{block.line}")
def test_block_runs(block: Block, workplace: Path, ros_domain: int) -> None:
    language = runnable(block.info)
    if language == "python":
        (workplace / "block.py").write_text(block.body, encoding="utf-8")
        command = [sys.executable, "block.py"]
    else:
        if not shutil.which("bash"):
            pytest.skip("no bash here")
        command = ["bash", "-euo", "pipefail", "-c", block.body]
    env = {**os.environ, "MPLBACKEND": "Agg"}
    env["PATH"] = os.pathsep.join([str(Path(sys.prefix) / "bin"), env["PATH"]])
    result = subprocess.run(
        command, cwd=workplace, env=env, capture_output=True, text=True, timeout=TIME_LIMIT_S
    )
    assert result.returncode == 0, (
        f"{block.page}:{block.line}\n{result.stdout[-1500:]}\n{result.stderr[-3000:]}"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            continue
        if not (page.parent / target.split("#")[0]).exists():
            broken.append(target)
    assert not broken, f"{page.relative_to(ROOT)}: {broken}"


def test_readme_has_code_that_runs() -> None:
    assert any(block.page == "README.md" for block in BLOCKS)


@pytest.mark.parametrize("tool", ["make_parameters_doc.py", "make_python_doc.py"])
def test_a_generated_page_is_fresh(tool: str) -> None:
    command = [sys.executable, str(ROOT / "tools" / tool), "--check"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr[-2000:]


def test_make_help_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = " ".join(re.findall(r"^\.PHONY:(.*)$", makefile, re.MULTILINE)).split()
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    missing = [target for target in phony if f"make {target} " not in listed]
    assert phony
    assert not missing


def test_a_block_can_fail() -> None:
    """The scanner takes the right blocks."""
    assert runnable("python") == "python"
    assert runnable("python no-run") is None
    assert runnable("bash") is None
    assert runnable("bash run") == "bash"
    assert [match["body"] for match in FENCE.finditer("a\n```python\nx = 1\n```\nb\n")] == ["x = 1\n"]
