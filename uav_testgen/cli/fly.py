"""`uav-testgen fly`: predict (or fly) one scenario and judge it."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._forms import add_form_option, form_words
from uav_testgen.cli._interrupt import ended_like_interrupted
from uav_testgen.cli._live import add_live_options, live_settings, tell_left_armed
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._prediction import exit_code_of, print_prediction, summary_of
from uav_testgen.cli._requirements import add_requirement_option, checked_requirements, requirement_words
from uav_testgen.cli._system import add_system_options, system_settings
from uav_testgen.core.defaults import DEFAULT_BACKEND
from uav_testgen.core.plain_text import one_line

if TYPE_CHECKING:
    from uav_testgen.backend.base import Backend
    from uav_testgen.flight.model import Flight
    from uav_testgen.loop.scatter import ScatterConfig
    from uav_testgen.predict.prediction import Prediction
    from uav_testgen.scenario.formats.prediction_note import PredictionNote
    from uav_testgen.scenario.model import Scenario

_SAME_M = 1e-9
_STAGE = (
    "a logical scenario has no obstacles before an instance is drawn, so this is its mission alone; "
    "uav-testgen convert {path} instance.yaml --to instance draws one"
)


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "fly",
        help="predict one scenario: how close does the drone come, and how likely does it fail?",
        description="Fly a scenario (own YAML/JSON, Aerialist test, .plan, or a shipped scene by name): the nominal "
        "run, and runs drawn from the calibrated scatter. Prints the predicted distance, the failure probability and "
        "the verdict; writes the trajectory (CSV), the flight records (JSON) and, on request, a picture. A test found "
        "by a campaign is flown with the campaign's own seed and runs. Exit code 0: safe; 1: a requirement is "
        "violated or the mission incomplete; 3: it could not be flown.",
    )
    parser.add_argument(
        "scenario",
        type=Path,
        metavar="SCENARIO",
        help="scenario file or name of a shipped scene, e.g. two_walls",
    )
    parser.add_argument(
        "--backend",
        metavar="NAME",
        help="simulator or autopilot: lfs, graph, px4, aerialist, folder, command "
        f"(default: what predicted the test, else {DEFAULT_BACKEND})",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the runs (default: the test's own)")
    parser.add_argument(
        "--runs",
        type=int,
        metavar="N",
        help="runs drawn from the calibrated scatter, besides the nominal one (default: 5)",
    )
    parser.add_argument(
        "--undisturbed", action="store_true", help="fly only the nominal run, without scatter"
    )
    add_system_options(parser)
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="YAML file with settings of the backend"
    )
    add_requirement_option(parser)
    add_live_options(parser)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="output folder (default: results/fly/<scenario>)"
    )
    parser.add_argument("--plot", action="store_true", help="write a picture beside the trajectory")
    parser.add_argument(
        "--animation", type=Path, metavar="FILE", help="write the nominal run as an animation (.gif)"
    )
    add_form_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Fly, write, print."""
    from uav_testgen.backend.blind_spots import blind_spots
    from uav_testgen.backend.registry import make_backend
    from uav_testgen.core.errors import BackendError
    from uav_testgen.predict.runs import predict
    from uav_testgen.scenario.formats.absent_files import absent_files
    from uav_testgen.scenario.formats.prediction_note import load_note
    from uav_testgen.scenario.formats.scenes import find_scene, load_scene

    path = find_scene(str(arguments.scenario))
    scenario = load_scene(str(arguments.scenario))
    note = load_note(path)
    backend_name, settings = _backend(arguments, note)
    requirements = _requirements(arguments, note)
    seed, runs = _seed_and_runs(arguments, scenario, note, backend_name)
    if scenario.logical is not None and not scenario.obstacles:
        print(one_line(f"note: {_STAGE.format(path=path)}"), file=sys.stderr)
    for remark in (*absent_files(path), *blind_spots(backend_name, settings, scenario)):
        print(one_line(f"note: {remark}"), file=sys.stderr)
    folder = arguments.out or Path("results") / "fly" / path.stem
    backend = make_backend(backend_name, settings)
    if hasattr(backend, "logs_to"):
        backend.logs_to(folder)
    try:
        with ended_like_interrupted(), backend:
            scatter = _scatter(arguments, note, backend)
            runs = _checked_runs(arguments, backend, runs, scatter.varies)
            prediction = predict(backend, scenario, seed, runs, scatter=scatter, requirements=requirements)
            prediction = replace(prediction, chosen_by_search=note is not None)
    except (BackendError, KeyboardInterrupt):
        _keep(folder, path, getattr(backend, "kept", ()))
        raise
    files = _write(folder, path, prediction, arguments.plot)
    if arguments.animation is not None:
        files["animation"] = _animate(arguments.animation, prediction, path.stem)
    remark = _compared(prediction, note)
    if remark:
        print(one_line(f"note: {remark}"), file=sys.stderr)
    if arguments.json:
        print_json({**summary_of(prediction), **files})
    else:
        print_prediction(prediction, scenario.name or path.stem, files, _again(arguments, prediction))
    tell_left_armed([run.flight for run in prediction.flown])
    return exit_code_of(prediction)


def _backend(arguments: argparse.Namespace, note: PredictionNote | None) -> tuple[str, dict[str, Any]]:
    """Who flies: what was asked for, else what predicted the test, else the default."""
    from uav_testgen.backend.foreign_settings import check_foreign
    from uav_testgen.core.config import read_yaml
    from uav_testgen.core.errors import ConfigError

    asked = system_settings(arguments)
    noted = note is not None and not asked and arguments.settings is None
    name = arguments.backend or (note.backend if note is not None and noted else DEFAULT_BACKEND)
    settings = read_yaml(arguments.settings) if arguments.settings else {}
    if not isinstance(settings, dict):
        raise ConfigError(f"{arguments.settings}: a mapping of settings is expected")
    if note is not None and noted and name in (note.backend, "graph"):
        settings = dict(note.settings)
        way_out = "Choose the system yourself: --backend with --settings, --system, --vehicle or --planner"
        check_foreign(name, settings, f"{arguments.scenario}: prediction", way_out)
    settings |= asked
    settings |= live_settings(arguments, name)
    return name, settings


def _requirements(arguments: argparse.Namespace, note: PredictionNote | None) -> tuple[str, ...]:
    """What must hold: what was asked for, else what the campaign that wrote the test judged by."""
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.core.plugin import is_plugin
    from uav_testgen.oracle.requirement import make_requirements, split_text

    asked = checked_requirements(arguments)
    if asked or note is None:
        return asked
    for text in note.requirements:
        if is_plugin(split_text(text)[0]):
            raise ConfigError(
                f"{arguments.scenario}: prediction.requirements names the code '{text[:200]}', which is not loaded "
                "because a file says so. If you trust it, ask for it: --requirement "
                + shlex.quote(text[:200])
            )
        if text.startswith("own "):  # so campaigns in Python name objects
            raise ConfigError(
                f"{arguments.scenario}: prediction.requirements names '{text[:200]}', an object that only the Python "
                "process of the campaign had. Say what must hold: --requirement NAME or file.py:Class"
            )
    make_requirements(note.requirements)
    return tuple(note.requirements)


def _seed_and_runs(
    arguments: argparse.Namespace, scenario: Scenario, note: PredictionNote | None, backend: str
) -> tuple[int, int | None]:
    from uav_testgen.core.errors import ConfigError

    seed = arguments.seed
    if seed is None:
        seed = note.seed if note is not None else scenario.seed
    if seed < 0:
        raise ConfigError(f"--seed must be 0 or more, got {seed}")
    if arguments.runs is not None and arguments.runs < 1:
        raise ConfigError(
            f"--runs must be at least 1, got {arguments.runs}; --undisturbed flies the nominal run alone"
        )
    runs = arguments.runs
    if runs is None and note is not None and backend == note.backend:
        runs = note.runs
    return seed, runs


def _scatter(arguments: argparse.Namespace, note: PredictionNote | None, backend: Backend) -> ScatterConfig:
    """How runs differ: as the campaign that wrote the test wanted it, else as the system's preset says."""
    from uav_testgen.core.config import parse_config
    from uav_testgen.loop.scatter import ScatterConfig
    from uav_testgen.predict.runs import scatter_of

    if note is None or note.scatter is None or backend.name != note.backend or system_settings(arguments):
        return scatter_of(backend)
    return parse_config(ScatterConfig, note.scatter, source=f"{arguments.scenario}: prediction.scatter")


def _checked_runs(arguments: argparse.Namespace, backend: Backend, runs: int | None, varies: bool) -> int:
    """How many runs are drawn; refused where nothing would vary."""
    from uav_testgen.backend.base import SimulatingBackend
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.predict.runs import DEFAULT_RUNS

    if arguments.undisturbed:
        if (arguments.runs or 1) > 1:
            raise ConfigError(
                "--undisturbed: nothing varies, so more than one run is the same flight; drop --runs"
            )
        return 0
    if not backend.capabilities.deterministic:
        return (runs or 1) - 1  # its first flight counts as one of them
    # Another repeatable simulator may have differences of its own between seeds.
    if not varies and isinstance(backend, SimulatingBackend) and (arguments.runs or 1) > 1:
        raise ConfigError("--runs: this system has no scatter, so every run is the same flight")
    return DEFAULT_RUNS if runs is None and varies else (runs or 0)


def _keep(folder: Path, path: Path, flights: Sequence[Flight]) -> None:
    """What was flown before something broke it off is not lost."""
    from uav_testgen.flight.json_io import save_flights

    if flights:
        save_flights(folder / "flight.json", path.name, list(flights))
        print(one_line(f"uav-testgen: kept what was flown: {folder / 'flight.json'}"), file=sys.stderr)


def _write(folder: Path, path: Path, prediction: Prediction, plot: bool) -> dict[str, str]:
    from uav_testgen.core.files import write_text
    from uav_testgen.flight.json_io import save_flights, trajectory_to_csv

    runs = prediction.flown
    flights = [run.flight for run in runs]
    files = {"trajectory": folder / "trajectory.csv", "flights": folder / "flight.json"}
    write_text(files["trajectory"], trajectory_to_csv(flights[0].trajectory))
    save_flights(files["flights"], path.name, flights)
    if plot:
        from uav_testgen.view.plots import plot_flight

        files["plot"] = folder / "flight.png"
        verdicts = [run.verdict for run in runs]
        title = prediction.scenario.name or path.stem
        if prediction.distance_m is not None:
            title += (
                f": {prediction.evidence.value}, {prediction.distance_m:.2f} m, {prediction.counts_sentence}"
            )
        first = "First flight" if prediction.evidence.confirms else "Nominal run"
        sentence = f"{first}: {verdicts[0].sentence}"
        plot_flight(files["plot"], prediction.scenario, flights, verdicts, title, sentence)
    return {name: str(file) for name, file in files.items()}


def _animate(target: Path, prediction: Prediction, stem: str) -> str:
    from uav_testgen.view.scene_map import save_animation

    nominal = prediction.nominal
    title = prediction.scenario.name or stem
    save_animation(target, prediction.scenario, nominal.flight, nominal.verdict, title)
    return str(target)


def _again(arguments: argparse.Namespace, prediction: Prediction) -> str:
    """The command that gives this prediction again; a test's own note says the rest."""
    words = ["uav-testgen", "fly", str(arguments.scenario), "--seed", str(prediction.seed)]
    chosen = {"backend": arguments.backend, **system_settings(arguments), "settings": arguments.settings}
    words += [word for name, value in chosen.items() if value for word in (f"--{name}", str(value))]
    words += ["--profile", arguments.profile] if arguments.profile else []
    words += ["--sut", arguments.sut] if arguments.sut != "planner" else []
    words += [word for command in arguments.start or () for word in ("--start", command)]
    words += requirement_words(arguments)
    words += form_words(arguments)
    if arguments.runs:
        words += ["--runs", str(arguments.runs)]
    else:
        words += ["--runs", str(len(prediction.runs))] if prediction.runs else ["--undisturbed"]
    return shlex.join(words)


def _compared(prediction: Prediction, note: PredictionNote | None) -> str:
    """One line where the numbers of the file cannot be expected again, or are not met."""
    from uav_testgen import __version__

    if note is None or prediction.backend != note.backend or prediction.seed != note.seed:
        return ""
    if (note.system, note.preset_version) != (prediction.system, prediction.preset_version):
        before = f"system {note.system} (preset {note.preset_version})"
        return f"the test was predicted with {before}, this is {prediction.system} (preset {prediction.preset_version})"
    if note.version != __version__:
        return f"the test was predicted by version {note.version}, this is {__version__}: numbers may differ"
    if len(prediction.runs) != note.runs:
        return ""
    was, now = note.distance_m, prediction.distance_m
    if (was is None) != (now is None) or (was is not None and now is not None and abs(was - now) > _SAME_M):
        before, here = _metres(was), _metres(now)
        if before == here:  # by less than a centimetre: all digits
            before, here = f"{was} m", f"{now} m"
        return f"the file says {before}, this prediction {here}: the scene or the settings were changed"
    return ""


def _metres(distance_m: float | None) -> str:
    return "no distance" if distance_m is None else f"{distance_m:.2f} m"
