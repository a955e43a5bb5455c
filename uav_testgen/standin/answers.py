"""Every simulation a program asks for: numbered, flown, logged, and kept so that the program can be started again.

Scenes are numbered in the order in which they are first asked for; the k-th simulation of a scene is its k-th drawn
run. So repeated simulations differ as real ones do, and a program that is started again gets the same answers.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.backend.registry import make_backend
from uav_testgen.campaign.case import CaseStudy, case_of_test
from uav_testgen.campaign.config import CampaignConfig, changed_fields
from uav_testgen.campaign.header import FINISHED, check_header
from uav_testgen.campaign.screening import evaluation_seed
from uav_testgen.core.errors import BackendError, StoreError, UavTestgenError
from uav_testgen.core.files import write_bytes
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.flight.ulog.flight_log import flight_log_bytes
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.draw import difference, draw_u
from uav_testgen.predict.runs import fly_run, scatter_of
from uav_testgen.scenario.model import Scenario, Wind
from uav_testgen.standin.as_logged import as_logged
from uav_testgen.standin.request import Request
from uav_testgen.work.folder import output_folder
from uav_testgen.work.store import FILE_NAME, Store, understood

KIND = "answer"
_PROGRAM = ("generator", "generator_settings")
LOGS = "logs"


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the answers."""

    out: Path
    command: tuple[str, ...]
    seed: int = 1
    backend: str = "lfs"
    backend_settings: Mapping[str, Any] = field(default_factory=dict)
    most_simulations: int | None = None
    resume: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """One simulation: where its log is, or why there is none."""

    scene: int
    run: int
    scenario_id: str
    log: Path | None
    message: str
    unfinished: bool
    """Nothing but a time limit would have ended it, and there was none."""
    distance_m: float | None
    duration_s: float
    ending: str

    def to_body(self, folder: Path, scenario: Scenario, timeout_s: float | None) -> dict[str, Any]:
        """Plain data for the store."""
        return {
            "scene": self.scene,
            "run": self.run,
            "scenario_id": self.scenario_id,
            "scenario": scenario.model_dump(mode="json", exclude_defaults=True),
            "timeout_s": timeout_s,
            "log": None if self.log is None else str(self.log.relative_to(folder)),
            "message": self.message,
            "unfinished": self.unfinished,
            "distance_m": self.distance_m,
            "duration_s": self.duration_s,
            "ending": self.ending,
        }

    @classmethod
    def from_body(cls, folder: Path, body: Mapping[str, Any]) -> Answer:
        """Inverse of `to_body`."""
        return cls(
            scene=int(body["scene"]),
            run=int(body["run"]),
            scenario_id=str(body["scenario_id"]),
            log=None if body["log"] is None else folder / LOGS / Path(str(body["log"])).name,
            message=str(body["message"]),
            unfinished=bool(body["unfinished"]),
            distance_m=body["distance_m"],
            duration_s=float(body["duration_s"]),
            ending=str(body["ending"]),
        )


@dataclass
class Case:
    """The scenes of one mission, in a campaign folder of their own."""

    folder: Path
    config: CampaignConfig
    study: CaseStudy
    store: Store
    scenes: dict[str, int] = field(default_factory=dict)
    scenarios: dict[int, Scenario] = field(default_factory=dict)
    known: dict[tuple[int, int, float | None], Answer] = field(default_factory=dict)
    asked: dict[int, int] = field(default_factory=dict)
    finished: bool = False


class Answers:
    """Answers simulations; may be asked from several threads."""

    def __init__(self, settings: Settings, backend: Backend | None = None) -> None:
        """`backend`: an entered one that belongs to the caller; otherwise one is made from the settings."""
        self.settings = settings
        self.cases: dict[str, Case] = {}
        self.simulations = 0
        self.refused = 0
        self._own = backend is None
        self._backend: Backend = backend or make_backend(settings.backend, dict(settings.backend_settings))
        self.given: list[tuple[Case, Answer]] = []
        """Every answer of this session in order."""
        self._lock = threading.Lock()
        self._stack = ExitStack()
        out = settings.out
        if not settings.resume and out.is_dir() and any(out.iterdir()):
            raise StoreError(
                f"{out}: the output folder is not empty; continue with --resume, choose another --out or empty it"
            )

    def __enter__(self) -> Answers:
        if self.settings.resume:
            check_earlier(self.settings)
        try:  # before the program has worked for hours
            self.settings.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{self.settings.out}: the output folder cannot be made ({error.strerror}); choose another with --out"
            ) from None
        if self._own:
            self._stack.enter_context(self._backend)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def fly(self, request: Request) -> Answer:
        """One more simulation of a scene; trouble becomes a message."""
        with self._lock:
            most = self.settings.most_simulations
            if most is not None and self.simulations >= most:
                self.refused += 1
                raise BackendError(f"the budget of {most} simulations is spent")
            self.simulations += 1
            case = self._case(request)
            number = case.scenes.setdefault(request.scenario.id, len(case.scenes))
            case.scenarios[number] = request.scenario
            run = case.asked[number] = case.asked.get(number, 0) + 1
            stored = case.known.get((number, run, request.timeout_s))
        if stored is not None and (stored.log is None or stored.log.is_file()):
            answer = stored
        else:
            answer = self._flown(case, request, number, run)
            with self._lock:
                case.store.append([(KIND, answer.to_body(case.folder, request.scenario, request.timeout_s))])
        with self._lock:
            self.given.append((case, answer))
        return answer

    def _flown(self, case: Case, request: Request, number: int, run: int) -> Answer:
        scenario = request.scenario
        seed = evaluation_seed(self.settings.seed, number)
        try:
            flight, _ = fly_run(self._backend, scenario, seed, run)
        except UavTestgenError as error:
            return self._unflown(scenario, number, run, str(error))
        if len(flight.trajectory) < 2 or flight.ending in (Ending.ABORTED, Ending.PLANNER_ERROR):
            # The real simulation never gets a vehicle off the ground here, so it leaves no usable log.
            return self._unflown(scenario, number, run, flight.reason)
        logged = as_logged(flight, request.timeout_s)
        scatter = scatter_of(self._backend)
        drawn = difference(scatter, draw_u(seed, run))
        data = flight_log_bytes(
            scenario,
            logged.flight,
            parameters=request.parameters,
            home=request.home,
            true_offset_enu_m=(-drawn.shift_east_m, -drawn.shift_north_m),
        )
        log = case.folder / LOGS / f"{number:06d}-{scenario.id}-{run:03d}.ulg"
        write_bytes(log, data)
        return self._answer(scenario, logged.flight, number, run, log, logged.unfinished)

    @staticmethod
    def _answer(
        scenario: Scenario, flight: Flight, number: int, run: int, log: Path, unfinished: bool
    ) -> Answer:
        verdict = judge(scenario, flight)
        return Answer(
            scene=number,
            run=run,
            scenario_id=scenario.id,
            log=log,
            message=verdict.sentence,
            unfinished=unfinished,
            distance_m=verdict.min_distance_aerialist_m,
            duration_s=round(flight.duration_s, 3),
            ending=flight.ending.value,
        )

    @staticmethod
    def _unflown(scenario: Scenario, number: int, run: int, why: str) -> Answer:
        return Answer(number, run, scenario.id, None, why, False, None, 0.0, "none")

    def _case(self, request: Request) -> Case:
        name = request.scenario.mission.name
        base = request.scenario.model_copy(
            update={"obstacles": (), "wind": Wind(), "parameters": {}, "name": name}
        )
        if base.id not in self.cases:
            self.cases[base.id] = self._open_case(request, base)
        return self.cases[base.id]

    def _open_case(self, request: Request, base: Scenario) -> Case:
        study = case_of_test(request.test, base)
        name = study.plan_name.removesuffix(".plan") or "case"
        taken = {case.folder.name for case in self.cases.values()}
        choices = (name if k == 1 else f"{name}-{k}" for k in range(1, len(taken) + 2))
        folder = self.settings.out / next(choice for choice in choices if choice not in taken)
        self._stack.enter_context(output_folder(folder, resume=self.settings.resume))
        store = self._stack.enter_context(Store(folder))
        records = store.open()
        config = campaign_config(self.settings, folder.name)
        if records:  # the program may have been given other words since; the report names the first ones
            with understood(store.path, "the first record"):
                config = CampaignConfig.model_validate(records[0].body["config"])
        check_header(config, study, records, store)
        case = Case(folder, config, study, store)
        study.write_files(folder)
        for record in records:
            case.finished = case.finished or record.kind == FINISHED
            if record.kind == KIND:
                _remember(case, record.body)
        return case

    def close(self) -> None:
        """Let go of the folders, so that reports can be written into them."""
        self._stack.close()


def _remember(case: Case, body: Mapping[str, Any]) -> None:
    with understood(case.store.path, "an answer"):
        answer = Answer.from_body(case.folder, body)
        case.scenes[answer.scenario_id] = answer.scene
        case.scenarios[answer.scene] = Scenario.model_validate(body["scenario"])
        case.known[(answer.scene, answer.run, body["timeout_s"])] = answer


def campaign_config(settings: Settings, name: str) -> CampaignConfig:
    """The settings under which reports show what a program found."""
    words = " ".join(settings.command)
    return CampaignConfig.model_validate(
        {
            "name": name[:100],
            "case": name,
            "generator": words[:100],
            "generator_settings": {"command": list(settings.command)},
            "seed": settings.seed,
            "screening": {"backend": settings.backend, "settings": dict(settings.backend_settings)},
        }
    )


def check_earlier(settings: Settings) -> None:
    """StoreError where the answers of an earlier session were given under other settings."""
    for path in sorted(settings.out.glob(f"*/{FILE_NAME}")):
        with Store(path.parent) as store:
            first = next(store.read(), None)
        if first is None:
            continue
        with understood(path, "the first record"):
            current = campaign_config(settings, path.parent.name).model_dump(mode="json")
            stored = {**first.body["config"], **{key: current[key] for key in _PROGRAM}}
            changes = changed_fields(stored, current)
        if changes:
            raise StoreError(
                f"{path.parent}: the answers here were given under other settings ({'; '.join(changes[:5])}); resume "
                "with the settings they have, or choose another --out"
            )
