"""The fuzz targets of logical scenarios and range tables see more than the outer form of a file."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from uav_testgen.core.errors import ConfigError, InputFileError

pytestmark = pytest.mark.property
FILE = Path(__file__).resolve().parents[3] / "tools" / "fuzz" / "targets.py"


@pytest.fixture(scope="module")
def targets() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_targets", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["logical", "ranges", "requirement", "study"])
def test_good_examples_are_accepted(targets: ModuleType, name: str) -> None:
    target = targets.TARGETS[name]()
    assert target.seeds
    for example in target.seeds:
        target.check(example)


def test_what_once_broke_requirements_is_refused(targets: ModuleType) -> None:
    target, kept = targets.TARGETS["requirement"](), FILE.parent / "corpus" / "requirement"
    for path in sorted(kept.iterdir()):
        with pytest.raises(ConfigError, match="expected name"):
            target.check(path.read_bytes())
    with pytest.raises(ConfigError, match="at most 4000 characters"):
        target.check(b"max_altitude(limit_m=" + b"-" * 100_000 + b"1)")


def test_a_logical_scenario_is_read_with_its_range_table(targets: ModuleType) -> None:
    target = targets.TARGETS["logical"]()
    wrong = {**json.loads(target.seeds[0]), "ranges": "absent"}
    with pytest.raises(InputFileError, match="unknown range table"):
        target.check(json.dumps(wrong).encode())


def test_a_range_table_is_followed_to_its_instances(
    targets: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = targets.TARGETS["ranges"]()
    table = yaml.safe_load(target.seeds[0])
    with pytest.raises(ConfigError, match="speed_mps"):
        target.check(yaml.safe_dump({**table, "speed_mps": [0.0, 1.5]}).encode())
    seen = []
    monkeypatch.setattr(
        "uav_testgen.scenario.logical.space.LogicalSpace.decode", lambda self, vector: seen.append(vector)
    )
    target.check(target.seeds[0])
    assert len(seen) == 15
