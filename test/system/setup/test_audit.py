"""`make audit` says what it could not check."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / "tools" / "audit.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(monkeypatch: pytest.MonkeyPatch, packages: list[dict[str, Any]]) -> None:
    text = json.dumps({"dependencies": packages})
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, text, ""))


def known(name: str, *found: str) -> dict[str, Any]:
    return {"name": name, "version": "1", "vulns": [{"id": one, "fix_versions": []} for one in found]}


def unknown(name: str) -> dict[str, Any]:
    return {"name": name, "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "code", "words"),
    [
        ([known("numpy"), unknown("uav-testgen")], 0, "1 packages asked about, 0 with known"),
        ([known("numpy"), unknown("ros-rcl")], 3, "NOT CHECKED, because the service does not know"),
        ([known("numpy", "X-1"), unknown("ros-rcl")], 1, "numpy 1: X-1"),
        ([unknown("numpy")], 3, "NOT CHECKED: the vulnerability service could not be asked"),
    ],
)
def test_vulnerabilities(
    audit: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    packages: list[dict[str, Any]],
    code: int,
    words: str,
) -> None:
    answer(monkeypatch, packages)
    assert audit.audit_vulnerabilities() == code
    assert words in capsys.readouterr().out


def test_another_version_than_the_locked_one_is_found(
    audit: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Package:
        def __init__(self, name: str, version: str) -> None:
            self.metadata, self.version = {"Name": name}, version

        def read_text(self, name: str) -> str:
            return "pip"

    monkeypatch.setattr(audit, "distributions", lambda: [Package("NumPy", "0.0.1")])
    assert audit.audit_versions() == 1
    assert "not the locked version: numpy 0.0.1" in capsys.readouterr().out
    monkeypatch.setattr(audit, "distributions", lambda: [Package("stranger", "1")])
    assert audit.audit_versions() == 3
    assert "NOT CHECKED by hash: stranger 1" in capsys.readouterr().out


def test_the_bill_of_materials_names_everything(audit: ModuleType) -> None:
    bill = audit.bill_of_materials()
    names = {part["name"].lower() for part in bill["components"]}
    assert {"numpy", "pydantic", "numba"} <= names
    assert all(part["version"] and part["licenses"] for part in bill["components"])
