"""Fuzz targets that are right in form and wrong in meaning: some inputs of each in every run of the suite."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uav_testgen.core.errors import UavTestgenError

pytestmark = pytest.mark.property
FOLDER = Path(__file__).resolve().parents[3] / "tools" / "fuzz"
NAMES = ("scores", "records", "golden", "evaluations", "jobs", "log_values", "recording_values", "cells")
SLOW = {"golden": 8}


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module("targets")
    finally:
        sys.path.remove(str(FOLDER))


@pytest.mark.parametrize("name", NAMES)
def test_the_good_file_is_accepted_and_what_was_found_stays_mended(fuzz: ModuleType, name: str) -> None:
    target = fuzz.TARGETS[name]()
    target.check(target.seeds[0])
    for data in [*target.seeds[1:], *sys.modules["target"].kept(name)]:
        try_one(target, data)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_values(fuzz: ModuleType, name: str) -> None:
    target = fuzz.TARGETS[name]()

    @settings(max_examples=SLOW.get(name, 60), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.binary(min_size=1, max_size=60))
    def hostile(data: bytes) -> None:
        try_one(target, data)

    hostile()


def try_one(target: object, data: bytes) -> None:
    """A value or one of our errors; anything else fails the test."""
    try:
        target.check(data)  # type: ignore[attr-defined]
    except UavTestgenError as error:
        assert str(error)
