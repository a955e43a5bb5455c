"""The sampling generators keep the contract; no registered name is left without it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from uav_testgen.generator.registry import GENERATORS
from uav_testgen.oracle.base import ORACLES
from uav_testgen.testing.generator_contract import GeneratorContract

CONTRACTS = Path(__file__).resolve().parents[1]


class TestRandom(GeneratorContract):
    name = "random"


class TestPrgen(GeneratorContract):
    name = "prgen"
    cases = tuple(f"mission{number}" for number in range(1, 8))


class TestPrgenMirrored(GeneratorContract):
    name = "prgen"
    settings = {"mirror_share": 0.5}  # noqa: RUF012


def bound_names(contract: str, folder: Path = CONTRACTS) -> set[str]:
    """Names bound to a contract in any test file below the folder."""
    names = set()
    for file in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and any(
                getattr(base, "id", "") == contract for base in node.bases
            ):
                names |= {
                    statement.value.value
                    for statement in node.body
                    if isinstance(statement, ast.Assign)
                    and getattr(statement.targets[0], "id", "") == "name"
                    and isinstance(statement.value, ast.Constant)
                }
    return names


@pytest.mark.parametrize(
    "registry, contract", [(GENERATORS, "GeneratorContract"), (ORACLES, "OracleContract")]
)
def test_every_registered_name_has_its_contract(registry, contract):
    missing = set(registry.names()) - bound_names(contract)
    assert not missing, f"bind {sorted(missing)} to {contract} in test/contract/"


def test_the_coverage_check_can_fail(tmp_path):
    (tmp_path / "test_x.py").write_text("class TestOne(GeneratorContract):\n    name = 'one'\n")
    assert bound_names("GeneratorContract", tmp_path) == {"one"}
    assert set(GENERATORS.names()) - bound_names("GeneratorContract", tmp_path)
