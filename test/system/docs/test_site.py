"""The documentation builds as a site without a warning, and holds every page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def build(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    words = ["-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(source), str(target)]
    return subprocess.run([sys.executable, *words], capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    done = build(ROOT / "docs", target)
    assert done.returncode == 0, done.stderr
    return target


def test_every_page_is_in_it(site: Path) -> None:
    pages = sorted(path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md"))
    missing = [page for page in pages if not (site / page.with_suffix(".html")).is_file()]
    assert pages and not missing


def test_it_asks_no_other_host_for_anything(site: Path) -> None:
    """Works with the network off: styles, scripts and pictures are in the folder."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        found = re.findall(
            r'<(?:script|img)[^>]+src="(https?:[^"]+)"|<link[^>]+stylesheet[^>]+href="(https?:[^"]+)"', text
        )
        assert not found, (page.name, found)


def test_options_in_running_text_can_be_copied(site: Path) -> None:
    text = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    assert "with --backend px4" in text and "\N{EN DASH}backend" not in text
    assert "'always (distance &gt; 1.5)'" in text


def test_the_first_page_is_a_list_of_pages(site: Path) -> None:
    """Not of every heading in them."""
    text = (site / "index.html").read_text(encoding="utf-8")
    entries = re.findall(r'<li class="toctree-l\d', text.partition("<article")[2])
    assert entries and all(entry.endswith("l1") for entry in entries)


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "docs"
    source.mkdir()
    shutil.copy(ROOT / "docs" / "conf.py", source)
    (source / "index.md").write_text("# Title\n\n[nowhere](not_there.md)\n")
    done = build(source, tmp_path / "out")
    assert done.returncode != 0 and "not_there" in done.stderr
