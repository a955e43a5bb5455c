"""The command backend keeps the promise of every backend, with a stand-in for the user's simulator."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

from uav_testgen.testing.backend_contract import BackendContract

STAND_IN = Path(__file__).parents[2] / "fakes" / "simulator.py"


class TestCommandBackend(BackendContract):
    """Bound to the contract."""

    name = "command"
    settings: ClassVar[dict[str, Any]] = {
        "command": shlex.join([sys.executable, str(STAND_IN)]) + " --scene {scene} --out {out} --seed {seed}"
    }

    @pytest.fixture(autouse=True)
    def _in_a_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
