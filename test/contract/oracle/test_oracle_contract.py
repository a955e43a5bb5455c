"""The shipped oracle keeps the contract, by every measure."""

from __future__ import annotations

from uav_testgen.testing.oracle_contract import OracleContract


class TestSeparation(OracleContract):
    name = "separation"


class TestSeparation3d(OracleContract):
    name = "separation"
    settings = {"measure": "3d"}  # noqa: RUF012


class TestSeparationHorizontal(OracleContract):
    name = "separation"
    settings = {"measure": "horizontal", "safe_distance_m": 2.0}  # noqa: RUF012
