"""Prediction against reality: how well the confirming flights agree with the predicted ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from uav_testgen.campaign.confirm import Confirmation
from uav_testgen.campaign.flying_system import FlownAs
from uav_testgen.campaign.ranking import RankedTest


@dataclass(frozen=True, slots=True)
class Pair:
    """One test: what was predicted and what was flown."""

    evaluation_number: int
    predicted_m: float | None
    confirmed_m: tuple[float | None, ...]
    """Distance of each confirming flight; None where it had none to anything."""
    predicted_failure: bool
    confirmed_failures: tuple[bool, ...]
    not_flown: int

    @property
    def mean_confirmed_m(self) -> float | None:
        """Mean over the flights with a distance."""
        known = [distance for distance in self.confirmed_m if distance is not None]
        return sum(known) / len(known) if known else None


@dataclass(frozen=True, slots=True)
class Agreement:
    """All confirmed tests of a campaign."""

    backend: str
    accept_below_m: float
    pairs: tuple[Pair, ...]
    system: str | None = None
    """The system the predictions are for, where it is not that of the campaign."""

    @property
    def confusion(self) -> dict[str, int]:
        """Flights by (predicted, confirmed): does the test fail?"""
        table = {"both_fail": 0, "only_predicted": 0, "only_confirmed": 0, "both_pass": 0}
        for pair in self.pairs:
            for failed in pair.confirmed_failures:
                if pair.predicted_failure:
                    table["both_fail" if failed else "only_predicted"] += 1
                else:
                    table["only_confirmed" if failed else "both_pass"] += 1
        return table

    @property
    def agreement(self) -> float | None:
        """Share of the confirming flights with the predicted outcome; None if nothing was flown."""
        table = self.confusion
        flights = sum(table.values())
        return (table["both_fail"] + table["both_pass"]) / flights if flights else None

    @property
    def errors_m(self) -> list[float]:
        """Confirmed minus predicted distance, for each test that has both."""
        return [
            pair.mean_confirmed_m - pair.predicted_m
            for pair in self.pairs
            if pair.mean_confirmed_m is not None and pair.predicted_m is not None
        ]

    def to_json(self) -> dict[str, Any]:
        """Plain data for the summary."""
        errors = self.errors_m
        count = len(errors)
        return {
            "backend": self.backend,
            **({} if self.system is None else {"predicted_for": self.system}),
            "accept_below_m": self.accept_below_m,
            "agreement": self.agreement,
            "confusion": self.confusion,
            "mean_error_m": sum(errors) / count if count else None,
            "mean_absolute_error_m": sum(map(abs, errors)) / count if count else None,
            "root_mean_square_error_m": math.sqrt(sum(e * e for e in errors) / count) if count else None,
            "flights": sum(self.confusion.values()),
            "not_flown": sum(pair.not_flown for pair in self.pairs),
            "tests": [
                {
                    "evaluation": pair.evaluation_number,
                    "predicted_m": pair.predicted_m,
                    "confirmed_m": list(pair.confirmed_m),
                    "mean_confirmed_m": pair.mean_confirmed_m,
                    "predicted_failure": pair.predicted_failure,
                    "confirmed_failures": sum(pair.confirmed_failures),
                    "not_flown": pair.not_flown,
                }
                for pair in self.pairs
            ],
        }

    def sentences(self) -> list[str]:
        """The same for people."""
        table, data = self.confusion, self.to_json()
        if not data["flights"]:
            return [f"'{self.backend}' could fly none of the {len(self.pairs)} tests it was given."]
        lines = [
            f"Prediction against '{self.backend}': {data['flights']} flights of {len(self.pairs)} tests, "
            f"{100 * data['agreement']:.0f} % as predicted (failing: below {self.accept_below_m:g} m).",
            f"Confusion table: {table['both_fail']} predicted and confirmed failures, "
            f"{table['only_predicted']} predicted failures that passed, {table['only_confirmed']} failures "
            f"not predicted, {table['both_pass']} passed as predicted.",
        ]
        if data["mean_error_m"] is not None:
            lines.append(
                f"Distance, confirmed minus predicted: {data['mean_error_m']:+.2f} m on average, "
                f"{data['mean_absolute_error_m']:.2f} m mean absolute error."
            )
        if self.system is not None:
            lines.append(
                f"Compared with predictions for system '{self.system}', which flew; the campaign predicted another."
            )
        if data["not_flown"]:
            lines.append(f"{data['not_flown']} confirming flights could not be flown.")
        return lines


def compare(
    suite: Sequence[RankedTest],
    confirmed: dict[int, Confirmation],
    accept_below_m: float,
    flown_as: FlownAs | None = None,
) -> Agreement | None:
    """The agreement over all tests that were flown again; None if none was.

    `flown_as`: predictions for the system that flew, where the campaign predicted another one.
    """
    predictions = {} if flown_as is None else flown_as.predictions
    pairs = []
    backend = ""
    for test in suite:
        confirmation = confirmed.get(test.evaluation.number)
        if confirmation is None:
            continue
        backend = confirmation.backend
        predicted = predictions.get(test.evaluation.number, test.evaluation)
        verdicts = confirmation.answers
        pairs.append(
            Pair(
                evaluation_number=test.evaluation.number,
                predicted_m=predicted.distance_m,
                confirmed_m=tuple(
                    verdict.min_distance_aerialist_m
                    if predicted.measure == "aerialist"
                    else verdict.min_distance_3d_m
                    for verdict in verdicts
                ),
                predicted_failure=_is_below(predicted.objective_m, accept_below_m),
                confirmed_failures=tuple(
                    verdict.failed
                    if verdict.findings or predicted.measure != "aerialist"
                    else _is_below(verdict.min_distance_aerialist_m, accept_below_m)
                    for verdict in verdicts
                ),
                not_flown=len(confirmation.runs) - len(verdicts),
            )
        )
    system = flown_as.system if flown_as is not None and flown_as.predictions else None
    return Agreement(backend, accept_below_m, tuple(pairs), system) if pairs else None


def _is_below(distance_m: float | None, limit_m: float) -> bool:
    return distance_m is not None and distance_m < limit_m
