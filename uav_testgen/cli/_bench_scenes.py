"""The scenes whose speed is measured; anyone can make them again from a seed."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.campaign.case import load_case
from uav_testgen.core.rng import stream
from uav_testgen.generator.registry import build_generator
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.model import Mission, Scenario, Waypoint, obstacle_on_ground

BENCH_SEED = 2024
CAMPAIGN_CASE, CAMPAIGN_GENERATOR, CAMPAIGN_SEED = "mission2", "prgen", 1
"""What `make campaign` flies."""


def campaign_scenes(count: int) -> list[Scenario]:
    """The first tests that `make campaign` proposes: two walls on mission 2, flights of about 150 s."""
    base = load_case(CAMPAIGN_CASE, Path(), Arena()).base
    generator = build_generator(CAMPAIGN_GENERATOR, base, seed=CAMPAIGN_SEED)
    scenes: list[Scenario] = []
    while len(scenes) < count:
        scenes += [scene for scene in generator.ask(count - len(scenes)) if not problems(scene)]
    return scenes


def random_scenes(count: int, seed: int = BENCH_SEED) -> list[Scenario]:
    """Scenes with one to three boxes on a way of about 42 m at 10 m height."""
    rng = stream(seed, "bench scenes")
    scenes = []
    for _ in range(count):
        goal = (rng.uniform(38.0, 45.0), rng.uniform(-6.0, 6.0), 10.0)
        boxes = tuple(
            obstacle_on_ground(
                rng.uniform(10.0, 32.0),
                rng.uniform(-6.0, 6.0),
                (rng.uniform(2.0, 10.0), rng.uniform(2.0, 6.0), rng.uniform(12.0, 25.0)),
                rng.uniform(0.0, 90.0),
            )
            for _ in range(rng.integers(1, 4))
        )
        mission = Mission(
            waypoints=(Waypoint(position_enu_m=goal),), home_enu_m=(0.0, 0.0, 10.0), takeoff=False, land=False
        )
        scenes.append(Scenario(mission=mission, obstacles=boxes))
    return scenes
