"""`uav-testgen check FILE…`: is a scenario valid and feasible? Every violation with its numbers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._forms import add_form_option
from uav_testgen.cli._output import add_json_option, complain, print_json
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.plain_text import one_line

if TYPE_CHECKING:
    from uav_testgen.scenario.arena import Arena


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "check",
        help="check whether scenarios obey the arena's rules and can be flown",
        description="Check scenario or Aerialist test files against the rules of the arena, and for a way "
        "through.",
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="scenario, Aerialist test, .plan, or name of a shipped scene",
    )
    parser.add_argument(
        "--arena", metavar="NAME|FILE", help="rules to check against (default: the file's own)"
    )
    add_form_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check every file, also after one that cannot be read."""
    arena = load_arena(arguments.arena) if arguments.arena else None
    reports = [check_file(path, arena) for path in arguments.files]
    if arguments.json:
        print_json({"valid": all(report["valid"] for report in reports), "files": reports})
    else:
        for report in reports:
            _print_report(report)
    if any(report["error"] is not None and not report["readable"] for report in reports):
        return ExitCode.INVALID_INPUT
    return ExitCode.DONE if all(report["valid"] for report in reports) else ExitCode.VIOLATED


def check_file(path: Path, arena: Arena | None) -> dict[str, Any]:
    """What is wrong with one file, as plain data."""
    from uav_testgen.core.errors import InvalidScenario, UavTestgenError
    from uav_testgen.scenario.feasibility import problems
    from uav_testgen.scenario.formats.absent_files import absent_files
    from uav_testgen.scenario.formats.scenario_file import load_scenario
    from uav_testgen.scenario.formats.scenes import find_scene
    from uav_testgen.scenario.placing import too_full
    from uav_testgen.scenario.segment import segments_inside

    report: dict[str, Any] = {"file": str(path), "valid": False, "readable": True, "error": None}
    report |= {"violations": [], "notes": [], "scenario_id": None, "obstacles": None, "arena": None}
    report["obstacles_to_place"] = None
    try:
        path = find_scene(str(path))
        scenario = load_scenario(path, arena)
    except InvalidScenario as error:
        return report | {"error": str(error)}
    except UavTestgenError as error:
        return report | {"error": str(error), "readable": False}
    found = problems(scenario)
    # A logical scenario comes without its obstacles: the question is whether they can be placed.
    to_place = scenario.logical if not scenario.obstacles else None
    if to_place is not None:
        found += too_full(scenario)
    report["notes"] += absent_files(path)
    if not segments_inside(scenario.mission, scenario.arena):
        report["notes"].append(
            "no leg of the mission enters the obstacle area, so no obstacle there can matter"
        )
    return report | {
        "valid": not found,
        "violations": [violation.to_json() for violation in found],
        "scenario_id": scenario.id,
        "obstacles": len(scenario.obstacles),
        "obstacles_to_place": 0 if to_place is None else len(to_place.obstacles),
        "arena": scenario.arena.name,
    }


def load_arena(given: str) -> Arena:
    """A rule set by name or file."""
    from uav_testgen.core.config import load_config
    from uav_testgen.scenario.arena import Arena
    from uav_testgen.scenario.formats.missions import named_arena

    if Path(given).suffix in (".yaml", ".yml", ".json"):
        return load_config(Arena, Path(given))
    return named_arena(given)


def _what_is_in(report: dict[str, Any]) -> str:
    to_place = report["obstacles_to_place"]
    count = to_place or report["obstacles"]
    noun = "obstacle" if count == 1 else "obstacles"
    return f"logical scenario, {count} {noun} to be placed" if to_place else f"{count} {noun}"


def _print_report(report: dict[str, Any]) -> None:
    if not report["readable"]:
        complain(report["error"])
        return
    if report["error"] is not None:
        print(one_line(f"INVALID  {report['error']}"))
        return
    verdict = "valid  " if report["valid"] else "INVALID"
    print(one_line(f"{verdict}  {report['file']} ({_what_is_in(report)}, arena {report['arena']})"))
    for violation in report["violations"]:
        text = f"{violation['rule']}: {violation['message']}; {violation['way_out']}"
        print(f"         - {one_line(text)}")
    for note in report["notes"]:
        print(f"         note: {one_line(note)}")
