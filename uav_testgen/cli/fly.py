"""`uav-testgen fly`: fly one scenario and judge it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._interrupt import ended_like_interrupted
from uav_testgen.cli._output import add_json_option, print_json

if TYPE_CHECKING:
    from uav_testgen.flight.model import Flight
    from uav_testgen.oracle.model import Verdict
    from uav_testgen.oracle.nondeterminism import Repeatability
    from uav_testgen.scenario.model import Scenario


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "fly",
        help="fly one scenario and judge how safe it was",
        description="Fly a scenario (own YAML/JSON, Aerialist test or .plan), print the verdict and write "
        "the trajectory (CSV), the flight record (JSON) and, on request, a picture.",
    )
    parser.add_argument("scenario", type=Path, help="scenario file, e.g. config/scenarios/two_walls.yaml")
    parser.add_argument(
        "--backend", default="lfs", help="who flies: lfs (default), graph, px4, aerialist ..."
    )
    parser.add_argument("--vehicle", help="vehicle model of the simulator: paper or px4")
    parser.add_argument("--seed", type=int, help="seed of noise and perturbations (default: the scenario's)")
    parser.add_argument("--runs", type=int, default=1, help="flights with seeds of their own (default 1)")
    parser.add_argument("--settings", type=Path, help="YAML file with settings of the backend")
    parser.add_argument(
        "--start",
        action="append",
        metavar="COMMAND",
        help="with --backend px4: program to start before and to stop after the flight; may be repeated",
    )
    parser.add_argument("--out", type=Path, help="output folder (default results/fly/<scenario>)")
    parser.add_argument("--plot", action="store_true", help="write a picture beside the trajectory")
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Fly, write, print."""
    from uav_testgen.backend.blind_spots import blind_spots
    from uav_testgen.backend.registry import make_backend
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.oracle.judge import judge
    from uav_testgen.scenario.formats.scenario_file import load_scenario

    if arguments.runs < 1:
        raise ConfigError(f"--runs must be at least 1, got {arguments.runs}")
    scenario = load_scenario(arguments.scenario)
    first_seed = scenario.seed if arguments.seed is None else arguments.seed
    if first_seed < 0:
        raise ConfigError(f"--seed must be 0 or more, got {first_seed}")
    settings = _settings(arguments)
    for spot in blind_spots(arguments.backend, settings, scenario):
        print(f"note: {spot}", file=sys.stderr)
    with ended_like_interrupted(), make_backend(arguments.backend, settings) as backend:
        flights = [backend.fly(scenario, seed) for seed in _seeds(first_seed, arguments.runs)]
        prediction = backend.capabilities.prediction
    verdicts = [judge(scenario, flight) for flight in flights]
    folder = arguments.out or Path("results") / "fly" / arguments.scenario.stem
    files = _write(folder, arguments, scenario, flights, verdicts)
    if arguments.json:
        print_json(_summary(scenario, flights, verdicts, files, prediction))
    else:
        _print(scenario, flights, verdicts, files, prediction)
    return 0


def _settings(arguments: argparse.Namespace) -> dict[str, Any]:
    from uav_testgen.core.config import read_yaml
    from uav_testgen.core.errors import ConfigError

    settings = read_yaml(arguments.settings) if arguments.settings else {}
    if not isinstance(settings, dict):
        raise ConfigError(f"{arguments.settings}: a mapping of settings is expected")
    if arguments.vehicle is not None:
        settings["vehicle"] = arguments.vehicle
    if arguments.start:
        if arguments.backend != "px4":
            raise ConfigError(f"--start goes with --backend px4, not with '{arguments.backend}'")
        settings["start_commands"] = arguments.start
    return settings


def _seeds(first: int, count: int) -> list[int]:
    """The first run has the seed itself, so that `--runs 1` and the first of many are the same flight."""
    from uav_testgen.core.rng import derive_seed

    return [first, *(derive_seed(first, "run", number) for number in range(1, count))]


def _write(
    folder: Path,
    arguments: argparse.Namespace,
    scenario: Scenario,
    flights: Sequence[Flight],
    verdicts: Sequence[Verdict],
) -> dict[str, str]:
    from uav_testgen.core.files import write_text
    from uav_testgen.flight.json_io import save_flights, trajectory_to_csv

    files = {"trajectory": folder / "trajectory.csv", "flights": folder / "flight.json"}
    write_text(files["trajectory"], trajectory_to_csv(flights[0].trajectory))
    save_flights(files["flights"], arguments.scenario.name, flights)
    if arguments.plot:
        from uav_testgen.view.plots import plot_flight

        files["plot"] = folder / "flight.png"
        plot_flight(
            files["plot"], scenario, flights, verdicts, title=f"{scenario.name}: {verdicts[0].sentence}"
        )
    return {name: str(path) for name, path in files.items()}


def _safety(scenario: Scenario, verdict: Verdict) -> dict[str, float | None]:
    """The distance a logical scenario wants kept, and what was left of it; empty for any other scenario."""
    from uav_testgen.oracle.margin import safety_margin_m

    if scenario.logical is None:
        return {}
    required_m = scenario.logical.safety_distance_m
    return {"safety_distance_m": required_m, "safety_margin_m": safety_margin_m(verdict, required_m)}


def _spread(flights: Sequence[Flight], verdicts: Sequence[Verdict]) -> Repeatability | None:
    """How repeatable the test is; None for a single run."""
    from uav_testgen.oracle.nondeterminism import repeatability

    if len(flights) < 2:
        return None
    return repeatability(verdicts, [flight.trajectory for flight in flights])


def _summary(
    scenario: Scenario,
    flights: Sequence[Flight],
    verdicts: Sequence[Verdict],
    files: dict[str, str],
    prediction: bool,
) -> dict[str, Any]:
    from uav_testgen import __version__

    spread = _spread(flights, verdicts)
    return {
        **verdicts[0].to_json(),
        **files,
        **_safety(scenario, verdicts[0]),
        "scenario_id": scenario.id,
        "backend": flights[0].backend,
        "vehicle": flights[0].vehicle,
        "prediction": prediction,
        "seed": flights[0].seed,
        "reason": flights[0].reason,
        "details": flights[0].details,
        "failure_share": sum(verdict.failed for verdict in verdicts) / len(verdicts),
        "repeatability": spread.to_json() if spread is not None else None,
        "runs": [
            {"seed": flight.seed, **verdict.to_json()}
            for flight, verdict in zip(flights, verdicts, strict=True)
        ],
        "version": __version__,
    }


def _print(
    scenario: Scenario,
    flights: Sequence[Flight],
    verdicts: Sequence[Verdict],
    files: dict[str, str],
    prediction: bool,
) -> None:
    flight, verdict = flights[0], verdicts[0]
    said = "predicted" if prediction else "flown"
    by = f"{flight.backend}, vehicle {flight.vehicle}, seed {flight.seed}"
    print(f"{scenario.name} ({scenario.id}), {said} by {by}")
    print(f"  {verdict.outcome.value}: {verdict.sentence}")
    print(f"  ending: {verdict.ending.value} after {verdict.duration_s:.1f} s ({flight.reason})")
    if verdict.min_distance_m is not None:
        aerialist = (
            f"{verdict.min_distance_aerialist_m:.3f} m"
            if verdict.min_distance_aerialist_m is not None
            else "-"
        )
        print(f"  distance: {verdict.min_distance_m:.3f} m (3-D), {aerialist} (Aerialist)")
    safety = _safety(scenario, verdict)
    if safety and safety["safety_margin_m"] is not None:
        margin_m = safety["safety_margin_m"]
        kept = f"kept, {margin_m:.3f} m left" if margin_m >= 0.0 else f"violated by {-margin_m:.3f} m"
        print(f"  safety distance of the logical scenario, {safety['safety_distance_m']:g} m: {kept}")
    spread = _spread(flights, verdicts)
    if spread is not None:
        print(f"  repeated: {spread.sentence}")
    if "px4_version" in flight.details:
        versions = f"PX4 {flight.details['px4_version']}, px4_msgs {flight.details['px4_msgs_version']}"
        print(f"  autopilot: {versions}, real-time factor {flight.details['real_time_factor']}")
    for name, path in files.items():
        print(f"  {name}: {path}")
