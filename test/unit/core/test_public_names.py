"""Rooms offer their public names by themselves, and importing one module does not import a whole room."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import uav_testgen

PACKAGE = Path(uav_testgen.__file__).parent
ROOMS = sorted(
    path.parent.name
    for path in PACKAGE.glob("*/__init__.py")
    if "public_names(" in path.read_text(encoding="utf-8")
)


def test_most_rooms_do() -> None:
    assert {"scenario", "flight", "oracle", "predict", "generator", "campaign", "backend"} <= set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_exists_and_is_typed(room: str) -> None:
    module = importlib.import_module(f"uav_testgen.{room}")
    source = ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))
    typed = {
        alias.name: node.module
        for branch in source.body
        if isinstance(branch, ast.If)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(typed) == module.__all__
    for name, place in typed.items():
        assert getattr(module, name) is getattr(importlib.import_module(str(place)), name)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        module.nothing_like_it  # noqa: B018


def test_the_room_predict_offers_the_function() -> None:
    from uav_testgen.oracle import judge
    from uav_testgen.predict import predict
    from uav_testgen.predict.runs import predict as inside

    assert predict is inside and callable(judge)


def test_asking_for_one_name_does_not_import_the_others() -> None:
    code = "import sys; from uav_testgen.oracle import Outcome; print('uav_testgen.oracle.judging' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
