"""What is said about a prediction: exit code, plain data, lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.plain_text import printable
from uav_testgen.statistics.percent import percent_range, probability_words

if TYPE_CHECKING:
    from uav_testgen.oracle.finding import Finding
    from uav_testgen.predict.prediction import Prediction


_VERDICTS: dict[int, str] = {
    ExitCode.DONE: "safe",
    ExitCode.VIOLATED: "not safe",
    ExitCode.UNFINISHED: "not judged",
}


def exit_code_of(prediction: Prediction) -> int:
    """0 safe, 1 too close or incomplete, 3 could not be flown."""
    from uav_testgen.flight.model import Ending
    from uav_testgen.oracle.model import Outcome

    flights = [run.flight for run in prediction.flown]
    broken_off = (Ending.ABORTED, Ending.OFFBOARD_LOST)
    if any(flight.ending in broken_off or flight.details.get("left_armed") for flight in flights):
        return ExitCode.UNFINISHED
    if not prediction.conclusive and prediction.nominal.verdict.outcome is Outcome.INCONCLUSIVE:
        return ExitCode.UNFINISHED
    return ExitCode.VIOLATED if prediction.is_unsafe else ExitCode.DONE


def summary_of(prediction: Prediction) -> dict[str, Any]:
    """Plain data of a prediction, the same for `fly --json` and Python."""
    from uav_testgen import __version__

    flight = prediction.nominal.flight
    return {
        "scenario_id": prediction.scenario.id,
        "scenario": prediction.scenario.name,
        "prediction": prediction.to_json(),
        **safety_of(prediction),
        "nominal": {
            "distance_m": prediction.nominal.distance_m,
            "findings": [finding.to_json() for finding in findings_of(prediction)],
            **prediction.nominal.verdict.to_json(),
        },
        "reason": flight.reason,
        "details": flight.details,
        "runs": [
            {
                "run": run.number,
                "seed": run.flight.seed,
                "distance_m": run.distance_m,
                **run.verdict.to_json(),
            }
            for run in prediction.runs
        ],
        "version": __version__,
    }


def safety_of(prediction: Prediction) -> dict[str, float | None]:
    """The distance a logical scenario wants kept, and what was left of it; empty for any other scenario."""
    from uav_testgen.oracle.margin import safety_margin_m

    logical = prediction.scenario.logical
    if logical is None:
        return {}
    required_m = logical.safety_distance_m
    return {
        "safety_distance_m": required_m,
        "safety_margin_m": safety_margin_m(prediction.nominal.verdict, required_m),
    }


def findings_of(prediction: Prediction) -> tuple[Finding, ...]:
    """What each requirement says about the nominal run; without a list, the two that decide by default."""
    from uav_testgen.oracle.requirement import find, make_requirements

    nominal = prediction.nominal
    if nominal.verdict.findings:
        return nominal.verdict.findings
    usual = make_requirements(("separation", "mission_completed"))
    return tuple(find(requirement, prediction.scenario, nominal.flight) for requirement in usual)


def finding_lines(prediction: Prediction) -> list[str]:
    """One line for each requirement that was asked for."""
    if not prediction.requirements:
        return []
    lines = []
    for finding in prediction.nominal.verdict.findings:
        state = "violated" if finding.violated else "holds" if finding.is_known else "unknown"
        margin = (
            ""
            if finding.margin is None
            else f" (margin {finding.margin:.3g} {finding.unit})".replace(" )", ")")
        )
        lines.append(f"{state:<12} {finding.name}{margin}: {finding.sentence}")
    return lines


def heading_of(prediction: Prediction, name: str) -> str:
    """The first line: is it safe, and on what does that rest?"""
    verdict = _VERDICTS[exit_code_of(prediction)]
    return f"{name}: {verdict}, {prediction.evidence.value} ({prediction.backend})"


def print_prediction(prediction: Prediction, name: str, files: dict[str, str], again: str) -> None:
    """The whole answer of `fly`; `again` is the command that gives it again."""
    from uav_testgen.predict.prediction import said

    nominal = prediction.nominal
    print(printable(heading_of(prediction, name)))
    print(f"  system       {prediction.system}, seed {prediction.seed}")
    for line in distance_lines(prediction):
        print(f"  {line}")
    first = "first flight" if prediction.evidence.confirms else "nominal run"
    sentence = said(prediction.scenario, nominal.verdict, nominal.distance_m)
    print(printable(f"  {first:<12} {nominal.verdict.in_words}: {sentence}"))
    for line in finding_lines(prediction):
        print(printable(f"  {line}"))
    safety = safety_of(prediction)
    if safety.get("safety_margin_m") is not None:
        margin_m, required_m = safety["safety_margin_m"] or 0.0, safety["safety_distance_m"]
        kept = f"kept, {margin_m:.3f} m left" if margin_m >= 0.0 else f"violated by {-margin_m:.3f} m"
        print(f"  scenario     wants {required_m:g} m kept (3-D): {kept}")
    details = nominal.flight.details
    if "planner_error" in details:
        print(printable(f"  planner      {details['planner_error']}"))
    if "planner_over_ros" in details:
        print(printable(f"  time         {time_sentence(details)}"))
    if "px4_version" in details:
        print(
            f"  autopilot    PX4 {details['px4_version']} ({details['px4_version_source']}), "
            f"px4_msgs {details['px4_msgs_version']}, real-time factor {details['real_time_factor']}"
        )
    for kind, file in files.items():
        print(printable(f"  {kind:<12} {file}"))
    print(printable(f"  again        {again}"))


def time_sentence(details: dict[str, Any]) -> str:
    """Whose clock a flight with a planner over ROS went by, and how old its answers were."""
    report = details["planner_over_ros"]
    ages = report.get("answer_age_s")
    if details.get("repeatable"):
        took = f"; answers took {ages['median']:.3f} s (median), {ages['max']:.3f} s at most" if ages else ""
        return f"lock-step, repeatable if the planner is{took}"
    clock = (
        "the wall's clock" if details.get("time_mode") == "wall" else f"simulated time x {report['speed']:g}"
    )
    old = f"; answers {ages['median']:.2f} s old (median), {ages['max']:.2f} s at most" if ages else ""
    return f"paced by {clock}, not repeatable{old}"


def distance_lines(prediction: Prediction) -> list[str]:
    """Distance, probability and counts for people."""
    from uav_testgen.predict.prediction import MEASURE_WORDS
    from uav_testgen.predict.unvalidated import unvalidated_sentence

    if not prediction.conclusive:
        return [f"runs         {prediction.counts_sentence}"]
    if prediction.requirements:
        return margin_lines(prediction)
    if prediction.distance_m is None:
        return ["distance     no obstacle"]
    lines = []
    word = "predicted" if not prediction.evidence.confirms else "measured"
    alone = "one flight" if prediction.evidence.confirms else "nominal run only"
    runs = f"median of {len(prediction.runs)} runs" if prediction.runs else alone
    lines.append(
        f"distance     {prediction.distance_m:.2f} m {word} ({runs}; {MEASURE_WORDS[prediction.measure]})"
    )
    if prediction.evidence.confirms:
        lines.append(f"runs         {prediction.counts_sentence}")
        return lines
    lines += hovering_lines(prediction)
    lines += interval_lines(prediction)
    doubt = unvalidated_sentence(prediction.scenario)
    if doubt:
        lines.append(f"validity     {doubt}")
    if prediction.failure_probability is not None:
        limit = f"{prediction.safe_distance_m:g} m" + (" in 3-D" if prediction.scenario.logical else "")
        likely = probability_words(prediction.failure_probability)
        lines.append(f"failure      {likely} likely to come closer than {limit}")
    else:
        lines.append("failure      uncalibrated: no real flights with this planner and vehicle; see the runs")
    interval = prediction.interval
    if interval is not None:
        low, high = interval
        spread = f" (95 % CI of the share too close: {percent_range(low, high)})"
        lines.append(f"runs         {prediction.counts_sentence}{spread}")
    return lines


def hovering_lines(prediction: Prediction) -> list[str]:
    """Why the distance is less than that of the runs, where drones hover."""
    found = prediction.distribution
    if not found.moved_by_hovering:
        return []
    nearest_m = min(run.distance_m for run in found.runs)
    share = f"{found.moved_by_hovering} of {len(found.runs)} runs, {nearest_m:.2f} m away or more"
    return [f"hovering     {share}; most real drones find a way past later, and the distance allows for it"]


def interval_lines(prediction: Prediction) -> list[str]:
    """Where the distance of a real flight lies; nothing where that was never measured."""
    found = prediction.distance_interval
    return [] if found is None else [f"in reality   {found.sentence}"]


def margin_lines(prediction: Prediction) -> list[str]:
    """Worst margin, distance and counts for people, where requirements decide."""
    runs = f"median of {len(prediction.runs)} runs" if prediction.runs else "nominal run only"
    margin = "none" if prediction.margin is None else f"{prediction.margin:.3g}"
    lines = [f"margin       {margin}, the worst of {len(prediction.requirements)} requirement(s) ({runs})"]
    if prediction.distance_m is not None:
        lines.append(f"distance     {prediction.distance_m:.2f} m (Aerialist's measure)")
        lines += hovering_lines(prediction)
        lines += interval_lines(prediction)
    interval = prediction.interval
    spread = "" if interval is None else f" (95 % CI of the share: {percent_range(*interval)})"
    return [*lines, f"runs         {prediction.counts_sentence}{spread}"]
