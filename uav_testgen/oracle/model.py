"""Was it safe: the judgement on one flight."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Final

from uav_testgen.core.notebook import table_html
from uav_testgen.flight.model import Ending
from uav_testgen.oracle.finding import Finding, worst


class Outcome(str, Enum):
    """What a flight showed.

    PASS kept its distance and completed the mission; SOFT_FAIL came too close; HARD_FAIL collided; INCOMPLETE
    kept its distance but hovered, got stuck, ran out of time or was aborted; INCONCLUSIVE cannot tell. Where a list
    of requirements was given, they decide instead of the distance: SOFT_FAIL violates one, HARD_FAIL does so in a
    collision.
    """

    PASS = "pass"
    SOFT_FAIL = "soft_fail"
    HARD_FAIL = "hard_fail"
    INCOMPLETE = "incomplete"
    INCONCLUSIVE = "inconclusive"


_IN_WORDS: Final = {
    Outcome.PASS: "safe",
    Outcome.SOFT_FAIL: "too close",
    Outcome.HARD_FAIL: "collides",
    Outcome.INCOMPLETE: "incomplete",
    Outcome.INCONCLUSIVE: "cannot tell",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Distances are NaN-free: None where there is no obstacle to be near to.

    `min_distance_3d_m` is the 3-D distance from the vehicle's centre to the nearest obstacle surface,
    between samples too; `min_distance_horizontal_m` the same in plan view;
    `min_distance_aerialist_m` Aerialist's figure (0.5 s averages, horizontal, minus half the vehicle's width).
    `findings` holds one entry for each requirement that was asked for; without a list there is none, and the
    distance decides.
    """

    outcome: Outcome
    ending: Ending
    min_distance_3d_m: float | None
    min_distance_horizontal_m: float | None
    min_distance_aerialist_m: float | None
    moment_s: float | None
    obstacle_index: int | None
    completed: bool
    duration_s: float
    sentence: str
    findings: tuple[Finding, ...] = ()

    @property
    def in_words(self) -> str:
        """The outcome as people are told it, in terminal, report and studio alike (`view/page/1_base.js`)."""
        if self.outcome is Outcome.SOFT_FAIL and self.findings:
            return "violates"
        return _IN_WORDS[self.outcome]

    @property
    def failed(self) -> bool:
        """True for a soft or hard failure."""
        return self.outcome in (Outcome.SOFT_FAIL, Outcome.HARD_FAIL)

    @property
    def worst(self) -> Finding | None:
        """The finding with the least margin; None without requirements or where none has a margin."""
        return worst(self.findings)

    def is_nearer(self, distance_m: float | None, limit_m: float) -> bool:
        """Did the run come nearer than a limit, by its corrected distance? One that ended by a collision did,
        were it with the ground."""
        return self.ending is Ending.COLLISION or (distance_m is not None and distance_m < limit_m)

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows: list[tuple[str, Any]] = [
            ("verdict", self.sentence),
            ("distance (Aerialist)", _metres(self.min_distance_aerialist_m)),
            ("distance (3-D)", _metres(self.min_distance_3d_m)),
            ("moment", None if self.moment_s is None else f"{self.moment_s:.1f} s"),
            ("duration", f"{self.duration_s:.1f} s"),
        ]
        rows += [
            (f"{'violated' if one.violated else 'requirement'}: {one.name}", one.sentence)
            for one in self.findings
        ]
        return table_html(f"Verdict: {self.outcome.value}", rows)

    def to_json(self) -> dict[str, Any]:
        """Plain data for files and the command line."""
        data = {one.name: getattr(self, one.name) for one in fields(self)}
        data["outcome"] = self.outcome.value
        data["ending"] = self.ending.value
        data["findings"] = [finding.to_json() for finding in self.findings]
        if not self.findings:  # nobody asked: the verdict is about the distance alone
            del data["findings"]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Verdict:
        """Inverse of `to_json`."""
        findings = tuple(Finding.from_json(finding) for finding in data.get("findings", ()))
        enums = {"outcome": Outcome(data["outcome"]), "ending": Ending(data["ending"])}
        return cls(**{**data, **enums, "findings": findings})


def _metres(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f} m"
