"""Trust of a drone: equations 1 to 3 of the lightweight drone simulator's paper."""

from __future__ import annotations

from dataclasses import dataclass

# Half a battery is enough to go out, work and come back, so trust falls only below this share.
TRUSTED_BATTERY_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class TrustWeights:
    """Weights of punctuality (alpha) and battery (beta) in equation 3."""

    alpha: float = 0.5
    beta: float = 0.5


def task_score(estimated_ticks: int, actual_ticks: int) -> float:
    """How punctual one task was: estimated over actual time, at most 1."""
    if actual_ticks <= 0:
        return 1.0
    return min(1.0, estimated_ticks / actual_ticks)


def time_trust(current_trust: float, estimated_ticks: int, actual_ticks: int) -> float:
    """Equation 1, limited to 1."""
    return min(1.0, current_trust * task_score(estimated_ticks, actual_ticks))


def battery_trust(current_trust: float, battery_level: float, battery_max: float) -> float:
    """Equation 2: unchanged above half a battery, falling in proportion below."""
    share = battery_level / (battery_max * TRUSTED_BATTERY_SHARE)
    return min(1.0, current_trust * min(1.0, share))


def updated_trust(
    current_trust: float,
    *,
    estimated_ticks: int,
    actual_ticks: int,
    battery_level: float,
    battery_max: float,
    weights: TrustWeights,
) -> float:
    """Equation 3 after a task, kept in 0..1."""
    combined = weights.alpha * time_trust(current_trust, estimated_ticks, actual_ticks)
    combined += weights.beta * battery_trust(current_trust, battery_level, battery_max)
    return max(0.0, min(1.0, combined))
