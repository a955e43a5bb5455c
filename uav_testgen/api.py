"""The handful of functions for scripts and notebooks: load a scene, predict it, search for worse ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from uav_testgen.backend.lfs import LfsBackend, LfsConfig
from uav_testgen.backend.registry import BACKENDS, make_backend
from uav_testgen.campaign.observe import Observer, Silent
from uav_testgen.core.config import parse_config
from uav_testgen.core.defaults import DEFAULT_BACKEND
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.plugin import is_plugin, name_of, place_of
from uav_testgen.flight.model import Flight
from uav_testgen.loop.own_vehicle import hand_over
from uav_testgen.loop.system import System
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.judging import judge as _judge
from uav_testgen.oracle.model import Verdict
from uav_testgen.oracle.requirement import make_requirements, names_of
from uav_testgen.predict.prediction import Prediction
from uav_testgen.predict.runs import DEFAULT_RUNS
from uav_testgen.predict.runs import predict as _predict
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats import scenario_file
from uav_testgen.scenario.formats.missions import mission_names
from uav_testgen.scenario.formats.prediction_note import load_note
from uav_testgen.scenario.formats.scenes import find_scene, load_scene, scene_names
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.campaign_results import CampaignResults
from uav_testgen.work.stop import StopRequest

if TYPE_CHECKING:
    from uav_testgen.assurance.certificate import Certificate
    from uav_testgen.assurance.explanation import Explanation
    from uav_testgen.assurance.minimal import Minimised


def load_scenario(path: str | Path, arena: Arena | None = None) -> Scenario:
    """A scenario from uav_testgen YAML/JSON, an Aerialist test, a bare mission (.plan), or a shipped scene by name."""
    return scenario_file.load_scenario(find_scene(str(path)), arena)


def predict(
    scenario: Scenario | str | Path,
    *,
    runs: int = DEFAULT_RUNS,
    seed: int | None = None,
    system: str | System | None = None,
    planner: Any = None,
    backend: Any = DEFAULT_BACKEND,
    vehicle: Any = None,
    settings: Mapping[str, Any] | None = None,
    oracle: OracleConfig | None = None,
    requirements: Any = (),
) -> Prediction:
    """How close does the drone come, and how likely does the test fail?

    `scenario` may be a file or the name of a shipped scene; `system` a preset, a file or a `System`; `planner` a
    name, `file.py:Class`, a class or an object, as are `backend` and `vehicle`. `requirements` say what
    must hold, each a name with arguments, a class or an object; without any the safe distance decides. `seed`
    defaults to the scenario's own.

        predict("two_walls").failure_probability
        predict("two_walls", requirements=["max_altitude(limit_m=12)", Mine()]).margin
    """
    chosen = _scene(scenario)
    names, _ = names_of(requirements)
    with _backend(backend, system, planner, vehicle, settings) as flown_by:
        own_seed = chosen.seed if seed is None else seed
        found = _predict(flown_by, chosen, own_seed, runs, oracle, requirements=names)
    return replace(found, chosen_by_search=_is_of_a_search(scenario))


@overload
def fly(
    scenario: Scenario | str | Path,
    *,
    seed: int | None = None,
    system: str | System | None = None,
    planner: Any = None,
    backend: Any = DEFAULT_BACKEND,
    vehicle: Any = None,
    settings: Mapping[str, Any] | None = None,
    oracle: OracleConfig | None = None,
    requirements: Any = (),
    runs: None = None,
) -> tuple[Flight, Verdict]: ...


@overload
def fly(
    scenario: Scenario | str | Path,
    *,
    seed: int | None = None,
    system: str | System | None = None,
    planner: Any = None,
    backend: Any = DEFAULT_BACKEND,
    vehicle: Any = None,
    settings: Mapping[str, Any] | None = None,
    oracle: OracleConfig | None = None,
    requirements: Any = (),
    runs: int,
) -> list[tuple[Flight, Verdict]]: ...


def fly(
    scenario: Scenario | str | Path,
    *,
    seed: int | None = None,
    system: str | System | None = None,
    planner: Any = None,
    backend: Any = DEFAULT_BACKEND,
    vehicle: Any = None,
    settings: Mapping[str, Any] | None = None,
    oracle: OracleConfig | None = None,
    requirements: Any = (),
    runs: int | None = None,
) -> tuple[Flight, Verdict] | list[tuple[Flight, Verdict]]:
    """Fly a scenario once, as it is, and judge it: the nominal run of `predict`.

    With `runs`, a list: the nominal run and so many drawn ones.

        flight, verdict = fly("two_walls")
    """
    found = predict(
        scenario,
        runs=runs or 0,
        seed=seed,
        system=system,
        planner=planner,
        backend=backend,
        vehicle=vehicle,
        settings=settings,
        oracle=oracle,
        requirements=requirements,
    )
    pairs = [(run.flight, run.verdict) for run in found.flown]
    return pairs[0] if runs is None else pairs


def _backend(
    given: Any, system: str | System | None, planner: Any, vehicle: Any, settings: Mapping[str, Any] | None
) -> Any:
    chosen: dict[str, Any] = dict(settings or {})
    if system is not None:
        chosen["system"] = system
    if vehicle is not None:
        chosen["vehicle"], loadable = _vehicle_name(vehicle)
        _check_here(loadable, given, planner)
    if not isinstance(given, str):
        if chosen or planner is not None:
            raise ConfigError(
                "a backend object is flown as it is: give it its system, planner and settings itself"
            )
        return given() if isinstance(given, type) else given
    if planner is None or isinstance(planner, str):
        return make_backend(given, chosen if planner is None else {**chosen, "planner": planner})
    if given != DEFAULT_BACKEND:
        raise ConfigError(f"a planner object flies in this process; backend '{given}' takes a name")
    return LfsBackend(parse_config(LfsConfig, chosen, source="settings"), planner=planner)


def _vehicle_name(vehicle: Any) -> tuple[str, bool]:
    """The name under which settings carry a vehicle, and whether other processes can load it by that name."""
    if isinstance(vehicle, str):
        return vehicle, True
    place = place_of(vehicle) if isinstance(vehicle, type) else None
    return (hand_over(vehicle), False) if place is None else (f"{place}:{vehicle.__qualname__}", True)


def _check_here(loadable: bool, backend: Any, planner: Any) -> None:
    """ConfigError where a vehicle that only this process knows would have to fly in another one."""
    elsewhere = backend != DEFAULT_BACKEND or (isinstance(planner, str) and is_plugin(planner))
    if not loadable and elsewhere:
        raise ConfigError(
            "a vehicle object flies in this process; with another backend, or a planner that is loaded from a file, "
            "give it as file.py:Class"
        )


def campaign(
    case: str | Path,
    *,
    generator: Any = "prgen",
    generator_settings: Mapping[str, Any] | None = None,
    planner: Any = None,
    system: str | System | None = None,
    budget: int = 100,
    runs: int = DEFAULT_RUNS,
    seed: int = 1,
    arena: str | Arena | None = None,
    requirements: Any = (),
    backend: Any = DEFAULT_BACKEND,
    vehicle: Any = None,
    settings: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
    observer: Observer | None = None,
) -> CampaignResults:
    """Search a mission for failing tests; the same campaign as `uav-testgen campaign`, in the same kind of folder.

    `case` is a shipped mission, a plan or an Aerialist test. `generator`, `planner`, `backend`, `vehicle` and each of
    the `requirements` are a name, `file.py:Class`, a class or an object; `settings` are those of the backend. Called
    again with the same settings it resumes, or returns what it found.

        campaign("mission2", budget=100).best.scenario
    """
    from uav_testgen.campaign.case import load_case
    from uav_testgen.campaign.config import CampaignConfig
    from uav_testgen.campaign.generate import default_folder
    from uav_testgen.campaign.result import Options
    from uav_testgen.campaign.runner import run_campaign
    from uav_testgen.core.processors import available_cores
    from uav_testgen.generator.registry import GENERATORS, starts_from_a_test
    from uav_testgen.planner.registry import PLANNERS
    from uav_testgen.view.publish import publish

    proposer, _ = name_of(GENERATORS, generator)
    chosen: dict[str, Any] = dict(settings or {})
    everywhere = True
    if planner is not None:
        chosen["planner"], everywhere = name_of(PLANNERS, planner)
    if vehicle is not None:
        chosen["vehicle"], loadable = _vehicle_name(vehicle)
        _check_here(loadable, backend, chosen.get("planner"))
        everywhere = everywhere and loadable
    flown_by, here = name_of(BACKENDS, backend)
    everywhere = everywhere and here
    required, loadable = names_of(requirements)
    everywhere = everywhere and loadable
    if system is not None:
        chosen["system"] = system.model_dump(mode="json") if isinstance(system, System) else system
    stated = {
        "name": Path(case).stem,
        "case": str(case),
        "generator": proposer,
        "generator_settings": dict(generator_settings or {}),
        "seed": seed,
        "budget": {"simulations": budget},
        "screening": {"backend": flown_by, "settings": chosen, "repeats": runs},
        "requirements": list(required),
        **({"arena": arena} if arena is not None else {}),
    }
    config = parse_config(CampaignConfig, stated, source="campaign()")
    study = load_case(config.case, Path(), config.arena, keep_obstacles=starts_from_a_test(proposer))
    folder = Path(out) if out is not None else default_folder(study, proposer, seed)
    # A class that only this process knows, typed into a notebook for example, flies in this process.
    workers = 0 if not everywhere else available_cores() if jobs is None else jobs
    options = Options(out=folder, resume=True, jobs=workers)
    with StopRequest("interrupted; call campaign() again with the same settings to go on") as stop:
        run_campaign(config, study, options, observer or Silent(), stop, publish)
    return CampaignResults(folder)


def certify(
    scenario: Scenario | str | Path,
    require: str | None = None,
    *,
    within_m: float = 0.0,
    turn_deg: float = 0.0,
    generator: str | None = None,
    method: str = "auto",
    flights: int = 2000,
    confidence: float = 0.95,
    seed: int | None = None,
    system: str | System | None = None,
    jobs: int = 0,
    out: str | Path | None = None,
    picture: str | Path | None = None,
) -> Certificate:
    """With which probability does a requirement (a formula, or the safety distance) fail, and how sure is that?

    With `out` every flight is kept there, and the same call goes on where it was interrupted. `picture`: a file for
    the picture.

        certify("two_walls", "always (clearance > 1 m)").simulated
    """
    from uav_testgen.assurance.study import Study, run_study

    chosen = _scene(scenario)
    study = Study(
        chosen, require, within_m, turn_deg, generator, method, flights, confidence,  # type: ignore[arg-type]
        chosen.seed if seed is None else seed, _system_settings(system),
    )  # fmt: skip
    found = run_study(study, jobs=jobs, out=Path(out) if out is not None else None)
    if picture is not None:
        from uav_testgen.view.certificate import plot_certificate

        plot_certificate(Path(picture), found)
    return found


def minimise(
    scenario: Scenario | str | Path,
    require: str | None = None,
    *,
    runs: int = 3,
    flights: int = 600,
    seed: int | None = None,
    system: str | System | None = None,
    picture: str | Path | None = None,
) -> Minimised:
    """The simplest scene that still fails: fewer, smaller, aligned obstacles with round numbers.

    `picture`: a PNG of the scene as given and the simplest.

    minimise("failing.yaml").scenario
    """
    from uav_testgen.assurance.failing import Trials
    from uav_testgen.assurance.minimal import minimise as shrink
    from uav_testgen.assurance.minimal import nominal_flights
    from uav_testgen.assurance.question import Question

    chosen = _scene(scenario)
    with _backend(DEFAULT_BACKEND, system, None, None, None) as flown_by:
        asked = Question(require), chosen.seed if seed is None else seed
        trials = Trials(flown_by, *asked, runs, budget=flights)
        found = shrink(chosen, trials)
        if picture is not None:
            from uav_testgen.view.simplest import plot_minimised

            plot_minimised(Path(picture), found, nominal_flights(found, trials))
    return found


def explain(
    scenario: Scenario | str | Path,
    require: str | None = None,
    *,
    runs: int = 3,
    flights: int = 600,
    seed: int | None = None,
    system: str | System | None = None,
    picture: str | Path | None = None,
) -> Explanation:
    """Why a test fails: the moment, the mechanism, which obstacles matter, the smallest changes that make it safe.

    `picture`: a PNG of the flight past the obstacle, what the camera looked at, and what would have saved it.

    explain("failing.yaml").mechanism
    """
    from uav_testgen.assurance.explanation import explain as tell
    from uav_testgen.assurance.failing import Trials
    from uav_testgen.assurance.question import Question

    chosen = _scene(scenario)
    with _backend(DEFAULT_BACKEND, system, None, None, None) as flown_by:
        asked = Question(require), chosen.seed if seed is None else seed
        found = tell(chosen, Trials(flown_by, *asked, runs, budget=flights))
    if picture is not None:
        from uav_testgen.view.explained import plot_explanation

        plot_explanation(Path(picture), found)
    return found


def _system_settings(system: str | System | None) -> dict[str, Any]:
    if system is None:
        return {}
    return {"system": system.model_dump(mode="json") if isinstance(system, System) else system}


def check(scenario: Scenario | str | Path) -> list[str]:
    """What is wrong with a scenario by the rules of its arena, a sentence each; empty if it may be flown."""
    from uav_testgen.scenario.feasibility import problems

    return [str(violation) for violation in problems(_scene(scenario))]


def judge(
    scenario: Scenario | str | Path,
    flight: Flight,
    oracle: OracleConfig | None = None,
    requirements: Any = (),
) -> Verdict:
    """How safe was a flight? By the requirements that are given; without any, by the distance it kept."""
    names, _ = names_of(requirements)
    return _judge(_scene(scenario), flight, oracle, make_requirements(names))


def save(scenario: Scenario, path: str | Path) -> Path:
    """Write a scenario (YAML or JSON, by the ending); returns the path."""
    scenario_file.save_scenario(Path(path), scenario)
    return Path(path)


def missions() -> list[str]:
    """Names of the shipped missions."""
    return mission_names()


def scenes() -> list[str]:
    """Names of the shipped scenes."""
    return scene_names()


def plot(
    scenario: Scenario | str | Path, flight: Flight, verdict: Verdict, path: str | Path | None = None
) -> Any:
    """A figure of the flight: coordinates over time, the map with the closest approach; also a PNG at `path`."""
    from uav_testgen.view.plots import flight_figure, plot_flight

    scene = _scene(scenario)
    title = scene.name or f"scenario {scene.id}"
    if path is not None:
        plot_flight(Path(path), scene, [flight], [verdict], title=title)
    return flight_figure(scene, [flight], [verdict], title=title)


def _is_of_a_search(given: Scenario | str | Path) -> bool:
    """Does the file say that a search found this test?"""
    return not isinstance(given, Scenario) and load_note(find_scene(str(given))) is not None


def _scene(given: Scenario | str | Path) -> Scenario:
    return given if isinstance(given, Scenario) else load_scene(str(given))
