"""What held-out seeds and presets say about a suite, beside what its search claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from uav_testgen.campaign.result import CampaignResult, SuiteTest

FIRST = 20
"""The competition evaluates this many tests of a suite."""


def held_out_part(result: CampaignResult) -> dict[str, Any]:
    """For summary.json: means over the first tests, claimed and found; empty where nothing was flown again."""
    flown = [test for test in result.suite if test.unseen is not None]
    if not flown:
        return {}
    first = flown[:FIRST]
    claimed, found = _means(first, held_out=False), _means(first, held_out=True)
    return {
        "held_out": {
            "tests": len(flown),
            "first": len(first),
            "flights": sum(len(test.unseen.runs) for test in first if test.unseen),
            "too_close": sum(test.unseen.too_close for test in first if test.unseen),
            "claimed": claimed,
            "found": found,
            "drop": {
                key: None if value is None else value - (found[key] or 0.0) for key, value in claimed.items()
            },
            "fragile": sum(test.unseen.is_fragile for test in flown if test.unseen),
            "robust": _robust(flown),
        }
    }


def held_out_sentence(part: Mapping[str, Any] | None) -> str:
    """The same for a person, from that part of the summary; empty where nothing was flown again."""
    if part is None:
        return ""
    claimed, found = part["claimed"], part["found"]
    wind = "" if part["robust"] is None else f" {part['robust']} fail with and without wind."
    fragile = f" {part['fragile']} of {part['tests']} are fragile." if part["fragile"] else ""
    again = f"Flown again by seeds and presets the search never saw, the first {part['first']} tests"
    if found["failure_probability"] is None:
        return (
            f"{again} come too close in {part['too_close']} of {part['flights']} flights "
            f"(failure probability uncalibrated).{fragile}{wind}"
        )
    return (
        f"{again} have a failure "
        f"probability of {found['failure_probability']:.2f} (claimed: {claimed['failure_probability']:.2f}) and "
        f"{found['expected_points']:.1f} points each ({claimed['expected_points']:.1f}).{fragile}{wind}"
    )


def held_out_of(test: SuiteTest) -> dict[str, Any]:
    """For one test; empty where it was not flown again."""
    return {} if test.unseen is None else {"held_out": test.unseen.to_json()}


def _means(tests: list[SuiteTest], *, held_out: bool) -> dict[str, float | None]:
    rows: list[tuple[float | None, float, float]]
    if held_out:
        unseen = [test.unseen for test in tests if test.unseen is not None]
        rows = [(one.failure_probability, one.expected_points, one.expected_score) for one in unseen]
    else:
        rows = [
            (
                worth.confirmation_probability
                if test.unseen is not None and test.unseen.calibrated
                else None,
                worth.points_if_failing * worth.confirmation_probability,
                worth.value,
            )
            for test in tests
            for worth in (test.ranked.worth,)
        ]
    names = ("failure_probability", "expected_points", "expected_score")
    return {name: _mean([row[place] for row in rows]) for place, name in enumerate(names)}


def _mean(values: Sequence[float | None]) -> float | None:
    """None where one is not known."""
    known = [value for value in values if value is not None]
    return fmean(known) if len(known) == len(values) else None


def _robust(tests: list[SuiteTest]) -> int | None:
    """How many fail with and without wind; None where no wind was flown."""
    said = [test.unseen.is_robust for test in tests if test.unseen is not None]
    return None if any(one is None for one in said) else sum(bool(one) for one in said)
