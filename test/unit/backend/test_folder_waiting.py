"""Whoever waits for a worker reads at once for how long at most, and how to start one."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from uav_testgen.backend.folder import FolderBackend, FolderConfig
from uav_testgen.core.errors import BackendTimeout
from uav_testgen.testing.factories import make_scenario


def test_nobody_flies(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = FolderConfig(folder=str(tmp_path / "jobs"), timeout_s=0.3)
    with caplog.at_level(logging.WARNING), FolderBackend(config) as backend:
        for seed in range(2):
            with pytest.raises(BackendTimeout):
                backend.fly(make_scenario(), seed)
    (line,) = caplog.messages
    assert line.startswith(
        "waiting for workers, at most 0 s a flight; alive: none; start one: uav-testgen worker "
    )
