"""What a prediction is: a nominal run, drawn runs, and the numbers that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import Any

from uav_testgen.core.defaults import COLLISION_DISTANCE_M, SAFE_DISTANCE_M, VEHICLE_HALF_WIDTH_M
from uav_testgen.core.notebook import plan_view, table_html
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.loop.scatter import ModelError, ScatterConfig
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.oracle.unjudged import unjudged_words
from uav_testgen.predict.conformal import ConformalTable, DistanceInterval, mission_of, unlike_records
from uav_testgen.predict.distribution import Distribution, Run
from uav_testgen.predict.unvalidated import unvalidated
from uav_testgen.scenario.model import Scenario
from uav_testgen.statistics.intervals import share_interval
from uav_testgen.statistics.percent import probability_words

MEASURE_WORDS = {"aerialist": "Aerialist's measure", "3d": "3-D"}
"""How a distance is measured, for people."""

NO_SCATTER = ScatterConfig(model_m=0.0)
"""For simulators whose word needs no correction."""


def corrected_m(verdict: Verdict, scatter: ScatterConfig, is_free: bool = False) -> float | None:
    """Aerialist's distance of a run plus the model's bias; a touch stays 0. None without obstacles.

    Aerialist averages positions over a period. A real vehicle stays where it hit, a predicted flight ends there, so
    the average would leave a fast one some decimetres before the obstacle that it touched.
    """
    least_m = verdict.min_distance_aerialist_m
    if least_m is None:
        return None
    exact_m = verdict.min_distance_3d_m
    touched = verdict.ending is Ending.COLLISION and exact_m is not None and exact_m < COLLISION_DISTANCE_M
    if least_m <= 0.0 or touched:
        return 0.0
    return max(least_m + (scatter.free_bias_m if is_free else scatter.bias_m), 0.0)


def judged_m(
    scenario: Scenario, verdict: Verdict, scatter: ScatterConfig, is_free: bool = False
) -> float | None:
    """The distance a run is judged by: Aerialist's, corrected; of an instance of a logical scenario the 3-D one.

    The model's bias was measured on plan-view distances, so a 3-D distance is taken as flown.
    """
    if scenario.logical is not None and not verdict.findings:
        return verdict.min_distance_3d_m
    return corrected_m(verdict, scatter, is_free)


def said(scenario: Scenario, verdict: Verdict, distance_m: float | None) -> str:
    """The sentence of a run; it names the distance as simulated, so where the run is judged by another, that too."""
    flown_m = verdict.min_distance_aerialist_m
    is_in_3d = scenario.logical is not None and not verdict.findings
    if is_in_3d or verdict.ending is Ending.COLLISION or flown_m is None or distance_m is None:
        return verdict.sentence
    if round(distance_m - flown_m, 2) == 0.0:
        return verdict.sentence
    return f"{verdict.sentence} (as simulated; corrected {distance_m:.2f} m)"


def corrected_margin(verdict: Verdict, distance_m: float | None, only: int | None = None) -> float | None:
    """The worst margin of the requirements that were asked for, corrected like the run's distance.

    Only margins of Aerialist's distance are corrected: the model's bias was measured on that. `only` looks at one of
    them, by its place in the list. None where none of them has a margin.
    """
    raw_m = verdict.min_distance_aerialist_m
    shift_m = 0.0 if distance_m is None or raw_m is None else distance_m - raw_m
    margins = [
        finding.margin + (shift_m if finding.by_aerialist else 0.0)
        for place, finding in enumerate(verdict.findings)
        if finding.margin is not None and only in (None, place)
    ]
    return min(margins, default=None)


def centre_m(distance_m: float) -> float:
    """Aerialist's distance as versions before 2024 measured it, to the vehicle's centre."""
    return distance_m + VEHICLE_HALF_WIDTH_M if distance_m > 0.0 else 0.0


@dataclass(frozen=True, slots=True)
class PredictedRun:
    """One run: its flight, the verdict on it, and its distance corrected for the model's bias."""

    number: int
    """0 is the nominal run."""
    flight: Flight
    verdict: Verdict
    distance_m: float | None

    @property
    def margin(self) -> float | None:
        """The worst margin, corrected; None without requirements."""
        return corrected_margin(self.verdict, self.distance_m)

    def as_run(self, centre: bool = False) -> Run:
        """For distributions; without obstacles the distance is infinite."""
        distance_m = math.inf if self.distance_m is None else self.distance_m
        if centre:
            distance_m = centre_m(distance_m)
        return Run(distance_m, self.verdict.duration_s, self.verdict.ending)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A test, flown several times by one backend."""

    scenario: Scenario
    backend: str
    evidence: Evidence
    system: str
    preset_version: int | None
    calibrated: bool
    """Were bias and spread measured on real flights with this vehicle, camera and planner?"""
    seed: int
    nominal: PredictedRun
    runs: tuple[PredictedRun, ...]
    """Drawn independently; empty if only the nominal run was flown. A simulator that does not repeat itself draws
    every flight, so there the nominal one is the first of them."""
    error: ModelError
    requirements: tuple[str, ...] = ()
    """What must hold, by name; empty: the safe distance, and that the mission is completed."""
    table: ConformalTable | None = None
    """How far real flights were from predictions; None where none was compared."""
    chosen_by_search: bool = False
    """Was the test chosen because of runs like these? Then nothing is guaranteed about the next one."""

    @property
    def counted(self) -> tuple[PredictedRun, ...]:
        """The runs the numbers come from: the drawn ones, or the nominal one where there are no others."""
        return self.runs or (self.nominal,)

    @property
    def flown(self) -> tuple[PredictedRun, ...]:
        """Every flight once, the nominal one first."""
        return (self.nominal, *(run for run in self.runs if run.number != self.nominal.number))

    @property
    def distribution(self) -> Distribution:
        """Predicted outcomes by Aerialist's distance; runs that the planner's code ended say nothing."""
        return Distribution(tuple(run.as_run() for run in self.conclusive or self.counted), self.error)

    @property
    def centre_distribution(self) -> Distribution:
        """The same, measured to the vehicle's centre."""
        runs = self.conclusive or self.counted
        return Distribution(tuple(run.as_run(centre=True) for run in runs), self.error)

    @property
    def distance_m(self) -> float | None:
        """Predicted least distance (Aerialist's, corrected); None without obstacles or conclusive runs."""
        if not self.conclusive:
            return None
        distance_m = self.distribution.expected_distance_m
        return distance_m if math.isfinite(distance_m) else None

    @property
    def distance_interval(self) -> DistanceInterval | None:
        """Where a real flight's least distance lies, as often as it says; None where that was never measured.

        It was measured with so many drawn runs, so with fewer there is none.
        """
        if self.table is None or self.measure != "aerialist" or len(self.conclusive) < self.table.runs:
            return None
        interval_m = self.table.interval_m(self.distribution, mission_of(self.scenario))
        if interval_m is None:
            return None
        doubt = "a search chose this test" if self.chosen_by_search else unlike_records(self.scenario)
        return DistanceInterval(*interval_m, self.table.coverage, doubt)

    @property
    def margin(self) -> float | None:
        """The worst margin of the requirements: the median over the runs; None without requirements."""
        known = [run.margin for run in self.conclusive if run.margin is not None]
        return median(known) if known else None

    def margin_of(self, requirement: str) -> float | None:
        """The margin of one of the requirements, by its name in the list: the median over the runs."""
        place = self.requirements.index(requirement)
        found = [corrected_margin(run.verdict, run.distance_m, place) for run in self.conclusive]
        known = [margin for margin in found if margin is not None]
        return median(known) if known else None

    @property
    def failure_probability(self) -> float | None:
        """How likely the next real flight comes nearer than the safe distance, or violates a requirement.

        None for systems and planners that were not compared with real flights (uncalibrated): there
        `counts_sentence` and `interval` tell how the runs spread. Flights that confirm are counted.
        """
        if not self.conclusive or not (self.calibrated or self.evidence.confirms):
            return None
        if self.scenario.logical is not None or self.requirements:
            # The model's error was measured on plan-view distances; anything else is counted as flown.
            return self.failing / len(self.conclusive)
        return self.distribution.probability_below(self.safe_distance_m)

    @property
    def expected_points(self) -> float | None:
        """Mean competition points of a flight; None where another measure than Aerialist's distance counts."""
        if self.measure != "aerialist" or self.requirements or not self.conclusive:
            return None
        return self.distribution.expected_points

    @property
    def safe_distance_m(self) -> float:
        """What has to be kept: the competition's distance, or (in 3-D) that of the logical scenario."""
        logical = self.scenario.logical
        return SAFE_DISTANCE_M if logical is None else logical.safety_distance_m

    @property
    def measure(self) -> str:
        """How distances are measured: Aerialist's way, in plan view, or in 3-D."""
        return "aerialist" if self.scenario.logical is None or self.requirements else "3d"

    def _is_too_close(self, run: PredictedRun) -> bool:
        distance_m = run.distance_m if self.scenario.logical is None else run.verdict.min_distance_3d_m
        return run.verdict.is_nearer(distance_m, self.safe_distance_m)

    @property
    def conclusive(self) -> tuple[PredictedRun, ...]:
        """Counted runs that say something."""
        return tuple(run for run in self.counted if run.verdict.outcome is not Outcome.INCONCLUSIVE)

    @property
    def too_close(self) -> int:
        """Counted runs nearer than the safe distance, corrected."""
        return sum(self._is_too_close(run) for run in self.conclusive)

    def violates(self, run: PredictedRun) -> bool:
        """Does a run fail: violate a requirement or, without a list of them, come too close?"""
        if not self.requirements:
            return self._is_too_close(run)
        margin = run.margin
        if margin is not None and margin < 0.0:
            return True
        return any(one.violated for one in run.verdict.findings if one.margin is None)

    @property
    def failing(self) -> int:
        """Counted runs that fail."""
        return sum(self.violates(run) for run in self.conclusive)

    @property
    def collisions(self) -> int:
        """Counted runs that collide or come nearer than the collision distance, corrected."""
        return sum(run.verdict.is_nearer(run.distance_m, COLLISION_DISTANCE_M) for run in self.conclusive)

    @property
    def incomplete(self) -> int:
        """Counted runs that kept their distance but did not complete the mission."""
        return sum(run.verdict.outcome is Outcome.INCOMPLETE for run in self.conclusive)

    @property
    def is_unsafe(self) -> bool:
        """Is a requirement violated, or the mission incomplete?

        Flown: in any flight. Predicted: by the distance or in most runs; a collision in any run.
        """
        wrong = self.failing + self.incomplete
        if self.evidence.confirms and wrong:
            return True
        if self.requirements:
            near = self.margin is not None and self.margin < 0.0
            return near or 2 * wrong > len(self.conclusive)
        near = self.distance_m is not None and self.distance_m < self.safe_distance_m
        if self.scenario.logical is not None:
            near = self._is_too_close(self.nominal)
        return near or self.collisions > 0 or 2 * wrong > len(self.conclusive)

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of the share of runs that fail; only drawn runs allow one."""
        count = len(self.conclusive)
        return share_interval(self.failing, count) if self.runs and count else None

    @property
    def counts_sentence(self) -> str:
        """What the runs did, in a few words."""
        count = len(self.conclusive)
        if not count:
            return unjudged_words(len(self.counted))
        words = [f"collides {self.collisions}/{count}"] if self.collisions else []
        kind = "violates" if self.requirements else "too close"
        words.append(f"{kind} {self.failing}/{count}")
        if self.incomplete:
            words.append(f"incomplete {self.incomplete}/{count}")
        return ", ".join(words)

    def _repr_html_(self) -> str:
        """For notebooks."""
        known, distance_m = self.failure_probability, self.distance_m
        rows = [
            (
                "distance",
                None if distance_m is None else f"{distance_m:.2f} m ({MEASURE_WORDS[self.measure]})",
            ),
            ("of real flights", None if self.distance_interval is None else str(self.distance_interval)),
            ("worst margin", self.margin),
            ("failure probability", "uncalibrated" if known is None else probability_words(known)),
            ("runs", self.counts_sentence),
            ("nominal run", self.nominal.verdict.sentence),
            ("evidence", self.evidence.sentence),
            ("system", self.system),
        ]
        flown = [run.flight.trajectory.position_enu_m for run in self.flown]
        drawing = plan_view(flown, self.scenario.outlines_enu_m())
        return table_html(f"Prediction of {self.scenario.name or self.scenario.id}", rows, drawing)

    def to_json(self) -> dict[str, Any]:
        """Plain data, the same for every door."""
        interval = self.interval
        both = {"aerialist": self.distribution, "aerialist_centre": self.centre_distribution}
        if self.measure != "aerialist":
            both = {self.measure: self.distribution}
        return {
            "backend": self.backend,
            "evidence": self.evidence.value,
            "system": self.system,
            "preset_version": self.preset_version,
            "calibrated": self.calibrated,
            "unvalidated": [] if self.evidence.confirms else list(unvalidated(self.scenario)),
            "seed": self.seed,
            "runs": len(self.runs),
            "distance_m": self.distance_m,
            "distance_interval": None if self.distance_interval is None else self.distance_interval.to_json(),
            "failure_probability": self.failure_probability,
            **self._shares(interval),
            "counts": self.counts_sentence,
            "distances_m": [run.distance_m for run in self.runs],
            "nominal_distance_m": self.nominal.distance_m,
            "measures": {
                name: {
                    "distance_m": _finite(one.expected_distance_m),
                    "probability_below_1_5_m": one.probability_below(SAFE_DISTANCE_M)
                    if self.failure_probability is not None and not self.requirements
                    else None,
                }
                for name, one in both.items()
            },
        }

    def _shares(self, interval: tuple[float, float] | None) -> dict[str, Any]:
        """The share of runs that fail, under the name of what makes them fail."""
        share = self.failing / len(self.conclusive) if self.conclusive else None
        if not self.requirements:
            return {"share_too_close": share, "share_too_close_95": list(interval) if interval else None}
        return {
            "requirements": list(self.requirements),
            "margin": self.margin,
            "margins": [run.margin for run in self.runs],
            "nominal_margin": self.nominal.margin,
            "share_violating": share,
            "share_violating_95": list(interval) if interval else None,
        }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
