"""Follows the store of a campaign while another process appends to it: only whole, undamaged lines count."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from uav_testgen.campaign.runner import HEADER
from uav_testgen.campaign.search import KIND as EVALUATION
from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.work.store import FILE_NAME, Record, decode

MOST_BYTES_AT_ONCE = 32 * 1024 * 1024


class StoreReader:
    """What is known of a campaign so far; `read_on` takes in what was appended since."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._offset = 0
        self._places: dict[int, tuple[int, int]] = {}
        self._forget()

    def _forget(self) -> None:
        self._offset = 0
        self._places = {}
        self.header: dict[str, Any] = {}
        self.kinds: set[str] = set()
        self.evaluations: list[dict[str, Any]] = []
        self.trouble = ""

    def read_on(self) -> None:
        """Take in appended lines; a file that shrank is read anew."""
        try:
            size = self._path.stat().st_size
            if size < self._offset:
                self._forget()
            with self._path.open("rb") as source:
                source.seek(self._offset)
                data = source.read(MOST_BYTES_AT_ONCE)
        except OSError:
            return
        end = data.rfind(b"\n") + 1
        for line in data[:end].splitlines(keepends=True):
            try:
                self._take(decode(line), len(line))
                self.trouble = ""
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                self.trouble = f"a record cannot be read ({error})"[:200]
            self._offset += len(line)

    def _take(self, record: Record, size: int) -> None:
        self.kinds.add(record.kind)
        if record.kind == HEADER:
            self.header = record.body
        if record.kind != EVALUATION:
            return
        body = record.body
        number, scenario = int(body["number"]), body["scenario"]
        self._places[number] = (self._offset, size)
        verdicts = body.get("verdicts") or [{}]
        self.evaluations.append(
            {
                "number": number,
                "status": str(body.get("status")),
                "distance_m": body.get("distance_m"),
                "failure_probability": body.get("failure_probability"),
                "outcome": verdicts[0].get("outcome"),
                "runs": len(verdicts),
                "obstacles": [
                    [
                        *one["center_enu_m"][:2],
                        *one["size_m"][:2],
                        one.get("yaw_rad", 0.0),
                        one.get("shape", "box"),
                    ]
                    for one in scenario.get("obstacles", [])
                ],
            }
        )

    def body_of(self, number: int) -> dict[str, Any] | None:
        """The stored content of an evaluation, read anew."""
        if number not in self._places:
            return None
        offset, size = self._places[number]
        with self._path.open("rb") as source:
            source.seek(offset)
            return decode(source.read(size)).body

    def counts(self) -> dict[str, Any]:
        """Evaluations, flights, failures and the best distance so far."""
        distances = [one["distance_m"] for one in self.evaluations if one["distance_m"] is not None]
        return {
            "evaluated": len(self.evaluations),
            "flights": sum(one["runs"] for one in self.evaluations),
            "failures": sum(distance < SAFE_DISTANCE_M for distance in distances),
            "best_m": min(distances, default=None),
        }

    def progress(self, most: int) -> dict[str, Any]:
        """Distances in order, as the report's chart of the search reads them."""
        numbers, distances, failures, best = [], [], [], []
        count, least = 0, math.inf
        every = max(1, math.ceil(len(self.evaluations) / most))
        # Workers finish in any order; the chart follows the search.
        for index, one in enumerate(sorted(self.evaluations, key=lambda one: one["number"])):
            distance_m = one["distance_m"]
            improved = distance_m is not None and distance_m < least
            if distance_m is not None:
                count += distance_m < SAFE_DISTANCE_M
                least = min(least, distance_m)
            if index % every == 0 or improved or index == len(self.evaluations) - 1:
                numbers.append(one["number"])
                distances.append(None if distance_m is None else round(distance_m, 3))
                failures.append(count)
                best.append(None if math.isinf(least) else round(least, 3))
        return {"numbers": numbers, "distances": distances, "failures": failures, "best": best}
