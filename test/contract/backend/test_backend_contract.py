"""Backends that need nothing but this package keep the contract."""

from __future__ import annotations

from uav_testgen.testing.backend_contract import BackendContract


class TestStill(BackendContract):
    name = "still"


class TestDriftingStill(BackendContract):
    name = "still"
    settings = {"drift_m": 0.2}  # noqa: RUF012
