"""How good certificates are: coverage of the interval, flights saved against plain Monte Carlo, one flown scene.

python benchmarks/certify.py                 # analytic cases, a minute
python benchmarks/certify.py --unused        # analytic cases that no setting was chosen on
python benchmarks/certify.py --flown 20000   # and a short scene against so many flights (minutes)
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import chdtri, gammainccinv, log_ndtr, ndtr

from uav_testgen.assurance.study import Study, run_study
from uav_testgen.core.arrays import FloatArray
from uav_testgen.scenario.model import Mission, Scenario, Waypoint, obstacle_on_ground
from uav_testgen.statistics.intervals import exact_interval
from uav_testgen.statistics.splitting import split

Margin = Callable[[FloatArray], FloatArray]
FORMULA = "always (clearance > 2.72)"


def plane(beta: float) -> Margin:
    """Fails beyond a plane."""
    return lambda x: np.asarray(beta - x.sum(axis=1) / math.sqrt(x.shape[1]))


def two_sided(beta: float) -> Margin:
    """Fails in two directions that have nothing to do with each other."""
    return lambda x: np.asarray(beta - np.abs(x[:, 0]))


def four_branches(beta: float) -> Margin:
    """Waarts' series system with four branches in two of the directions; beta is 3 in the literature."""

    def margin(x: FloatArray) -> FloatArray:
        one, other = x[:, 0], x[:, 1]
        bent, across = 0.1 * (one - other) ** 2, (one + other) / math.sqrt(2.0)
        straight = 7.0 / math.sqrt(2.0) + (beta - 3.0)
        branches = (
            beta + bent - across,
            beta + bent + across,
            one - other + straight,
            other - one + straight,
        )
        return np.asarray(np.minimum.reduce(branches))

    return margin


def by_quadrature(margin: Margin) -> float:
    """The probability of a margin below 0 that depends on the first two directions only."""
    places = np.linspace(-8.0, 8.0, 2001)
    weights = np.exp(-0.5 * places**2) / math.sqrt(2.0 * math.pi) * (places[1] - places[0])
    one, other = (grid.ravel() for grid in np.meshgrid(places, places, indexing="ij"))
    return float(np.sum(np.outer(weights, weights).ravel()[margin(np.column_stack([one, other])) < 0.0]))


CASES: dict[str, tuple[Margin, float]] = {
    "plane, 1e-3": (plane(3.0902), float(ndtr(-3.0902))),
    "two sides, 1e-3": (two_sided(3.2905), 2.0 * float(ndtr(-3.2905))),
    "plane, 1e-5": (plane(4.2649), float(ndtr(-4.2649))),
    "two sides, 1e-5": (two_sided(4.4172), 2.0 * float(ndtr(-4.4172))),
    "four, 2e-3": (four_branches(3.0), by_quadrature(four_branches(3.0))),
    "four, 1e-3": (four_branches(3.2), by_quadrature(four_branches(3.2))),
    "four, 1e-5": (four_branches(4.5), by_quadrature(four_branches(4.5))),
}


def sphere(probability: float) -> Margin:
    """Fails far from the middle in any direction: all eight numbers matter, none more than another."""
    radius = math.sqrt(chdtri(8, probability))
    return lambda x: np.asarray(radius - np.sqrt(np.sum(x * x, axis=1)))


def exponentials(probability: float) -> Margin:
    """Fails where a sum of eight exponential times is long: curved, with one long tail each."""
    longest = float(gammainccinv(8.0, probability))
    return lambda x: np.asarray(longest + np.sum(log_ndtr(-x), axis=1))


def parabola(probability: float) -> Margin:
    """Fails beyond a bent border, whose distance makes the probability what it is wanted to be."""

    def bent(away: float) -> Margin:
        return lambda x: np.asarray(away + 0.3 * x[:, 1] ** 2 - x[:, 0])

    def surplus(away: float) -> float:
        return float(quad(lambda t: math.exp(-0.5 * t * t) * ndtr(-away - 0.3 * t * t), -9.0, 9.0,
                          epsabs=1e-15)[0]) / math.sqrt(2.0 * math.pi) - probability  # fmt: skip

    return bent(float(brentq(surplus, 0.0, 8.0, xtol=1e-9)))


UNUSED: dict[str, tuple[Margin, float]] = {
    f"{name}, {written}": (made(float(written)), float(written))
    for written in ("1e-3", "1e-5")
    for name, made in (("sphere", sphere), ("exponentials", exponentials), ("parabola", parabola))
}
"""Cases that no setting was chosen on."""


def monte_carlo_flights(probability: float, interval: tuple[float, float]) -> float:
    """Independent flights for an exact interval as narrow (on a logarithmic scale) as this one."""
    wanted = math.log(interval[1] / interval[0])
    low, high = 1.0, 1e12
    while high / low > 1.01:
        count = math.sqrt(low * high)
        ends = exact_interval(round(count * probability), round(count))
        narrow = ends[0] > 0.0 and math.log(ends[1] / ends[0]) <= wanted
        low, high = (low, count) if narrow else (count, high)
    return high


def analytic(cases: dict[str, tuple[Margin, float]], repeats: int) -> None:
    """Coverage and cost where the truth is known."""
    print(f"{'case':<20}{'covered':>9}{'its 95 % interval':>20}{'mean/truth':>12}{'flights':>9}{'saved':>8}")
    for name, (margin, truth) in cases.items():
        found = [split(margin, 8, seed) for seed in range(repeats)]
        held = sum(one.interval[0] <= truth <= one.interval[1] for one in found)
        low, high = exact_interval(held, repeats)
        flights = float(np.mean([one.evaluations for one in found]))
        widths = sorted(found, key=lambda one: one.interval[1] / one.interval[0])
        saved = monte_carlo_flights(truth, widths[len(widths) // 2].interval) / flights
        mean = float(np.mean([one.probability for one in found])) / truth
        covered = f"{held / repeats:>9.3f}{f'{low:.3f} to {high:.3f}':>20}"
        print(f"{name:<20}{covered}{mean:>12.3f}{flights:>9.0f}{saved:>7.1f}x")


def short_scene() -> Scenario:
    """Fifteen seconds past a pillar."""
    mission = Mission(
        waypoints=(Waypoint(position_enu_m=(9.0, 0.0, 5.0)),),
        home_enu_m=(0.0, 0.0, 5.0),
        takeoff=False,
        land=False,
    )
    return Scenario(
        mission=mission, obstacles=(obstacle_on_ground(5.0, 2.9, (1.0, 1.0, 10.0)),), name="short"
    )


def flown(count: int, jobs: int) -> None:
    """A scene by plain counting and by splitting, with different seeds."""
    scene = short_scene()
    for method, flights, seed in (("monte-carlo", count, 1), ("splitting", 1000, 2)):
        start = time.monotonic()
        found = run_study(Study(scene, FORMULA, method=method, count=flights, seed=seed), jobs=jobs)  # type: ignore[arg-type]
        print(f"{method:<12} {found.simulated} in {found.flights} flights, {time.monotonic() - start:.0f} s")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--unused", action="store_true", help="the cases that no setting was chosen on")
    parser.add_argument("--flown", type=int, default=0, metavar="N")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    analytic(UNUSED if arguments.unused else CASES, arguments.repeats)
    if arguments.flown:
        flown(arguments.flown, arguments.jobs)


if __name__ == "__main__":
    main()
