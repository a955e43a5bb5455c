"""Follows the store of a job while another process appends to it: only whole, undamaged lines count."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from uav_testgen.campaign.confirm import KIND as CONFIRMATION
from uav_testgen.campaign.record import PLANNERS
from uav_testgen.campaign.search import KIND as EVALUATION
from uav_testgen.campaign.study.matrix import CELL
from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.work.store import FILE_NAME, Record, decode

MOST_BYTES_AT_ONCE = 32 * 1024 * 1024


class StoreReader:
    """What is known of a job so far; `read_on` takes in what was appended since.

    `is_brief` leaves out what only the view of a single search shows.
    """

    def __init__(self, folder: Path, *, is_brief: bool = False) -> None:
        self._path = folder / FILE_NAME
        self._is_brief = is_brief
        self._offset = 0
        self._places: dict[int, tuple[int, int]] = {}
        self._forget()

    def _forget(self) -> None:
        self._offset = 0
        self._places = {}
        self.header: dict[str, Any] = {}
        self.first_kind = ""
        self.accept_below_m = SAFE_DISTANCE_M
        self.cells: list[dict[str, Any]] = []
        """Finished runs of a study or comparison, as stored."""
        self.kinds: set[str] = set()
        self.evaluations: list[dict[str, Any]] = []
        self.flown_again: list[dict[str, Any]] = []
        """Flights of other backends, in the order they ended."""
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
            except (
                ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
            ) as error:  # fmt: skip
                self.trouble = f"a record cannot be read ({error})"[:200]
            self._offset += len(line)

    def _take(self, record: Record, size: int) -> None:
        if not self.kinds:
            self._take_header(record)
        self.kinds.add(record.kind)
        if record.kind == CELL:
            self.cells.append(record.body)
        if record.kind == CONFIRMATION:
            self.flown_again.append(_flown_again(record.body))
        if record.kind != EVALUATION:
            return
        body = record.body
        number, scenario = int(body["number"]), body["scenario"]
        self._places[number] = (self._offset, size)
        verdicts = body.get("verdicts") or [{}]
        distance_m, margin = body.get("distance_m"), body.get("margin")
        found = {
            "number": number,
            "status": str(body.get("status")),
            "distance_m": distance_m,
            "margin": margin,
            "fails": margin < 0.0 if margin is not None else self._is_near(distance_m),
            "nominal_m": next(iter(body.get("distances_m") or [None])),
            "runs": int((body.get("details") or {}).get("flights") or len(verdicts)),
        }
        if not self._is_brief:
            found |= {
                "failure_probability": body.get("failure_probability"),
                "outcome": verdicts[0].get("outcome"),
                "obstacles": [
                    [
                        *one["center_enu_m"][:2], *one["size_m"][:2], one.get("yaw_rad", 0.0), one.get("shape", "box"),
                    ]
                    for one in scenario.get("obstacles", [])
                ],
            }  # fmt: skip
            if PLANNERS in (body.get("details") or {}):
                found["planners"] = body["details"][PLANNERS]
        self.evaluations.append(found)

    def _take_header(self, record: Record) -> None:
        self.header, self.first_kind = record.body, record.kind
        config = record.body.get("config") or {}
        given = (config.get("screening") or {}).get("accept_below_m", config.get("accept_below_m"))
        if isinstance(given, int | float) and math.isfinite(given):
            self.accept_below_m = float(given)

    def _is_near(self, distance_m: Any) -> bool:
        return distance_m is not None and distance_m < self.accept_below_m

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
            "failures": sum(one["fails"] for one in self.evaluations),
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
            count += one["fails"]
            if distance_m is not None:
                least = min(least, distance_m)
            if index % every == 0 or improved or index == len(self.evaluations) - 1:
                numbers.append(one["number"])
                distances.append(None if distance_m is None else round(distance_m, 3))
                failures.append(count)
                best.append(None if math.isinf(least) else round(least, 3))
        return {"numbers": numbers, "distances": distances, "failures": failures, "best": best}


def _flown_again(body: dict[str, Any]) -> dict[str, Any]:
    """One flight of a test by another backend."""
    return {
        "number": int(body["evaluation"]),
        "backend": str(body.get("backend")),
        "distance_m": body.get("distance_m"),
        "outcome": (body.get("verdict") or {}).get("outcome"),
        "message": str(body.get("message") or "")[:300],
    }
