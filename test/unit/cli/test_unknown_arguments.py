"""What a command does not take is named, with what may have been meant; options are never abbreviated."""

from __future__ import annotations

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.exit_codes import ExitCode


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (
            ["fly", "two_walls", "--setting", "a=1"],
            "uav-testgen fly: unknown option --setting, did you mean '--settings'?",
        ),
        (
            ["fly", "two_walls", "--undist"],
            "uav-testgen fly: unknown option --undist, did you mean '--undisturbed'?",
        ),
        (
            ["list", "systems", "--zzz=1"],
            "uav-testgen list: unknown option --zzz; see: uav-testgen list --help",
        ),
        (
            ["confirm", "one", "two", "--backend", "px4"],
            "uav-testgen confirm: too many arguments: two; put names",
        ),
        (["--jsn", "list", "systems"], "uav-testgen: unknown option --jsn"),
    ],
)
def test_what_is_not_taken(words: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == ExitCode.INVALID_INPUT
    printed = capsys.readouterr().err
    assert printed.startswith(answer)
    assert printed.count("\n") == 1
