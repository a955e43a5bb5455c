"""What a search can say about itself: how its generations went, and which tests it would hand in.

Optional: a generator that has nothing to say leaves `report` out, and campaigns treat it as before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class GeneratorReport:
    """A search in retrospect; a function of what was asked and told, so that replaying brings it back.

    `generations` has one row of finite numbers for each finished generation, all with the same columns, the
    first of which is `generation`; units are part of the names. `selection` holds the numbers of the
    evaluations the search keeps, best first; None leaves the choice to the campaign. `best` is the evaluation
    that is handed in whatever it is worth, for a search that is defined by returning its best.
    """

    generations: tuple[Mapping[str, float], ...] = ()
    selection: tuple[int, ...] | None = None
    best: int | None = None

    @property
    def speaks_of_generations(self) -> bool:
        """False for a search that has none and only names its best."""
        return bool(self.generations) or self.selection is not None

    def to_json(self) -> dict[str, Any]:
        """Plain data for stores and summaries."""
        return {
            "generations": [dict(row) for row in self.generations],
            "selection": None if self.selection is None else list(self.selection),
            "best": self.best,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GeneratorReport:
        """Inverse of `to_json`."""
        selection, best = data["selection"], data.get("best")
        return cls(
            generations=tuple(dict(row) for row in data["generations"]),
            selection=None if selection is None else tuple(int(number) for number in selection),
            best=None if best is None else int(best),
        )


@runtime_checkable
class Reporting(Protocol):
    """A generator that reports."""

    def report(self) -> GeneratorReport:
        """The search so far; changes nothing and may be asked at any time."""
        ...


def report_of(generator: object) -> GeneratorReport | None:
    """What a generator says about its search; None if it says nothing."""
    return generator.report() if isinstance(generator, Reporting) else None


def generations_of(generator: object) -> Sequence[Mapping[str, float]]:
    """The completed generations so far; empty for a generator that has none. Cheap enough for every batch."""
    rows: Sequence[Mapping[str, float]] = getattr(generator, "generations", ())
    return rows
