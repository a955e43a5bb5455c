"""`uav-testgen fleet`: run a fleet of drones on a grid of cells."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._streams import Terminal
from uav_testgen.core.errors import ConfigError, StoreError

if TYPE_CHECKING:
    from uav_testgen.fleet.engine import FleetSimulation, TickReport


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "fleet",
        help="simulate many drones on a grid of cells",
        description="Run a fleet scenario (JSON: environment, drones, controllers with tasks) tick by tick.",
    )
    parser.add_argument(
        "scenario",
        nargs="?",
        metavar="SCENARIO",
        help="scenario file or shipped name (default: list the shipped ones)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of radio loss and disturbances"
    )
    parser.add_argument(
        "--step", action="store_true", help="wait for Enter after every tick; 'pause' for commands"
    )
    parser.add_argument("--show", action="store_true", help="print the world after every tick")
    parser.add_argument("--live", action="store_true", help="show the world live in the terminal")
    parser.add_argument(
        "--messages", action="store_true", help="print the messages and actions of drones and controllers"
    )
    parser.add_argument("--readings", action="store_true", help="print what drones sense")
    parser.add_argument(
        "--fly",
        metavar="BACKEND",
        help="fly every finished task as a mission with this simulator (e.g. lfs) and adjust the trust in the drone",
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="write every tick to this JSON-lines file")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="write a map of the run (.png, .svg, .pdf)"
    )
    parser.add_argument("--animation", type=Path, metavar="FILE", help="write the run as an animation (.gif)")
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run to the end; 0 if every task was done, 1 if not."""
    from uav_testgen.fleet.engine import FleetSimulation
    from uav_testgen.fleet.library import find_scenario
    from uav_testgen.fleet.scenario import load_fleet_scenario

    if arguments.scenario is None:
        return _list_scenarios(as_json=arguments.json)
    _check_outputs(arguments)
    simulation = FleetSimulation(load_fleet_scenario(find_scenario(arguments.scenario)), seed=arguments.seed)
    with contextlib.ExitStack() as stack:
        watchers = _watchers(arguments, simulation, stack)
        for report in simulation.ticks():
            for watch in watchers:
                watch(simulation, report)
            if arguments.step and not _wait_for_person(simulation):
                break
    flights = _fly_tasks(simulation, arguments.fly) if arguments.fly else []
    summary = {**simulation.summary(), "flights": flights}
    if arguments.json:
        print_json(summary)
    else:
        _print_summary(summary)
    return 0 if summary["complete"] else 1


def _list_scenarios(*, as_json: bool) -> int:
    from uav_testgen.fleet.library import shipped_descriptions

    described = shipped_descriptions()
    if as_json:
        print_json(described)
        return 0
    print("Shipped scenarios, to be run with `uav-testgen fleet NAME`:")
    width = max(map(len, described), default=0)
    for name, description in described.items():
        print(f"  {name.ljust(width)}  {description}")
    return 0


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse before the run what could not be written after it."""
    for option, path, suffixes in (
        ("--picture", arguments.picture, (".png", ".svg", ".pdf")),
        ("--animation", arguments.animation, (".gif",)),
    ):
        if path is not None and path.suffix.lower() not in suffixes:
            endings, example = " or ".join(suffixes), f"{path.stem}{suffixes[0]}"
            raise ConfigError(f"{option} {path}: the name must end in {endings}, e.g. {example}")
        if path is not None and not path.absolute().parent.is_dir():
            raise StoreError(f"{option} {path}: there is no folder {path.parent}")


def _fly_tasks(simulation: FleetSimulation, backend_name: str) -> list[dict[str, Any]]:
    """Fly the route of every finished task among the blocked cells; verdicts change the drones' trust."""
    from uav_testgen.backend.registry import make_backend
    from uav_testgen.fleet.bridge import mission_scenario, trust_after_flight
    from uav_testgen.oracle.judging import judge

    flights = []
    with make_backend(backend_name) as backend:
        for controller in simulation.controllers:
            for score in controller.scores:
                view, task = controller.drones[score.drone_id], controller.records[score.task_id].task
                scenario = mission_scenario(simulation.world, view.spec, task)
                verdict = judge(scenario, backend.fly(scenario, simulation.seed))
                view.trust = trust_after_flight(view.trust, verdict)
                flights.append({"task": task.id, "drone": view.spec.id, **verdict.to_json()})
    return flights


def _watchers(
    arguments: argparse.Namespace, simulation: FleetSimulation, stack: contextlib.ExitStack
) -> list[Any]:
    watchers: list[Any] = []
    if arguments.log:
        watchers.append(_open_log(arguments.log, simulation, stack))
    if arguments.picture or arguments.animation:
        watchers.append(_recorder(arguments, simulation, stack))
    if arguments.json:
        return watchers
    if arguments.live:
        watchers.append(_live_view(stack))
    if arguments.messages or arguments.step:
        watchers.append(_message_printer(stack))
    elif arguments.readings:
        watchers.append(_print_readings)
    if (arguments.show or arguments.step) and not arguments.live:
        watchers.append(_print_world)
    watchers.append(_print_scores)
    return watchers


def _open_log(path: Path, simulation: FleetSimulation, stack: contextlib.ExitStack) -> Any:
    from uav_testgen.fleet.log import TickLog

    try:
        file = stack.enter_context(path.open("w", encoding="utf-8"))
    except OSError as error:
        raise StoreError(
            f"{path}: the log cannot be written ({error.strerror}); choose another place"
        ) from None
    log = TickLog(file)
    stack.callback(log.close, simulation)
    return log


def _recorder(arguments: argparse.Namespace, simulation: FleetSimulation, stack: contextlib.ExitStack) -> Any:
    from uav_testgen.fleet import pictures

    recorder = pictures.TrackRecorder(simulation)

    def write() -> None:
        for path, save in (
            (arguments.picture, pictures.save_picture),
            (arguments.animation, pictures.save_animation),
        ):
            if path:
                try:
                    save(simulation, recorder, path)
                except (OSError, ValueError) as error:
                    raise StoreError(
                        f"{path}: the picture cannot be written ({error}); choose another place"
                    ) from None

    stack.callback(write)
    return recorder


def _live_view(stack: contextlib.ExitStack) -> Any:
    import time

    from rich.console import Console
    from rich.live import Live
    from rich.panel import Panel

    from uav_testgen.fleet.commands import status
    from uav_testgen.fleet.display import picture

    console = Console(file=Terminal(sys.stdout))  # type: ignore[arg-type]
    live = stack.enter_context(Live(console=console, auto_refresh=False))

    def watch(simulation: FleetSimulation, report: TickReport) -> None:
        text = f"{picture(simulation)}\n\n{status(simulation)}"
        live.update(Panel(text, title=f"tick {report.tick}", expand=False), refresh=True)
        time.sleep(0.05)

    return watch


def _message_printer(stack: contextlib.ExitStack) -> Any:
    from uav_testgen.fleet.transcript import Transcript

    transcript = Transcript()

    def watch(_simulation: FleetSimulation, report: TickReport) -> None:
        for line in transcript.lines(report):
            print(line)

    stack.callback(lambda: [print(line) for line in transcript.rest()])
    return watch


def _print_readings(_simulation: FleetSimulation, report: TickReport) -> None:
    from uav_testgen.fleet.transcript import readings

    for line in readings(report):
        print(line)


def _print_world(simulation: FleetSimulation, report: TickReport) -> None:
    from uav_testgen.fleet.display import picture

    print(f"tick {report.tick}\n{picture(simulation)}")


def _print_scores(_simulation: FleetSimulation, report: TickReport) -> None:
    for score in report.scores:
        print(score)


def _wait_for_person(simulation: FleetSimulation) -> bool:
    """Enter goes on, 'pause' opens command mode; False ends the run."""
    from uav_testgen.fleet.commands import HELP, Answer, execute

    line = _read("[Enter] next tick, 'pause' for commands > ")
    if line is None or line.strip().lower() in ("quit", "exit"):
        return False
    if line.strip().lower() != "pause":
        return True
    print(HELP)
    while True:
        command = _read("command > ")
        if command is None:
            return False
        answer, text = execute(simulation, command)
        if text:
            print(text)
        if answer is not Answer.STAY:
            return answer is Answer.PLAY


def _read(prompt: str) -> str | None:
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


def _print_summary(summary: dict[str, Any]) -> None:
    done = sum(task["state"] == "done" for task in summary["tasks"])
    title = summary["name"] or "fleet"
    print(f"{title}: {summary['ticks']} ticks, {done} of {len(summary['tasks'])} tasks done")
    for task in summary["tasks"]:
        if task["state"] != "done":
            print(f"  task {task['task']}: {task['state']} ({task['message'] or 'not finished in time'})")
    for flight in summary["flights"]:
        print(f"  task {flight['task']} flown by drone {flight['drone']}: {flight['sentence']}")
    for drone in summary["drones"]:
        print(
            f"  drone {drone['id']}: trust {drone['trust']:.3f}, {drone['battery']:.0f} mAh, {drone['state']}"
        )
