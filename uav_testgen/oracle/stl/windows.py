"""Least and greatest values in windows of time around every sample, all at once."""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.core.arrays import FloatArray, IntArray

_SAME_S = 1e-6
"""Sample times are sums of steps; a sample on the border of a window is inside it."""


def bounds(t_s: FloatArray, low_s: float, high_s: float) -> tuple[IntArray, IntArray]:
    """For every sample the first and (excluded) last sample from `low_s` to `high_s` later."""
    first = np.searchsorted(t_s, t_s + low_s - _SAME_S, side="left")
    if math.isinf(high_s):
        return first, np.full(len(t_s), len(t_s))
    return first, np.searchsorted(t_s, t_s + high_s + _SAME_S, side="right")


def least(values: FloatArray, first: IntArray, last: IntArray) -> FloatArray:
    """Minimum of values[first:last] for every window; infinite for an empty one.

    A table of minima over 1, 2, 4, … neighbours: two of them cover any window.
    """
    result = np.full(len(first), np.inf)
    length = last - first
    table, span = values, 1
    while span <= len(values):
        fits = (length >= span) & (length < 2 * span)
        if np.any(fits):
            result[fits] = np.minimum(table[first[fits]], table[last[fits] - span])
        if 2 * span > len(values):
            break
        table = np.minimum(table[:-span], table[span:])
        span *= 2
    return result


def until(hold: FloatArray, reach: FloatArray, first: IntArray, last: IntArray) -> FloatArray:
    """max over j in the window of min(reach[j], min of hold from here up to, without, j)."""
    result = np.full(len(hold), -np.inf)
    for i in range(len(hold)):
        j, end = int(first[i]), int(last[i])
        if j >= end:
            continue
        held = np.empty(end - i)
        held[0] = np.inf
        np.minimum.accumulate(hold[i : end - 1], out=held[1:])
        result[i] = np.max(np.minimum(reach[j:end], held[j - i :]))
    return result


def until_end(hold: FloatArray, reach: FloatArray) -> FloatArray:
    """The same without a limit of time, from the end backwards."""
    result = np.empty(len(hold))
    later = -np.inf
    for i in range(len(hold) - 1, -1, -1):
        later = max(min(float(hold[i]), later), float(reach[i]))
        result[i] = later
    return result
