"""What a program found, as the report of a campaign: scenes predicted, ranked, written as tests, ready to confirm."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from uav_testgen.campaign.header import FINISHED
from uav_testgen.campaign.observe import Observer
from uav_testgen.campaign.record import evaluation_to_body
from uav_testgen.campaign.result import CampaignResult, Options
from uav_testgen.campaign.runner import Publish, republish
from uav_testgen.campaign.screening import ScreenTask, evaluation_seed, refuse, unflown
from uav_testgen.campaign.search import KIND as EVALUATION
from uav_testgen.core.files import write_text
from uav_testgen.predict.stages import stages_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.standin.answers import KIND, Answer, Case
from uav_testgen.view.cells import csv_text
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.folder import output_folder
from uav_testgen.work.stop import StopRequest
from uav_testgen.work.store import Store

_COLUMNS = ("scene", "simulation", "scenario_id", "distance_m", "duration_s", "ending", "log", "message")


def report_case(
    case: Case, jobs: int, rules: bool, observer: Observer, stop: StopRequest, publish: Publish
) -> CampaignResult:
    """Predict every scene the program asked for, and write the report of a campaign beside the answers."""
    observer.phase(f"predicting the scenes of {case.folder.name}")
    with output_folder(case.folder, resume=True), Store(case.folder) as store:
        records = store.open()
        known = {int(record.body["number"]) for record in records if record.kind == EVALUATION}
        answers = [Answer.from_body(case.folder, record.body) for record in records if record.kind == KIND]
        write_text(case.folder / "answers.csv", answers_csv(answers, case.folder))
        _predict(case, answers, known, jobs, rules, store, stop.check)
        if not any(record.kind == FINISHED for record in records):
            store.append([(FINISHED, {"simulations": len(answers)})])
    # What is named in these settings was named on the command line of this session.
    named = (case.config.screening.backend, case.config.generator, *_texts(case.config.screening.settings))
    command = tuple(map(str, case.config.generator_settings["command"]))
    options = Options(out=case.folder, resume=True, jobs=jobs, code=(*named, *command))
    return republish(options, observer, stop, publish)


def _texts(settings: Mapping[str, Any]) -> Iterator[str]:
    for value in settings.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _texts(value)


def _predict(
    case: Case,
    answers: Sequence[Answer],
    known: set[int],
    jobs: int,
    rules: bool,
    store: Store,
    check_stop: Callable[[], None],
) -> None:
    config = case.config
    nearest, troubles = _nearest(answers), _troubles(answers)
    tasks = []
    for number, scenario in sorted(case.scenarios.items()):
        if number in known:
            continue
        refusal = refuse(number, scenario) if rules else None
        if refusal is None and number in troubles:
            refusal = unflown(number, scenario, troubles[number])
        if refusal is not None:
            store.append([(EVALUATION, evaluation_to_body(refusal, config.stored_period_s))])
            continue
        tasks.append(_task(case, number, scenario, nearest.get(number, math.inf)))
    plan = WorkerPlan(config.screening.backend, config.screening.settings)
    with make_executor(plan, Placement(jobs), flight_timeout_s=config.screening.flight_timeout_s) as executor:
        for group in executor.run(tasks, check_stop):
            bodies = [evaluation_to_body(evaluation, config.stored_period_s) for evaluation in group]
            store.append([(EVALUATION, body) for body in bodies])


def _task(case: Case, number: int, scenario: Scenario, seen_m: float) -> ScreenTask:
    screening = case.config.screening
    # A scene in which one simulation came too close is worth its runs, whatever the nominal one does.
    stages = stages_of(screening.repeats) if seen_m < screening.accept_below_m else screening.all_stages
    seed = evaluation_seed(case.config.seed, number)
    return ScreenTask(number, scenario, seed, stages)


def _nearest(answers: Sequence[Answer]) -> dict[int, float]:
    nearest: dict[int, float] = {}
    for answer in answers:
        if answer.distance_m is not None:
            nearest[answer.scene] = min(nearest.get(answer.scene, math.inf), answer.distance_m)
    return nearest


def _troubles(answers: Sequence[Answer]) -> dict[int, str]:
    """Why scenes could not be simulated, of those that never could: the program saw no flight, so no test either."""
    flown = {answer.scene for answer in answers if answer.log is not None}
    return {answer.scene: answer.message for answer in answers if answer.scene not in flown}


def answers_csv(answers: Sequence[Answer], folder: Path) -> str:
    """One line for each simulation, by scene."""
    rows = []
    for one in sorted(answers, key=lambda answer: (answer.scene, answer.run)):
        log = "" if one.log is None else str(one.log.relative_to(folder))
        distance = "" if one.distance_m is None else f"{one.distance_m:.4f}"
        duration = f"{one.duration_s:.1f}"
        rows.append([one.scene, one.run, one.scenario_id, distance, duration, one.ending, log, one.message])
    return csv_text(_COLUMNS, rows)
