"""What the parsers answer to words that are no numbers or no choice."""

from __future__ import annotations

import pytest

from uav_testgen.cli.main import build_parser


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fly", "two_walls", "--runs", "five"], "argument --runs: a whole number is expected, got 'five'"),
        (["certify", "two_walls", "--within", "near"], "argument --within: a number is expected, got 'near'"),
        (["list", "scene"], "unknown KIND 'scene', did you mean 'scenes'?; known: algorithms, arenas"),
        (["score", "DIR", "--rules", "2023"], "argument --rules: "),
    ],
)
def test_in_words_for_people(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        build_parser(words[0]).parse_args(words)
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    assert said in told and "invalid" not in told and told.count("\n") == 1
