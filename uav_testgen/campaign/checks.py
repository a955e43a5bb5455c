"""Everything that can be wrong with the settings of a campaign, found before its first flight."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from uav_testgen.backend.foreign_settings import check_foreign
from uav_testgen.backend.pace import repeats_flights
from uav_testgen.backend.registry import BACKENDS, check_settings
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig, ConfirmationConfig
from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError
from uav_testgen.generator.registry import build_generator
from uav_testgen.loop.own_vehicle import load_own_vehicle
from uav_testgen.loop.system import OwnVehicleConfig, System
from uav_testgen.oracle.requirement import make_requirements, split_text
from uav_testgen.planner.registry import load_planner
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.segment import segment_of_interest


def check_parts(config: CampaignConfig, case: CaseStudy) -> None:
    """Everything that can be wrong before the first flight, found before the first flight."""
    _check_code(check_settings(config.screening.backend, config.screening.settings))
    if config.confirmation.backend != "none":
        check_settings(config.confirmation.backend, config.confirmation.settings)
    make_requirements(config.requirements)
    _check_budgets(config)
    segment_of_interest(case.base.mission, case.base.arena)
    build_generator(config.generator, case.base, config.generator_settings, config.seed)


def _check_code(settings: Any) -> None:
    """Load the planner and the vehicle of a simulating backend; ConfigError names what is not there."""
    if not hasattr(settings, "assembled"):
        return
    system: System = settings.assembled()
    load_planner(system.planner.name)
    if isinstance(system.vehicle, OwnVehicleConfig):
        load_own_vehicle(system.vehicle.model, system.vehicle.settings)


def widest_scenario(config: CampaignConfig, case: CaseStudy) -> Scenario:
    """The case study with every autopilot parameter that the search may set."""
    generator = build_generator(config.generator, case.base, config.generator_settings, config.seed)
    names: Sequence[str] = getattr(generator, "changes_parameters", ())
    return case.base.model_copy(update={"parameters": {**dict.fromkeys(names, 0.0), **case.base.parameters}})


def check_harmless(
    config: CampaignConfig, source: str, way_out: str, *, named: Collection[str] = (), flies: bool = True
) -> None:
    """ConfigError where settings of a `source` that may be somebody else's name code or programs to start.

    Where it does not fly, flights that happen once are read from the store: nothing is started because of it.
    """
    if flies and config.confirmation.backend != "none":
        raise ConfigError(
            f"{source}: it has its tests flown again by '{config.confirmation.backend[:100]}', which may start "
            f"programs. {way_out}"
        )
    check_foreign(
        config.screening.backend,
        config.screening.settings,
        source,
        way_out,
        named=named,
        others={
            "generator": config.generator,
            "settings": config.generator_settings,
            "requirements": [split_text(text)[0] for text in config.requirements],
        },
        flies=flies,
    )


def with_confirmation(config: CampaignConfig, confirmation: ConfirmationConfig) -> CampaignConfig:
    """The settings with another confirmation; ConfigError if the two do not go together."""
    data = {**config.model_dump(mode="json"), "confirmation": confirmation.model_dump(mode="json")}
    return parse_config(CampaignConfig, data, source="the campaign with this confirmation")


def _check_budgets(config: CampaignConfig) -> None:
    if config.budget.flights is None:
        if config.budget.predictions is not None:
            raise ConfigError(
                "budget.predictions goes with budget.flights; one budget alone is 'simulations'"
            )
        return
    flies = config.confirmation.backend
    if flies == "none" or not BACKENDS.load(flies).capabilities.evidence.confirms:
        raise ConfigError(
            f"budget.flights: confirmation.backend is '{flies}', which flies nothing real; use px4, aerialist, folder "
            "or command"
        )
    if config.requirements:
        raise ConfigError(
            "budget.flights: what is learned from flights is their distance; leave the requirements out, or search on "
            "the simulator itself (screening.backend)"
        )
    if not repeats_flights(config.screening.backend):
        raise ConfigError(
            f"budget.flights: screening.backend '{config.screening.backend}' flies already; predict with lfs, or "
            "leave the second budget out"
        )
