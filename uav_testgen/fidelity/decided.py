"""What recorded flights decide about the numbers of a vehicle, and what they leave open.

Every value that was tried has a score on flights that bias and spread were not fitted on. A value is excluded if the
one that is kept scores better in nearly all sets of missions drawn again. What is not excluded explains the flights as
well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.rng import stream
from uav_testgen.fidelity.records import Record
from uav_testgen.fidelity.score import chance_of_gain

SURE = 0.9
"""What holds in this share of the sets of missions drawn again is taken as sure."""
ENOUGH_MISSIONS = 5
"""Of fewer missions, all may gain by chance."""
LEAST_GROUPS = 3
"""Scenes of which each can be left out."""
_DRAWS = 200


@dataclass(frozen=True, slots=True)
class Decision:
    """One number or switch: what it was, what it is now, and whether the flights say so."""

    name: str
    before: Any
    after: Any
    gain: float
    """By how much the left-out score falls with the best other value tried; negative: it rises."""
    chance: float | None
    """Share of sets of missions, drawn again, in which that value is better; None where there was nothing to try."""
    interval: tuple[float, float] | None
    """Of a tried number: from the least to the largest value tried that is not excluded. Of a fitted one: 95 %."""
    decided: bool

    def to_json(self) -> dict[str, Any]:
        """Plain data, rounded."""
        data = asdict(self)
        data["gain"] = round(self.gain, 5)
        data["chance"] = None if self.chance is None else round(self.chance, 3)
        data["interval"] = None if self.interval is None else [round(value, 4) for value in self.interval]
        return data


def left_out_by(records: Sequence[Record]) -> str:
    """What is left out together: missions; where there are few of them, scenes."""
    return "missions" if len({record.mission for record in records}) >= ENOUGH_MISSIONS else "scenes"


def groups_of(records: Sequence[Record]) -> list[str]:
    """The mission or the scene of every record; repeated flights of a scene stay together."""
    if left_out_by(records) == "missions":
        return [record.mission for record in records]
    return [
        f"{record.mission} {sorted((o.center_enu_m, o.size_m, o.yaw_rad) for o in record.scenario.obstacles)}"
        for record in records
    ]


def enough_groups(records: Sequence[Record]) -> bool:
    """Can some be left out?"""
    return len(set(groups_of(records))) >= LEAST_GROUPS


def decide(
    effect: str,
    values: Sequence[Mapping[str, Any]],
    scores: Sequence[FloatArray],
    kept: int,
    groups: Sequence[str],
    seed: int,
) -> Decision:
    """About one effect: `values` and their left-out scores per record, those in force first; `kept` is chosen."""

    def better(one: int, other: int) -> float:
        return chance_of_gain(
            scores[other] - scores[one], groups, stream(seed, f"decide {effect} {one} {other}")
        )

    others = [number for number in range(len(values)) if number != kept]
    open_ones = [number for number in others if better(kept, number) < SURE]
    rivals = range(1, len(values))
    best = kept if kept else min(rivals, key=lambda number: float(np.mean(scores[number])), default=0)
    gain = float(np.mean(scores[0]) - np.mean(scores[best])) if best else 0.0
    return Decision(
        name=effect,
        before=_told(values[0]),
        after=_told(values[kept]),
        gain=gain,
        chance=better(best, 0) if best else None,
        interval=_interval([values[number] for number in (kept, *open_ones)]),
        decided=bool(others) and not open_ones,
    )


def decide_fitted(
    name: str,
    before: float,
    after: float,
    fitted_on: Callable[[np.ndarray[Any, np.dtype[np.int64]]], float],
    groups: Sequence[str],
    wide: float,
    gain: float,
    chance: float | None,
    seed: int,
) -> Decision:
    """About a fitted number: `fitted_on` fits it to chosen records; an interval wider than `wide` decides nothing."""
    labels = np.array(groups)
    names = sorted(set(groups))
    random = stream(seed, f"decide {name}")
    found = []
    for _ in range(_DRAWS):
        drawn = random.integers(0, len(names), len(names))
        rows = np.concatenate([np.flatnonzero(labels == names[number]) for number in drawn])
        found.append(fitted_on(rows))
    low, high = (float(value) for value in np.percentile(found, (2.5, 97.5)))
    return Decision(name, round(before, 3), round(after, 3), gain, chance, (low, high), high - low <= wide)


def undecided_after(
    before: Mapping[str, tuple[float, float]],
    decisions: Sequence[Decision],
    paths: Mapping[str, str],
) -> dict[str, tuple[float, float]]:
    """The ranges a preset names as not decided, renewed for what was tried; `paths`: the field of an effect."""
    ranges = dict(before)
    for one in decisions:
        path = paths.get(one.name)
        if path is None:
            continue
        ranges.pop(path, None)
        if not one.decided and one.interval is not None and one.interval[0] < one.interval[1]:
            ranges[path] = one.interval
    return ranges


def numeric_path(values: Sequence[Mapping[str, Any]]) -> str | None:
    """The one field that all values set, if they are numbers."""
    paths = {path for value in values for path in value}
    numbers = [number for value in values for number in value.values()]
    if len(paths) != 1 or any(isinstance(one, bool) or not isinstance(one, (int, float)) for one in numbers):
        return None
    return paths.pop()


def _interval(values: Sequence[Mapping[str, Any]]) -> tuple[float, float] | None:
    if numeric_path(values) is None:
        return None
    numbers = [float(number) for value in values for number in value.values()]
    return min(numbers), max(numbers)


def _told(value: Mapping[str, Any]) -> Any:
    """A single value as it is, several by their names."""
    if len(value) == 1:
        return next(iter(value.values()))
    return ", ".join(f"{path.rpartition('.')[2]}={one}" for path, one in value.items())
