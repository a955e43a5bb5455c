"""summary.json: the result in one object, and the sentence and command that go with it."""

from __future__ import annotations

import shlex
from typing import Any

from uav_testgen.backend.registry import BACKENDS
from uav_testgen.campaign.agreement import Agreement, compare
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.result import CampaignResult, SuiteTest
from uav_testgen.flight.evidence import Evidence
from uav_testgen.oracle.competition import diversity
from uav_testgen.oracle.nondeterminism import Repeatability
from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.view.flights import flights_part
from uav_testgen.view.fly_again import fly_again
from uav_testgen.view.generations import summary_part
from uav_testgen.view.held_out import held_out_of, held_out_part, held_out_sentence
from uav_testgen.view.repeats import confirmed_spread, flown_again_m, predicted_spread
from uav_testgen.work.versions import host_facts


def summary_data(result: CampaignResult) -> dict[str, Any]:
    """Plain data; times are the only part that differs between two runs of the same campaign."""
    progress = result.progress
    statuses = {status.value: 0 for status in EvaluationStatus}
    for evaluation in result.evaluations:
        statuses[evaluation.status.value] += 1
    return {
        "name": result.config.name,
        "case": result.case.name,
        "generator": result.config.generator,
        "seed": result.config.seed,
        "evaluations": progress.evaluated,
        "refused": progress.refused,
        "flights": progress.flights,
        "failures": progress.failures,
        "best_distance_m": progress.best_m,
        **_judged_by(result),
        "statuses": statuses,
        "ended_because": result.end_reason,
        "prediction_backend": result.config.screening.backend,
        "confirmation_backend": result.config.confirmation.backend,
        **_flown_search(result),
        **flights_part(result),
        "confirmed": sum(_confirmed(test) is True for test in result.suite),
        "refuted": sum(_confirmed(test) is False for test in result.suite),
        "flown_again": _flown_again(result),
        "agreement": agreement.to_json() if (agreement := agreement_of(result)) else None,
        "diversity": diversity([test.ranked.evaluation.scenario.obstacles for test in result.suite]),
        "tests": [_test(result, test) for test in result.suite],
        **summary_part(result),
        **held_out_part(result),
        "notes": list(result.notes),
        "elapsed_s": round(result.elapsed_s, 3),
        "cpu_s": round(sum(float(e.details.get("cpu_s", 0.0)) for e in result.evaluations), 3),
        "config": result.config.model_dump(mode="json"),
        "versions": result.versions,
        "host": host_facts(),
        "command": command_to_repeat(result.config),
    }


def _flown_search(result: CampaignResult) -> dict[str, Any]:
    """Named where the search itself flew: its numbers are no predictions."""
    evidence = evidence_of(result.config.screening.backend)
    return {"evidence": evidence.value} if evidence.confirms else {}


def agreement_of(result: CampaignResult) -> Agreement | None:
    """Prediction against the confirming backend; None where nothing was flown again."""
    if result.flights is not None:
        # All that was flown, not only what failed: the suite would make every prediction look right.
        return compare(
            result.flights.ranked,
            result.flights.confirmed,
            result.config.screening.accept_below_m,
            result.flown_as,
        )
    suite = result.suite
    confirmed = {
        test.ranked.evaluation.number: test.confirmation
        for test in suite
        if test.confirmation and evidence_of(test.confirmation.backend).confirms
    }
    return compare(
        [test.ranked for test in suite],
        confirmed,
        result.config.screening.accept_below_m,
        result.flown_as,
    )


def _confirmed(test: SuiteTest) -> bool | None:
    """Only a flight on the real autopilot or in the high-fidelity simulator confirms or refutes."""
    if test.confirmation is None or not evidence_of(test.confirmation.backend).confirms:
        return None
    return test.confirmation.failed_again


def evidence_of(backend: str) -> Evidence:
    """What a backend's flights prove."""
    found: Evidence = BACKENDS.load(backend).capabilities.evidence
    return found


def _test(result: CampaignResult, test: SuiteTest) -> dict[str, Any]:
    evaluation, worth = test.ranked.evaluation, test.ranked.worth
    return {
        "rank": test.rank,
        "file": f"tests/{test.stem}.yaml",
        "evaluation": evaluation.number,
        "scenario_id": evaluation.scenario.id,
        "obstacles": len(evaluation.scenario.obstacles),
        "outcome": evaluation.verdicts[0].outcome.value,
        "distance_m": evaluation.distance_m,
        "nominal_distance_m": evaluation.nominal_distance_m,
        "distances_m": list(evaluation.distances_m[1:]),
        "measure": evaluation.measure,
        "counts": evaluation.counts_sentence,
        "distance_interval": evaluation.distance_interval,
        "failure_probability": evaluation.failure_probability,
        **_findings(test),
        "repeatability": _plain(predicted_spread(test)),
        "fly_again": fly_again(result.config, f"tests/{test.stem}.yaml"),
        # The competition's formula needs a probability that was compared with real flights.
        "confirmation_probability": worth.confirmation_probability
        if evaluation.failure_probability is not None
        else None,
        "points_if_failing": worth.points_if_failing,
        "expected_score": worth.value,
        **held_out_of(test),
        "duration_s": evaluation.verdicts[0].duration_s,
        "confirmed": _confirmed(test),
        **_check_of(test),
        "confirmation_repeatability": _plain(confirmed_spread(test)),
    }


def _check_of(test: SuiteTest) -> dict[str, Any]:
    """Who flew it again and how near; a check over ROS topics stands apart, because it confirms nothing."""
    check = test.confirmation
    confirms = check is not None and evidence_of(check.backend).confirms
    distances_m = flown_again_m(test, confirms)
    backend = check.backend if check else None
    return {
        "confirmed_by": backend if confirms else None,
        "confirmation_distances_m": distances_m if confirms else [],
        "checked_by": None if confirms else backend,
        "checked_distances_m": [] if confirms else distances_m,
    }


def _judged_by(result: CampaignResult) -> dict[str, Any]:
    if not result.config.requirements:
        return {}
    return {
        "requirements": list(result.config.requirements),
        "best_margin": result.progress.best_margin,
    }


def _findings(test: SuiteTest) -> dict[str, Any]:
    """What each requirement says about the nominal run; nothing where the campaign has none."""
    evaluation = test.ranked.evaluation
    if not evaluation.is_by_requirements:
        return {}
    findings = evaluation.verdicts[0].findings
    return {"margin": evaluation.margin, "findings": [finding.to_json() for finding in findings]}


def _plain(spread: Repeatability | None) -> dict[str, Any] | None:
    return spread.to_json() if spread is not None else None


def summary_sentence(result: CampaignResult) -> str:
    """The result for a person, in one breath."""
    progress, accept_m = result.progress, result.config.screening.accept_below_m
    best = ""
    said = "did " if evidence_of(result.config.screening.backend).confirms else "are predicted to "
    if progress.best_m is not None:
        best = " Closest approach: " + (
            "collision." if progress.best_m <= 0.0 else f"{progress.best_m:.2f} m."
        )
    again = held_out_sentence(held_out_part(result).get("held_out"))
    again = f" {again}" if again else ""
    failing = f"come nearer than {accept_m:g} m"
    if result.config.requirements:
        failing = f"violate a requirement ({', '.join(result.config.requirements)})"
    return (
        f"Generator '{result.config.generator}' proposed {progress.evaluated} scenarios on "
        f"{result.case.name}; {progress.failures} {said}{failing}, of which "
        f"{len(result.suite)} diverse ones are ranked here.{best}{again}{_flown_again_sentence(result)}"
    )


def _flown_again(result: CampaignResult) -> dict[str, Any] | None:
    """Tests given to another backend and what came back; None if there were none."""
    checks = [test.confirmation for test in result.suite if test.confirmation is not None]
    if result.flights is not None:
        checks = [test.confirmation for test in result.flights.tests]
    if not checks:
        return None
    said = [check.failed_again for check in checks if check.failed_again is not None]
    alarms = sum("software alarm" in note for note in result.notes)
    return {
        "backend": checks[0].backend,
        "evidence": evidence_of(checks[0].backend).value,
        "tests": len(checks),
        "answered": len(said),
        "as_predicted": sum(said) if evidence_of(checks[0].backend).confirms else len(said) - alarms,
    }


def _flown_again_sentence(result: CampaignResult) -> str:
    found = _flown_again(result)
    if found is None or not found["answered"]:
        return ""
    counts = f" {found['as_predicted']} of {found['answered']}"
    if evidence_of(found["backend"]).confirms:
        return f"{counts} {found['evidence']} failed as predicted."
    return f"{counts} re-flown over ROS topics (same simulator) gave the same result."


def command_to_repeat(config: CampaignConfig) -> str:
    """A command that, in the output folder, repeats the campaign from the settings kept there."""
    program = config.generator_settings.get("command")
    if isinstance(program, list):  # an external program, answered by the stand-ins
        seed = ["--seed", str(config.seed), "--out", f"again-{config.name}"]
        return shlex.join(["uav-testgen", "as-aerialist", *seed, "--", *map(str, program)])
    words = [
        "uav-testgen",
        "campaign",
        "campaign.yaml",
        "--seed",
        str(config.seed),
        "--out",
        f"again-{config.name}",
    ]
    return shlex.join(words)
