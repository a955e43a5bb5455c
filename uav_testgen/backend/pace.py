"""How many flights of a backend may go on at a time, and how long one may take by its own settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from uav_testgen.backend.registry import BACKENDS, check_settings


def repeats_flights(backend: str) -> bool:
    """Does the same scenario with the same seed give the same flight?"""
    return bool(BACKENDS.load(backend).capabilities.deterministic)


def flights_at_once(backend: str, settings: Mapping[str, Any], jobs: int) -> int:
    """Worker processes: a simulator uses the whole machine and its ports, unless its settings say otherwise.

    Workers behind a folder have machines of their own. 0 stays 0: this process.
    """
    if repeats_flights(backend) or backend == "folder":
        return jobs
    config = check_settings(backend, settings)
    return min(jobs, int(getattr(config, "parallel", 1)))


def flight_limit_s(backend: str, settings: Mapping[str, Any], given_s: float) -> float:
    """When a worker is stopped: not before the backend's own limit, which ends a simulator in order."""
    if repeats_flights(backend):
        return given_s
    config = check_settings(backend, settings)
    return max(given_s, float(getattr(config, "longest_flight_s", 0.0)))
