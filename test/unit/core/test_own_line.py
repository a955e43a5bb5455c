"""The line that an error is blamed on is one that the user wrote."""

from __future__ import annotations

import json
import os.path
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.own_line import is_own, line_of, line_of_method, making, said_of
from uav_testgen.core.plugin import load_plugin
from uav_testgen.scenario.model import Waypoint

HERE = __file__


def error_of(call: Any) -> Exception:
    with pytest.raises(Exception) as caught:
        call()
    return caught.value


def test_an_error_in_a_library_is_blamed_on_the_line_that_called_it() -> None:
    def asks() -> None:
        json.loads("{")

    line = asks.__code__.co_firstlineno + 1
    assert said_of(error_of(asks)).startswith(f"{HERE}:{line}: JSONDecodeError: ")


def test_an_error_of_ours_is_blamed_on_the_line_that_called_us() -> None:
    def asks() -> None:
        Waypoint(position_enu_m="north")  # type: ignore[arg-type]

    assert line_of(error_of(asks)) == f"{HERE}:{asks.__code__.co_firstlineno + 1}: "


def test_where_all_of_it_is_ours_no_line_is_named() -> None:
    try:
        raise ValueError("x")
    except ValueError as error:
        error.__traceback__ = None
        assert line_of(error) == "" and said_of(error) == "ValueError: x"


def test_a_method_is_found_where_it_begins() -> None:
    class Mine:
        def plan(self) -> None: ...

    assert line_of_method(Mine(), "plan") == f"{HERE}:{Mine.plan.__code__.co_firstlineno}: "
    assert line_of_method(Mine(), "reset") == "" == line_of_method([], "append")


def test_files_of_python_and_of_ours_are_nobodys_own() -> None:
    from uav_testgen.core import own_line

    assert is_own(HERE)
    assert not is_own(os.path.__file__) and not is_own(pytest.__file__) and not is_own(own_line.__file__)
    assert not is_own("<frozen importlib._bootstrap>")


def test_a_part_that_cannot_be_made_is_named_with_file_and_line() -> None:
    def broken() -> None:
        raise RuntimeError("no GPU")

    where = f"{HERE}:{broken.__code__.co_firstlineno + 1}"
    with (
        pytest.raises(ConfigError, match=f"planner 'x:Y' cannot be made: {where}: RuntimeError: no GPU"),
        making("planner", "x:Y"),
    ):
        broken()


def test_errors_that_say_what_is_wrong_pass_as_they_are() -> None:
    with pytest.raises(ConfigError, match=r"^said before$"), making("planner", "x:Y"):
        raise ConfigError("said before")


@pytest.mark.parametrize("end", ["raise SystemExit(3)", "json.loads('{')"])
def test_a_file_that_cannot_be_loaded_is_blamed_itself(end: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"import json\n\n{end}\n")
    with pytest.raises(ConfigError, match=r"mine\.py:3: (SystemExit|JSONDecodeError)"):
        load_plugin("planner", f"{tmp_path / 'mine.py'}:Mine")
