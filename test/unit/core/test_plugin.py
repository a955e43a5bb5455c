"""Code named by file and class: what was edited is read again, what is missing is named."""

from __future__ import annotations

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.plugin import load_plugin


def test_a_file_is_one_module_until_it_is_edited(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("class Mine:\n    speed = 1\n")
    first = load_plugin("planner", f"{mine}:Mine")
    assert load_plugin("planner", f"{mine}:Mine") is first
    mine.write_text("class Mine:\n    speed = 2\n")
    assert load_plugin("planner", f"{mine}:Mine").speed == 2


def test_a_missing_name_is_answered_with_what_the_file_defines(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("import math\nfrom uav_testgen import Plan\n\nclass Mine:\n    pass\n")
    with pytest.raises(ConfigError, match=r"has no 'Yours'; it has: Mine$"):
        load_plugin("planner", f"{mine}:Yours")


def test_a_file_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    mine = tmp_path / "mine.py"
    mine.write_text("class Mine:\n    pass\n")

    def refused(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", refused)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_plugin("planner", f"{mine}:Mine")
