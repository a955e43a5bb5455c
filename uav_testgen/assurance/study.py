"""A question of probability from its words to its certificate: who flies, what varies, what is kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from uav_testgen import __version__
from uav_testgen.assurance.certificate import Certificate
from uav_testgen.assurance.flights import Flights, Progress
from uav_testgen.assurance.probability import Method, certify
from uav_testgen.assurance.question import Question
from uav_testgen.assurance.spaces import Instances, OneScene, Proposals, Region, Space
from uav_testgen.backend.base import SimulatingBackend
from uav_testgen.backend.registry import make_backend
from uav_testgen.core.defaults import DEFAULT_BACKEND
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.rng import derive_seed
from uav_testgen.generator.registry import build_generator, starts_from_a_test
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.predict.runs import scatter_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.folder import output_folder
from uav_testgen.work.store import Store


@dataclass(frozen=True)
class Study:
    """What is asked. Without `within_m` and `generator` the scene itself, or all instances of a logical scenario."""

    scenario: Scenario
    formula: str | None = None
    within_m: float = 0.0
    turn_deg: float = 0.0
    generator: str | None = None
    method: Method = "auto"
    count: int = 2000
    confidence: float = 0.95
    seed: int = 0
    settings: dict[str, Any] = field(default_factory=dict)
    scatter: ScatterConfig | None = None
    """Instead of that of the system."""

    def space(self) -> Space:
        """What varies."""
        if self.generator is not None:
            if self.within_m or self.turn_deg:
                raise ConfigError(
                    "a region belongs to one scene; leave out --within and --turn, or --generator"
                )
            return _proposals(self.generator, self.scenario, self.seed)
        if self.within_m or self.turn_deg:
            return Region(self.scenario, self.within_m, self.turn_deg)
        if self.scenario.logical is not None and not self.scenario.obstacles:
            return Instances(self.scenario)
        return OneScene(self.scenario)


def run_study(
    study: Study,
    *,
    jobs: int = 0,
    out: Path | None = None,
    progress: Progress = lambda flown, failed: None,
    check_stop: Callable[[], None] = lambda: None,
) -> Certificate:
    """The certificate; with `out` every flight is kept there, and the same call goes on where it stopped."""
    backend = make_backend(DEFAULT_BACKEND, study.settings)
    assert isinstance(backend, SimulatingBackend)
    scatter = study.scatter or scatter_of(backend)
    question, space = Question(study.formula), study.space()
    if not scatter.varies and isinstance(space, OneScene):
        raise ConfigError(
            f"system '{backend.system.name}' has no scatter, so every flight of the scene is the same; "
            "let obstacles vary (--within) or choose a calibrated system"
        )
    plan = WorkerPlan(DEFAULT_BACKEND, study.settings)
    with ExitStack() as held:
        store = None
        if out is not None:
            store = held.enter_context(Store(held.enter_context(output_folder(out, resume=True))))
        executor = held.enter_context(make_executor(plan, Placement(0 if jobs <= 1 else jobs)))
        stated = _stated(study, backend.system.model_dump(mode="json"), scatter)
        flights = Flights(executor, space, question, scatter, store, stated, progress, check_stop)
        return certify(
            flights, space, question, system=backend.system.name, method=study.method, count=study.count,
            confidence=study.confidence, seed=study.seed, calibrated=backend.system.is_calibrated,
        )  # fmt: skip


def _stated(study: Study, system: dict[str, Any], scatter: ScatterConfig) -> dict[str, Any]:
    """Everything the flights of a study depend on; a folder belongs to one of them."""
    return {
        "version": __version__,
        "scenario": study.scenario.id,
        "requirement": study.formula,
        "within_m": study.within_m,
        "turn_deg": study.turn_deg,
        "generator": study.generator,
        "flights": study.count,
        "seed": study.seed,
        "system": system,
        "scatter": scatter.model_dump(mode="json"),
    }


def _proposals(name: str, base: Scenario, seed: int) -> Proposals:
    stage = base if starts_from_a_test(name) else base.with_obstacles(())

    def propose(number: int) -> Scenario:
        """The first scene of a generator with a seed of its own: independent of every other."""
        asked = build_generator(name, stage, None, derive_seed(seed, "certify", number)).ask(1)
        if not asked:
            raise ConfigError(f"generator '{name}' proposes nothing on this mission")
        return asked[0]

    return Proposals(name, propose)
