"""What the generator says about a finished search, and the tests it would hand in.

The report is a function of what was asked and told. It is stored when the search ends, so that writing
the outputs again needs no generator; before that it comes from replaying the stored evaluations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.error import expected_error
from uav_testgen.campaign.ranking import candidate_count, promising, worth_of
from uav_testgen.campaign.record import number_of
from uav_testgen.campaign.search import KIND as EVALUATION
from uav_testgen.campaign.search import check_same_scenario, read_back
from uav_testgen.campaign.turns import turns
from uav_testgen.generator.base import Generator
from uav_testgen.generator.reporting import GeneratorReport, Reporting, report_of
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.formats.aerialist_write import as_written
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.store import AnyRecord, Store, understood

KIND = "generator_report"


def keep(generator: Generator, records: Sequence[AnyRecord], store: Store) -> GeneratorReport | None:
    """The report at the end of a search, made durable; None for a generator that says nothing."""
    report = report_of(generator)
    if report is not None and report != stored(records, str(store.path)):
        store.append([(KIND, report.to_json())])
    return report


def stored(records: Sequence[AnyRecord], source: str) -> GeneratorReport | None:
    """The newest report in a store; None where no search with a reporting generator has ended."""
    newest = next((record for record in reversed(records) if record.kind == KIND), None)
    if newest is None:
        return None
    with understood(source, "the generator's report"):
        return GeneratorReport.from_json(newest.body)


def replayed(
    config: CampaignConfig,
    generator: Generator,
    records: Sequence[AnyRecord],
    source: str,
    check_stop: Callable[[], None],
) -> GeneratorReport | None:
    """The report on a search that has not ended: the generator is told what is stored so far."""
    if not isinstance(generator, Reporting):
        return None
    with understood(source, "an evaluation"):
        known = {number_of(record.body): record for record in records if record.kind == EVALUATION}
    replay(config, generator, known, source, check_stop)
    return generator.report()


def replay(
    config: CampaignConfig,
    generator: Generator,
    known: Mapping[int, AnyRecord],
    source: str,
    check_stop: Callable[[], None],
) -> int:
    """Ask as the search asked and tell what is stored, up to the batch that was being flown; returns how many."""
    told, spent = 0, 0

    def room() -> int:
        if told not in known:
            return 0
        check_stop()
        return min(config.batch_size, config.budget.evaluations - spent)

    def recalled(first: int, asked: Sequence[Scenario]) -> list[Evaluation]:
        batch = []
        for number, scenario in enumerate(asked, start=first):
            if number in known:
                batch.append(read_back(known[number].body, source))
                check_same_scenario(batch[-1], as_written(scenario), generator.name, source)
        return batch

    for batch in turns(generator, room, recalled):
        told += len(batch)
        spent += sum(evaluation.status is not EvaluationStatus.INVALID_SCENARIO for evaluation in batch)
    return told


def own_choice(
    evaluations: Sequence[Evaluation], report: GeneratorReport | None, config: CampaignConfig, store: Store
) -> Sequence[Evaluation]:
    """The evaluations the suite is chosen from: those the generator selected, or all if it has no opinion.

    Others are left out, not ranked behind: a search that publishes a final selection hands in nothing
    else, and what its filter dropped is like a kept test in all that the search looks at.
    """
    if report is None or report.selection is None:
        return evaluations
    selection = frozenset(report.selection)
    chosen = [evaluation for evaluation in evaluations if evaluation.number in selection]
    return _with_paths(chosen, config, store)


def _with_paths(chosen: list[Evaluation], config: CampaignConfig, store: Store) -> list[Evaluation]:
    """Candidates with the trajectories that were let go while more valuable tests filled their places."""
    error = expected_error(config.screening)
    failing = promising(chosen, config.screening.accept_below_m)
    failing.sort(key=lambda evaluation: (-worth_of(evaluation, error).value, evaluation.number))
    candidates = failing[: candidate_count(config.ranking)]
    missing = {evaluation.number for evaluation in candidates if evaluation.trajectory is None}
    if not missing:
        return chosen
    found = _read(missing, store)
    return [
        replace(evaluation, trajectory=found[evaluation.number].trajectory)
        if evaluation.number in found
        else evaluation
        for evaluation in chosen
    ]


def _read(numbers: Collection[int], store: Store) -> dict[int, Evaluation]:
    bodies = (record.body for record in store.read() if record.kind == EVALUATION)
    with understood(store.path, "an evaluation"):
        wanted = (body for body in bodies if number_of(body) in numbers)
        return {number_of(body): read_back(body, str(store.path)) for body in wanted}
