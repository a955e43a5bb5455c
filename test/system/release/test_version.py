"""One version, wherever it is written."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import yaml

from uav_testgen import __version__

ROOT = Path(__file__).resolve().parents[3]


def test_every_file_that_states_the_version_states_this_one() -> None:
    for manifest in ("package.xml", "msg/package.xml"):
        assert ElementTree.parse(ROOT / manifest).getroot().findtext("version") == __version__, manifest
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == __version__
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None and newest[1] == __version__
    for file in ("deploy/Containerfile", "deploy/kubernetes/ray.yaml"):
        assert f":{__version__}" in (ROOT / file).read_text(), file


def test_the_build_files_do_not_repeat_it() -> None:
    for file in ("setup.py", "pyproject.toml"):
        assert __version__ not in (ROOT / file).read_text(), f"{file} reads the version from the package"
