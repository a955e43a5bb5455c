"""`uav-testgen as-aerialist -- PROGRAM …`: run a program that uses Aerialist; its simulations are predicted."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._campaign import default_jobs, exit_code_of, print_summary, read_summary, whole_number
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.core.exit_codes import ExitCode

if TYPE_CHECKING:
    from uav_testgen.campaign.config import ConfirmationConfig
    from uav_testgen.scenario.arena import Arena
    from uav_testgen.standin.answers import Answers, Settings


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "as-aerialist",
        help="run a program that uses Aerialist; its simulations are predicted instead of flown in Gazebo",
        description="Start PROGRAM unchanged. Simulations it asks of Aerialist (local, docker or k8s agent) are "
        "answered with predicted flights and PX4 flight logs. Works with the Aerialist that is installed, and "
        "without one. At its end the scenes it tried are ranked and written as tests with a report.",
    )
    parser.add_argument(
        "program", nargs=argparse.REMAINDER, metavar="-- PROGRAM ...", help="the command to start"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("results/as-aerialist"),
        metavar="DIR",
        help="folder for answers, report and tests",
    )
    parser.add_argument(
        "--seed", type=lambda text: whole_number(text, 0, "the seed"), default=1, metavar="N",
        help="seed of the differences between repeated simulations (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--simulations", type=lambda text: whole_number(text, 1, "--simulations"), metavar="N",
        help="refuse further simulations after this many (default: no limit)",
    )  # fmt: skip
    parser.add_argument(
        "--arena",
        metavar="NAME|FILE",
        help="leave tests that break these rules out of the report, e.g. sbft2025 (default: keep all)",
    )
    parser.add_argument(
        "--system", metavar="NAME|FILE", help=f"the simulated system (default: {DEFAULT_SYSTEM})"
    )
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="YAML file with settings of the simulator"
    )
    parser.add_argument(
        "--package", choices=("auto", "own"), default="auto",
        help="auto: the installed Aerialist, or our own where there is none; own: never the installed one",
    )  # fmt: skip
    parser.add_argument(
        "--resume",
        action="store_true",
        help="the program was stopped: give it the same answers again, then go on",
    )
    parser.add_argument("--no-report", action="store_true", help="keep the answers only")
    parser.add_argument(
        "--evaluate-with",
        metavar="NAME",
        help="when the program has ended, fly the best tests for real with this backend (px4, aerialist, folder, "
        "command); later with --resume",
    )
    parser.add_argument(
        "--evaluation-settings", type=Path, metavar="FILE", help="YAML file with settings of that backend"
    )
    parser.add_argument(
        "--tests",
        type=lambda text: whole_number(text, 1, "--tests"),
        default=5,
        metavar="N",
        help="with --evaluate-with: how many of the best tests of each case study to fly",
    )
    parser.add_argument(
        "--jobs",
        type=lambda text: whole_number(text, 0, "--jobs"),
        metavar="N",
        help="worker processes for the report (default: all cores)",
    )
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the program, then report."""
    from uav_testgen.campaign.result import Options
    from uav_testgen.campaign.runner import republish
    from uav_testgen.cli._progress import make_progress
    from uav_testgen.cli.check import load_arena
    from uav_testgen.standin.answers import Answers
    from uav_testgen.standin.launch import run_program
    from uav_testgen.standin.report import report_case
    from uav_testgen.view.publish import publish
    from uav_testgen.work.stop import Interrupted, StopRequest

    words = arguments.program[1:] if arguments.program[:1] == ["--"] else arguments.program
    arena: Arena | None = load_arena(arguments.arena) if arguments.arena else None
    settings = _settings(arguments, words)
    evaluation = _evaluation(arguments)
    again = shlex.join(["uav-testgen", "as-aerialist", "--out", str(arguments.out), "--resume", "--", *words])
    farewell = f"interrupted; every answer so far is kept. Continue with: {again}"
    jobs = default_jobs() if arguments.jobs is None else arguments.jobs
    try:
        with StopRequest(farewell) as stop:
            with Answers(settings) as answers:
                code = run_program(words, answers, stop, arena=arena, package=arguments.package)
            if not arguments.json:
                _print_answers(answers)
            if not arguments.no_report:
                with make_progress() as observer:
                    for case in answers.cases.values():
                        report_case(case, jobs, arena is not None, observer, stop, publish)
                        if evaluation is not None:
                            options = Options(out=case.folder, resume=True, jobs=1)
                            republish(options, observer, stop, publish, confirmation=evaluation)
    except Interrupted:
        print(farewell, file=sys.stderr)
        return ExitCode.INTERRUPTED
    if arguments.json:
        print_json(_as_json(answers, code))
    elif not arguments.no_report:
        for case in answers.cases.values():
            print_summary(read_summary(case.folder), case.folder)
            if evaluation is None:
                print(f"fly the best in PX4 + Gazebo: uav-testgen confirm {case.folder} --backend aerialist")
    if code != 0:
        print(f"uav-testgen: the program ended with code {code}; continue with: {again}", file=sys.stderr)
        return ExitCode.UNFINISHED
    if evaluation is None:
        return ExitCode.DONE
    return max(
        (exit_code_of(read_summary(case.folder)) for case in answers.cases.values()), default=ExitCode.DONE
    )


def _settings(arguments: argparse.Namespace, words: list[str]) -> Settings:
    from uav_testgen.core.config import read_yaml
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.standin.answers import Settings

    chosen = read_yaml(arguments.settings) if arguments.settings else {}
    if not isinstance(chosen, dict):
        raise ConfigError(f"{arguments.settings}: a mapping of settings is expected")
    if arguments.system is not None:
        chosen["system"] = arguments.system
    return Settings(
        out=arguments.out.absolute(),
        command=tuple(words),
        seed=arguments.seed,
        backend_settings=chosen,
        most_simulations=arguments.simulations,
        resume=arguments.resume,
    )


def _evaluation(arguments: argparse.Namespace) -> ConfirmationConfig | None:
    """How the best are flown for real; None where nobody asked."""
    from uav_testgen.campaign.config import ConfirmationConfig
    from uav_testgen.cli._backend_settings import read_settings, told
    from uav_testgen.core.config import parse_config
    from uav_testgen.core.errors import ConfigError

    name = arguments.evaluate_with
    if name is None:
        if arguments.evaluation_settings is not None:
            raise ConfigError("--evaluation-settings goes with --evaluate-with NAME")
        return None
    if arguments.no_report:
        raise ConfigError("--evaluate-with flies the tests of the report; leave out --no-report")
    wish = {
        "backend": name,
        "settings": told(name, read_settings(arguments.evaluation_settings)),
        "tests": arguments.tests,
    }
    return parse_config(ConfirmationConfig, wish, source="options of as-aerialist")


def _as_json(answers: Answers, code: int) -> dict[str, Any]:
    return {
        "folder": str(answers.settings.out),
        "program_exit_code": code,
        "simulations": answers.simulations,
        "refused": answers.refused,
        "cases": [str(case.folder) for case in answers.cases.values()],
    }


def _print_answers(answers: Answers) -> None:
    if not answers.simulations:
        print(
            "the program asked for no simulation: does it use Aerialist's agents, and does its Python see PYTHONPATH?"
        )
        return
    scenes = sum(len(case.asked) for case in answers.cases.values())
    print(
        f"{answers.simulations} simulations of {scenes} scenes were answered; all in {answers.settings.out}"
    )
    if answers.refused:
        print(
            f"{answers.refused} more were refused: the budget of {answers.settings.most_simulations} was spent"
        )
