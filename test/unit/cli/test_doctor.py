"""`uav-testgen doctor` tells what is missing and what to do, and never crashes."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from uav_testgen.backend.registry import BACKENDS
from uav_testgen.cli import _diagnosis
from uav_testgen.cli._answers.doctor import DoctorAnswer, Finding
from uav_testgen.cli.main import main


def test_every_backend_is_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    found = DoctorAnswer.model_validate(json.loads(capsys.readouterr().out))
    assert [one.name for one in found.findings if one.topic == "backend"] == list(BACKENDS.names())
    assert all(one.way_out for one in found.findings if one.status != "ok")
    assert main(["doctor"]) == 0
    assert "scenes can be predicted here" in capsys.readouterr().out


def test_what_a_backend_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_diagnosis, "_is_there", lambda module: module != "rclpy")
    monkeypatch.setenv("PATH", "")
    lacking = {one.name: one for one in _diagnosis.diagnose().findings if one.status == "missing"}
    assert "rclpy" in lacking["graph"].detail and "make setup" in lacking["graph"].way_out
    assert "MicroXRCEAgent" in lacking["px4"].detail
    assert "uav-testgen worker" in lacking["aerialist"].way_out


def test_without_numba_nothing_can_be_predicted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_diagnosis, "_is_there", lambda module: module != "numba")
    assert main(["doctor"]) == 3
    assert "numba" in capsys.readouterr().out


def test_a_check_that_breaks_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def _broken() -> Iterator[Finding]:
        raise RuntimeError("no luck")
        yield

    monkeypatch.setattr(_diagnosis, "_CHECKS", (_broken,))
    (finding,) = _diagnosis.diagnose().findings
    assert finding.status == "problem" and "no luck" in finding.detail
