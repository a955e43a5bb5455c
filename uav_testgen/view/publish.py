"""Write everything a campaign leaves behind, best test first.

Every file is written whole or not at all, and depends only on the result: publishing twice gives the
same bytes (apart from times in summary.json and report.html).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import yaml

from uav_testgen import __version__
from uav_testgen.backend.registry import make_backend
from uav_testgen.campaign.result import CampaignResult, SuiteTest
from uav_testgen.core.errors import StoreError
from uav_testgen.core.files import write_text
from uav_testgen.flight.json_io import save_flights
from uav_testgen.flight.model import Flight
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.formats.prediction_note import PredictionNote
from uav_testgen.view.data import page_data
from uav_testgen.view.flights import flown_csv
from uav_testgen.view.generations import generations_csv
from uav_testgen.view.html import render
from uav_testgen.view.summary import evidence_of, summary_data
from uav_testgen.view.tables import evaluations_csv, junit_xml

_TIMINGS = ("cpu_s", "wall_s", "elapsed_s")
_FOLDERS = ("tests", "flights", "confirmed", "plots")


def publish(result: CampaignResult, check_stop: Callable[[], None]) -> None:
    """tests/, flights/, confirmed/, plots/, CSV, JUnit XML, the settings, report.html and summary.json."""
    out = result.out
    _remove_old(out, {test.stem for test in result.suite})
    result.case.write_files(out)
    for test in result.suite:
        check_stop()
        _write_test(result, test)
    for test in result.suite:
        check_stop()
        _plot(result, test)
    write_text(out / "evaluations.csv", evaluations_csv(result.evaluations))
    if result.generator_report is not None and result.generator_report.speaks_of_generations:
        write_text(out / "generations.csv", generations_csv(result.generator_report))
    if result.flights is not None:
        write_text(out / "flown.csv", flown_csv(result))
    write_text(out / "junit.xml", junit_xml(result.config.name, result.suite, _said_by(result)))
    settings = {**result.config.model_dump(mode="json"), "case": "case.yaml"}
    write_text(out / "campaign.yaml", yaml.safe_dump(settings, sort_keys=False))
    write_text(out / "report.html", render(result.config.name, page_data(result)))
    # Last: whoever finds a summary finds everything it speaks of.
    text = json.dumps(summary_data(result), indent=2, allow_nan=False)
    write_text(out / "summary.json", text + "\n")


def _said_by(result: CampaignResult) -> str:
    evidence = evidence_of(result.config.screening.backend)
    return evidence.value if evidence.confirms else "prediction"


def prediction_note(result: CampaignResult, test: SuiteTest) -> PredictionNote:
    """How a test was predicted: with it, `uav-testgen fly` gives the same numbers again."""
    screening, evaluation = result.config.screening, test.ranked.evaluation
    system = getattr(make_backend(screening.backend, screening.settings), "system", None)
    return PredictionNote(
        version=__version__,
        backend=screening.backend,
        system=system.name if system is not None else "",
        preset_version=system.version if system is not None else None,
        settings=screening.settings,
        scatter=screening.scatter.model_dump(mode="json") if screening.scatter is not None else None,
        seed=int(evaluation.details.get("seed", 0)),
        runs=len(evaluation.verdicts) - 1,
        measure=evaluation.measure,
        distance_m=evaluation.distance_m,
        nominal_distance_m=evaluation.nominal_distance_m,
        failure_probability=evaluation.failure_probability,
        counts=evaluation.counts_sentence,
        requirements=list(result.config.requirements),
        margin=evaluation.margin,
    )


def _write_test(result: CampaignResult, test: SuiteTest) -> None:
    out, name = result.out, f"{test.stem}.yaml"
    # A test that was flown in the search has no prediction that `fly` could give again.
    predicted = not evidence_of(result.config.screening.backend).confirms
    note = prediction_note(result, test) if predicted else None
    result.case.write_test(out / "tests" / name, test.ranked.evaluation.scenario, note)
    flights = [_timeless(run.flight) for run in test.runs if run.flight]
    save_flights(out / "flights" / f"{test.stem}.json", name, flights)
    if test.confirmation is not None:
        flights = [_timeless(run.flight) for run in test.confirmation.runs if run.flight]
        save_flights(out / "confirmed" / f"{test.stem}.json", name, flights)


def _timeless(flight: Flight) -> Flight:
    """Without what the computer's speed decides, so that the same flight gives the same file."""
    details = {key: value for key, value in flight.details.items() if not key.endswith(_TIMINGS)}
    return replace(flight, details=details)


def _plot(result: CampaignResult, test: SuiteTest) -> None:
    from uav_testgen.view.plots import plot_flight

    flown = [(run.flight, run.verdict) for run in test.runs if run.flight and run.verdict]
    flights, verdicts = [flight for flight, _ in flown], [verdict for _, verdict in flown]
    scenario = test.ranked.evaluation.scenario
    evaluation = test.ranked.evaluation
    flew = evidence_of(result.config.screening.backend).confirms
    word, first = ("flown", "First flight") if flew else ("predicted", "Nominal run")
    title = f"Test {test.stem}: {_predicted(evaluation, word)}, {evaluation.counts_sentence}"
    sentence = f"{first}: {verdicts[0].sentence}" if verdicts else ""
    plot_flight(result.out / "plots" / f"{test.stem}.png", scenario, flights, verdicts, title, sentence)


def _predicted(evaluation: Evaluation, word: str) -> str:
    if evaluation.margin is not None:
        return f"{word} margin {evaluation.margin:.3g}"
    return "no obstacle" if evaluation.distance_m is None else f"{word} {evaluation.distance_m:.2f} m"


def _remove_old(out: Path, stems: set[str]) -> None:
    """Tests of an earlier, interrupted publishing that are no longer in the suite."""
    try:
        for folder in _FOLDERS:
            for path in (out / folder).glob("[0-9][0-9][0-9]-*"):
                if path.stem not in stems:
                    path.unlink()
    except OSError as error:
        raise StoreError(f"{out}: an old file cannot be removed ({error.strerror})") from None
