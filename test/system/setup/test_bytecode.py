"""The set-up leaves bytecode of what commands import, also where Python is told to keep none."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest


def test_compiling_the_simulators_keeps_bytecode(
    monkeypatch: pytest.MonkeyPatch, project_root: Path, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(project_root / "tools"))
    simulators = importlib.import_module("environment.simulators")
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(simulators, "COMMAND", ("-c", "import sys; sys.exit(sys.dont_write_bytecode)"))
    assert simulators.Compiling(tmp_path).wait(), "the interpreter was told to keep no bytecode"
