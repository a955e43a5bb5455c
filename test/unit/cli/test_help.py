"""Every command has a group, an example, a JSON model, and options that say what they do and what they default to."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest

from uav_testgen.cli._answers.table import ANSWERS
from uav_testgen.cli._catalogue import EXAMPLES, FIRST_STEPS, GROUPS
from uav_testgen.cli._parser import help_of
from uav_testgen.cli.main import build_parser, main, sub_commands

PARSER = build_parser()
(_COMMANDS,) = [one for one in PARSER._actions if isinstance(one, argparse._SubParsersAction)]
PARSERS: dict[str, argparse.ArgumentParser] = dict(_COMMANDS.choices)
# Options that name a file in one command and a folder in another.
TWO_KINDS = {
    "--without": {"NODE", "PATTERN"},
    "--out": {"DIR", "FILE"},
    "--system": {"NAME|FILE", "NAME"},
    "--setting": {"KEY=VALUE", "NODE.PARAM=VALUE"},
}


def arguments() -> Iterator[tuple[str, argparse.Action]]:
    for name, parser in PARSERS.items():
        for action in parser._actions:
            if not isinstance(action, argparse._HelpAction):
                yield name, action


def test_every_command_has_a_group_an_example_and_a_model() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sub_commands(), "uav_testgen/cli/_catalogue.py: GROUPS"
    assert sorted(EXAMPLES) == sub_commands(), "uav_testgen/cli/_catalogue.py: EXAMPLES"
    assert sorted(ANSWERS) == sub_commands(), "uav_testgen/cli/_answers/table.py"
    assert set(FIRST_STEPS) <= set(EXAMPLES)


def test_every_argument_says_what_it_is_for() -> None:
    silent = [(name, action.dest) for name, action in arguments() if len(help_of(action)) < 4]
    assert not silent


def test_every_option_with_a_value_names_its_default() -> None:
    silent = [
        (name, action.option_strings)
        for name, action in arguments()
        if action.option_strings
        and action.nargs != 0
        and not action.required
        and "default" not in help_of(action)
    ]
    assert not silent


def test_a_value_has_a_readable_name_the_same_in_every_command() -> None:
    names: dict[str, set[str]] = {}
    for command, action in arguments():
        if action.nargs == 0 or not action.option_strings:
            continue
        assert action.choices or action.metavar, f"{command} {action.option_strings}: give it a metavar"
        if action.metavar:
            names.setdefault(action.option_strings[0], set()).add(str(action.metavar))
    different = {
        name: found
        for name, found in names.items()
        if not found <= TWO_KINDS.get(name, set()) and len(found) > 1
    }
    assert not different


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_example_is_understood(name: str) -> None:
    words = shlex.split(EXAMPLES[name].partition(" > ")[0])
    assert words[:2] == ["uav-testgen", name]
    assert build_parser(name).parse_args(words[1:]).command == name


@pytest.mark.parametrize("name", sub_commands())
def test_every_command_speaks_json(name: str) -> None:
    options = {option for action in PARSERS[name]._actions for option in action.option_strings}
    assert "--json" in options


def test_the_help_shows_groups_and_first_steps(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    places = [text.index(f"\n{title}:\n") for title in GROUPS]
    assert places == sorted(places)
    for name in sub_commands():
        assert re.search(rf"^  {name} ", text, re.MULTILINE), name
    assert EXAMPLES["fly"] in text


def test_the_help_of_a_command_shows_its_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    assert f"example:\n  {EXAMPLES['check']}\n" in capsys.readouterr().out


def test_a_command_that_no_group_names_is_shown_last() -> None:
    from uav_testgen.cli._catalogue import OTHERS, groups_of

    assert list(groups_of(["fly", "brand-new"])) == ["look at one scene", OTHERS]
