"""Kernels: what they compute, what becomes machine code, and where it is found again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import uav_testgen
from uav_testgen.core.copying import copy_numbers
from uav_testgen.core.kernel import KERNEL, Kernel, inlined, kernel
from uav_testgen.core.kernel_store import EntryStore, PartStore

_OFFSET = 100


@inlined
def tripled(value: float) -> float:
    return 3.0 * value


@kernel
def checked(value: float) -> float:
    if value < 0.0:
        raise ValueError("negative")
    return tripled(value) + _OFFSET


@kernel
def sum_of(values: np.ndarray, start: float = 1.0) -> float:
    total = start
    for value in values:
        total += checked(value)
    return total


def test_kernels_compute_what_python_computes() -> None:
    values = np.array([0.5, 2.0])
    assert sum_of(values) == 1.0 + 1.5 + 6.0 + 2 * _OFFSET
    assert sum_of(values, 7.0) == sum_of(values) + 6.0
    assert (sum_of.__name__, sum_of.__doc__) == ("sum_of", None)


def test_what_a_part_raises_arrives_in_python() -> None:
    with pytest.raises(ValueError, match=r"^negative$"):
        sum_of(np.array([1.0, -1.0]))
    with pytest.raises(ValueError, match=r"^negative$"):
        checked(-2.0)


def test_only_what_python_calls_becomes_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    # Machine code that is found again needs no parts.
    monkeypatch.setattr(EntryStore, "give", lambda entry: None)
    monkeypatch.setattr(PartStore, "give", lambda part: None)
    below = Kernel(tripled.py_func, KERNEL)

    def plus_one(value: float) -> float:
        return below(value) + 1.0

    above = Kernel(plus_one, KERNEL)
    assert above(2.0) == 7.0
    assert "_entry" in vars(above) and "_part" in vars(below)
    (part,) = below._part.overloads.values()
    assert not part.library.codegen._engine.is_symbol_defined(part.fndesc.llvm_cpython_wrapper_name)
    assert "_entry" not in vars(below), "compiled for Python although nobody called it from there"


def test_an_unknown_option_is_refused_where_the_kernel_is_first_called() -> None:
    wrong = Kernel(tripled.py_func, {"no_such_option": True})
    with pytest.raises(KeyError, match="no_such_option"):
        wrong(1.0)


def test_numbers_are_copied() -> None:
    target = np.zeros(4)
    copy_numbers(np.arange(3.0), target)
    assert target.tolist() == [0.0, 1.0, 2.0, 0.0]


PROGRAM = """
from uav_testgen.core.compile_watch import WATCH
from uav_testgen.world.hashing import hash_normal
print(repr(hash_normal(1, 2, 3, 4)), WATCH.seconds > 0.0)
"""


def test_a_clone_finds_what_another_one_compiled_and_changed_sources_do_not(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    words = []
    for name in ("one", "two", "changed"):
        clone = tmp_path / name / "uav_testgen"
        shutil.copytree(
            Path(uav_testgen.__file__).parent, clone, ignore=shutil.ignore_patterns("__pycache__")
        )
        if name == "changed":  # _mix is a part of hash_normal, in the same file and in others
            source = clone / "world" / "hashing.py"
            source.write_text(source.read_text() + "# changed\n")
        environment = {**os.environ, "PYTHONPATH": str(clone.parent), "NUMBA_CACHE_DIR": str(cache)}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, cwd=clone.parent, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        words.append(done.stdout.split())
    (value, first), (second_value, second), (third_value, third) = words
    assert value == second_value == third_value
    assert (first, second, third) == ("True", "False", "True")
