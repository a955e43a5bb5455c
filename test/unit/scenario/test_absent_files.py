"""Files that an Aerialist test names and nobody has."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from uav_testgen.scenario.formats.absent_files import absent_files


@pytest.mark.parametrize(("robot", "mission"), [("drone", "test"), ("robot", "mission")])
def test_each_is_named_in_the_words_of_the_file(tmp_path: Path, robot: str, mission: str) -> None:
    path = tmp_path / "test.yaml"
    document = {robot: {"port": "ros", "params_file": "p.csv"}, mission: {"commands_file": "c.csv"}}
    path.write_text(yaml.safe_dump(document))
    first, second = absent_files(path)
    assert f"{robot}.params_file: no file 'p.csv'" in first and "flown without the parameters" in first
    assert f"{mission}.commands_file: no file 'c.csv'" in second and "Aerialist does" in second
    (tmp_path / "p.csv").write_text("MPC_XY_CRUISE,3\n")
    (tmp_path / "c.csv").write_text("timestamp,mode\n1,3\n")
    assert absent_files(path) == ()


def test_what_is_written_out_in_the_test_needs_no_file(tmp_path: Path) -> None:
    path = tmp_path / "test.yaml"
    path.write_text(yaml.safe_dump({"drone": {"params_file": "p.csv", "params": {"MPC_XY_CRUISE": 3}}}))
    assert absent_files(path) == ()


@pytest.mark.parametrize(("name", "text"), [("a.plan", "{}"), ("own.yaml", "mission: mission2\n")])
def test_other_files_name_none(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert absent_files(path) == ()
