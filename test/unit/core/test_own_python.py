"""Processes of our own look into the working directory for nothing; programs of the user find their variables."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from uav_testgen.core import own_python

VARIABLE = "PYTHONSAFEPATH"


@pytest.mark.parametrize("option", [True, False], ids=["with -P", "of an older Python"])
def test_a_module_is_run_with_its_arguments_and_without_the_working_directory(
    option: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if option and sys.version_info < (3, 11):
        pytest.skip("this Python has no -P")
    monkeypatch.setattr(own_python, "_HAS_OPTION", option)
    trace = tmp_path / "trace"
    for name in ("runpy", "json", "argparse"):
        (tmp_path / f"{name}.py").write_text(f"open({str(trace)!r}, 'w')")
    (tmp_path / "in.json").write_text("[1]")
    words = own_python.module_words("json.tool", "--compact", "in.json")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, trace.exists()) == ("[1]\n", False), done.stderr


@pytest.mark.parametrize("given", [None, "yes"])
def test_the_variable_is_only_lent(given: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if given is not None:
        monkeypatch.setenv(VARIABLE, given)
    lent = own_python.given_to_programs()
    with own_python.started_apart():
        inside = dict(os.environ)
    assert os.environ.get(VARIABLE) == given
    if sys.version_info >= (3, 11):
        assert inside[VARIABLE] == (given or "1")
    monkeypatch.setattr(os, "environ", inside)  # a worker inherits it, and gives it back
    seen: list[str | None] = []
    own_python.as_given(lambda: seen.append(os.environ.get(VARIABLE)), lent)
    assert seen == [given]


def test_an_older_python_comes_back_to_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_python, "_HAS_OPTION", False)
    here = os.getcwd()
    with own_python.started_apart():
        assert os.getcwd() != here
    assert os.getcwd() == here
