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
    longest = int(np.max(length, initial=0))
    table, span = values, 1
    while span <= longest:
        fits = (length >= span) & (length < 2 * span)
        if np.any(fits):
            result[fits] = np.minimum(table[first[fits]], table[last[fits] - span])
        if 2 * span > longest:
            break
        table = np.minimum(table[:-span], table[span:])
        span *= 2
    return result


def until(hold: FloatArray, reach: FloatArray, first: IntArray, last: IntArray) -> FloatArray:
    """max over j in the window of min(reach[j], min of hold from here up to, without, j).

    It is the least of three: hold up to the window, what `until_end` finds from there on, and the greatest reach inside
    the window. Where something is reached only behind the window but also inside it, hold has lasted until the
    earlier of the two.
    """
    result = np.full(len(hold), -np.inf)
    some = np.flatnonzero(first < last)
    begin = np.maximum(first[some], some)
    held = least(hold, some, begin)
    inside = -least(-reach, begin, last[some])
    result[some] = np.minimum(np.minimum(held, inside), until_end(hold, reach)[begin])
    return result


def until_end(hold: FloatArray, reach: FloatArray) -> FloatArray:
    """The same without a limit of time.

    Looking one sample further is x → max(reach, min(hold, x)); two such steps are one step of the same form, so
    doubling them comes to the end of the flight soon.
    """
    reached: FloatArray = reach.copy()
    held: FloatArray = hold.copy()
    span = 1
    while span < len(reached):
        later_reached, later_held = reached[span:].copy(), held[span:].copy()
        np.maximum(reached[:-span], np.minimum(held[:-span], later_reached), out=reached[:-span])
        np.minimum(held[:-span], later_held, out=held[:-span])
        span *= 2
    return reached
