"""The transform tree as a reader of `tf` and `tf_static` sees it: any frame in any other, at any time kept.

tf2_ros does the same in C++ and is not on the package index; a planner that takes clouds in any frame must not need
a ROS installation. Interpolates between samples as tf2 does (position linearly, rotation along the arc) and, like
tf2, never guesses beyond the newest one.
"""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import PlannerInputError

KEPT_NS: Final = 10_000_000_000
"""How long samples are kept, as in tf2."""
_DEEPEST: Final = 100
Quaternion = tuple[float, float, float, float]


class Placed(NamedTuple):
    """A frame in another one: `point in the other = rotation @ point + translation_m`."""

    rotation: FloatArray
    translation_m: FloatArray

    def then(self, outer: Placed) -> Placed:
        """This frame in the one that `outer` is given in."""
        return Placed(
            outer.rotation @ self.rotation, outer.rotation @ self.translation_m + outer.translation_m
        )

    def inverse(self) -> Placed:
        """The other frame in this one."""
        return Placed(self.rotation.T, -(self.rotation.T @ self.translation_m))

    def apply(self, points: FloatArray) -> FloatArray:
        """(n, 3) points of this frame in the other one."""
        moved: FloatArray = points @ self.rotation.T + self.translation_m
        return moved


@dataclass(slots=True)
class _Track:
    """Samples of one frame in its parent, by time; one without time where it never moves."""

    parent: str
    static: bool
    stamps_ns: list[int] = field(default_factory=list)
    samples: list[tuple[FloatArray, Quaternion]] = field(default_factory=list)


class TransformTree:
    """Everything said on `tf` and `tf_static` in the last seconds."""

    def __init__(self, kept_ns: int = KEPT_NS) -> None:
        self._kept_ns = kept_ns
        self._tracks: dict[str, _Track] = {}

    @property
    def frames(self) -> list[str]:
        """All frames heard of."""
        return sorted({*self._tracks, *(track.parent for track in self._tracks.values())})

    def parent(self, frame: str) -> str | None:
        """The frame in which this one is given; None for a root or a stranger."""
        track = self._tracks.get(frame)
        return track.parent if track else None

    def insert(
        self,
        parent: str,
        child: str,
        stamp_ns: int,
        translation_m: tuple[float, float, float],
        quaternion_wxyz: Quaternion,
        *,
        static: bool = False,
    ) -> None:
        """Take in one sample; PlannerInputError if it is no transform."""
        norm = math.sqrt(sum(part * part for part in quaternion_wxyz))
        if not (abs(norm - 1.0) < 0.01 and all(math.isfinite(part) for part in translation_m)):
            raise PlannerInputError(f"transform {parent} -> {child} is no rotation and translation")
        if not parent or not child or parent == child:
            raise PlannerInputError(f"transform '{parent}' -> '{child}': two different frames are needed")
        w, x, y, z = (part / norm for part in quaternion_wxyz)
        sample = (np.array(translation_m, dtype=np.float64), (w, x, y, z))
        track = self._tracks.get(child)
        if track is None or track.parent != parent or track.static != static:
            track = self._tracks[child] = _Track(parent, static)
        if static:
            track.stamps_ns, track.samples = [0], [sample]
            return
        place = bisect.bisect_left(track.stamps_ns, stamp_ns)
        if place < len(track.stamps_ns) and track.stamps_ns[place] == stamp_ns:
            track.samples[place] = sample
            return
        track.stamps_ns.insert(place, stamp_ns)
        track.samples.insert(place, sample)
        old = bisect.bisect_left(track.stamps_ns, track.stamps_ns[-1] - self._kept_ns)
        del track.stamps_ns[:old], track.samples[:old]

    def lookup(self, target: str, source: str, stamp_ns: int) -> Placed:
        """The source frame in the target frame at a time; PlannerInputError says what is missing."""
        down, up = self._chain(source), self._chain(target)
        shared = next((frame for frame in down if frame in up), None)
        if shared is None:
            raise PlannerInputError(
                f"no transform from '{source}' to '{target}': "
                + (f"tf has {', '.join(self.frames)}" if self._tracks else "nothing was heard on tf")
            )
        return self._placed(down, shared, stamp_ns).then(self._placed(up, shared, stamp_ns).inverse())

    def _chain(self, frame: str) -> list[str]:
        """The frame and what it hangs on, up to its root."""
        chain = [frame]
        while (parent := self.parent(chain[-1])) is not None:
            if len(chain) > _DEEPEST:
                raise PlannerInputError(f"tf has a loop at '{frame}'")
            chain.append(parent)
        return chain

    def _placed(self, chain: list[str], upto: str, stamp_ns: int) -> Placed:
        placed = Placed(np.eye(3), np.zeros(3))
        for frame in chain[: chain.index(upto)]:
            placed = placed.then(self._at(frame, stamp_ns))
        return placed

    def _at(self, frame: str, stamp_ns: int) -> Placed:
        track = self._tracks[frame]
        if track.static:
            return _placed(*track.samples[0])
        first, last = track.stamps_ns[0], track.stamps_ns[-1]
        if not first <= stamp_ns <= last:
            raise PlannerInputError(
                f"transform {track.parent} -> {frame} is known from {1e-9 * first:.3f} to "
                f"{1e-9 * last:.3f} s, not at {1e-9 * stamp_ns:.3f} s"
            )
        place = bisect.bisect_left(track.stamps_ns, stamp_ns)
        after_m, after_q = track.samples[place]
        if track.stamps_ns[place] == stamp_ns:
            return _placed(after_m, after_q)
        before_m, before_q = track.samples[place - 1]
        span = track.stamps_ns[place] - track.stamps_ns[place - 1]
        share = (stamp_ns - track.stamps_ns[place - 1]) / span
        return _placed(before_m + share * (after_m - before_m), _between(before_q, after_q, share))


def _placed(translation_m: FloatArray, quaternion: Quaternion) -> Placed:
    return Placed(matrix_of(quaternion), translation_m)


def matrix_of(quaternion_wxyz: Quaternion) -> FloatArray:
    """The rotation of a unit quaternion."""
    w, x, y, z = quaternion_wxyz
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def quaternion_of_matrix(rotation: FloatArray) -> Quaternion:
    """The unit quaternion of a rotation; the largest component is computed first, so none is lost."""
    m = rotation
    squares = (
        1.0 + m[0, 0] + m[1, 1] + m[2, 2],
        1.0 + m[0, 0] - m[1, 1] - m[2, 2],
        1.0 - m[0, 0] + m[1, 1] - m[2, 2],
        1.0 - m[0, 0] - m[1, 1] + m[2, 2],
    )
    largest = max(range(4), key=lambda part: squares[part])
    double = math.sqrt(squares[largest])
    mixed = {
        0: (double * double, m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]),
        1: (m[2, 1] - m[1, 2], double * double, m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]),
        2: (m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], double * double, m[1, 2] + m[2, 1]),
        3: (m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], double * double),
    }[largest]
    w, x, y, z = (float(part) / (2.0 * double) for part in mixed)
    return (w, x, y, z)


def _between(before: Quaternion, after: Quaternion, share: float) -> Quaternion:
    """Along the shorter arc."""
    cosine = sum(a * b for a, b in zip(before, after, strict=True))
    sign = 1.0 if cosine >= 0.0 else -1.0
    angle = math.acos(min(1.0, abs(cosine)))
    if angle < 1e-9:
        return before
    one, two = math.sin((1.0 - share) * angle), sign * math.sin(share * angle)
    w, x, y, z = ((one * a + two * b) / math.sin(angle) for a, b in zip(before, after, strict=True))
    return (w, x, y, z)
