"""A finished campaign in Python: its tests, best first, and what to do with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from uav_testgen.core.errors import InputFileError, MissingDependency
from uav_testgen.core.extras import way_to_get
from uav_testgen.core.notebook import table_html
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario
from uav_testgen.statistics.percent import probability_words


@dataclass(frozen=True)
class FoundTest:
    """A test of the suite, with what was predicted for it."""

    rank: int
    file: Path
    distance_m: float | None
    """Predicted least distance, by Aerialist's measure; None without obstacles."""
    failure_probability: float | None
    """None where it is uncalibrated: `counts` says what the runs did."""
    counts: str
    """What the runs did, such as "too close 5/5"."""
    facts: dict[str, Any]
    """Everything summary.json says about it."""

    @cached_property
    def scenario(self) -> Scenario:
        """The test itself."""
        return load_scenario(self.file)

    def __str__(self) -> str:
        return f"test {self.rank}: {_described(self)}"

    def __repr__(self) -> str:
        return f"<{self}>"


class CampaignResults:
    """The folder of a campaign.

    results = campaign("mission2", budget=100)
    results.best.scenario, results.to_pandas(), results.report()
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        path = self.folder / "summary.json"
        try:
            self.summary: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            self.tests = tuple(self._test(facts) for facts in self.summary["tests"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputFileError(
                f"{path}: no readable result of a campaign ({type(error).__name__}: {error}); "
                f"write it again with: uav-testgen report {self.folder}"
            ) from None

    def _test(self, facts: dict[str, Any]) -> FoundTest:
        return FoundTest(
            facts["rank"], self.folder / facts["file"], facts["distance_m"], facts["failure_probability"],
            facts["counts"], facts,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.tests)

    def __iter__(self) -> Iterator[FoundTest]:
        return iter(self.tests)

    @property
    def best(self) -> FoundTest | None:
        """The first of the suite; None if nothing failed."""
        return self.tests[0] if self.tests else None

    def to_pandas(self) -> Any:
        """One row per evaluation, as in evaluations.csv."""
        try:
            import pandas
        except ImportError:
            raise MissingDependency(f"to_pandas needs pandas; {way_to_get('pandas')}") from None
        return pandas.read_csv(self.folder / "evaluations.csv")

    def report(self) -> Path:
        """The report: one HTML page that needs no network."""
        return self.folder / "report.html"

    def plot(self, rank: int = 1) -> Any:
        """Figure of a test: its predicted runs over time and on the map."""
        from uav_testgen.flight.json_io import load_flights
        from uav_testgen.oracle.judging import judge
        from uav_testgen.view.plots import flight_figure

        test = self.tests[rank - 1]
        _, flights = load_flights(self.folder / "flights" / f"{test.file.stem}.json")
        verdicts = [judge(test.scenario, flight) for flight in flights]
        return flight_figure(test.scenario, flights, verdicts, title=f"test {rank}: {test.counts}")

    def _repr_html_(self) -> str:
        """For notebooks: the numbers, and the best tests."""
        found = self.summary
        rows = [
            ("evaluations", found["evaluations"]),
            ("predicted failures", found["failures"]),
            ("requirements", ", ".join(found.get("requirements", ())) or None),
            ("report", self.report()),
            *((f"test {test.rank}", _described(test)) for test in self.tests[:10]),
        ]
        return table_html(f"Campaign '{found['name']}' on {found['case']}", rows)

    def __repr__(self) -> str:
        found = self.summary
        return (
            f"<campaign '{found['name']}': {found['failures']} predicted failures in {found['evaluations']} "
            f"evaluations, {len(self)} tests in {self.folder}>"
        )


def _described(test: FoundTest) -> str:
    distance = "no obstacle" if test.distance_m is None else f"{test.distance_m:.2f} m"
    chance = test.failure_probability
    likely = "uncalibrated" if chance is None else f"failure probability {probability_words(chance)}"
    return f"{distance}, {test.counts}, {likely}: {test.file}"
