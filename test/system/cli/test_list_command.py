"""`uav-testgen list`: every name, with a sentence, for people and for programs."""

from __future__ import annotations

import json

import pytest

from uav_testgen.cli.main import main

pytestmark = pytest.mark.system

EXPECTED = {
    "algorithms": "nsga2",
    "arenas": "sbft2025",
    "backends": "graph",
    "generators": "surrealist",
    "missions": "mission7",
    "planners": "vfh3d",
    "requirements": "separation",
    "scenes": "two_walls",
    "systems": "paper",
}


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_every_name_has_a_sentence(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", kind, "--json"]) == 0
    found = {one["name"]: one["description"] for one in json.loads(capsys.readouterr().out)}
    assert EXPECTED[kind] in found
    assert all(len(text) > 10 and text.endswith(".") for text in found.values()), found
    assert main(["list", kind]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(found)


def test_an_unknown_kind_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["list", "planets"])
    assert left.value.code == 2
    assert "planners" in capsys.readouterr().err
