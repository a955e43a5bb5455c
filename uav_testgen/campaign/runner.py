"""A whole campaign: search, choose, confirm, publish, each step resumable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from uav_testgen.backend.blind_spots import blind_spots
from uav_testgen.backend.pace import repeats_flights
from uav_testgen.backend.registry import check_settings
from uav_testgen.campaign.case import CaseStudy, load_case
from uav_testgen.campaign.checks import check_harmless, check_parts, widest_scenario, with_confirmation
from uav_testgen.campaign.config import CampaignConfig, ConfirmationConfig
from uav_testgen.campaign.header import CONFIRMING, FINISHED, check_header, stored_settings
from uav_testgen.campaign.observe import Observer
from uav_testgen.campaign.result import CampaignResult, Options
from uav_testgen.campaign.session import Session
from uav_testgen.campaign.simulations import write_simulations
from uav_testgen.core.errors import ConfigError, StoreError
from uav_testgen.work.folder import output_folder
from uav_testgen.work.inline import NoFlights
from uav_testgen.work.stop import StopRequest
from uav_testgen.work.store import FILE_NAME as STORE_NAME
from uav_testgen.work.store import Store

Publish = Callable[["CampaignResult", Callable[[], None]], None]


def run_campaign(
    config: CampaignConfig,
    case: CaseStudy,
    options: Options,
    observer: Observer,
    stop: StopRequest,
    publish: Publish,
) -> CampaignResult | None:
    """Run or resume; None if it was finished before. `publish` writes the outputs into the folder."""
    check_parts(config, case)
    for blind_spot in blind_spots(
        config.screening.backend, config.screening.settings, widest_scenario(config, case)
    ):
        observer.note(blind_spot)
    with output_folder(options.out, resume=options.resume) as folder, Store(folder) as store:
        records = store.open()
        for note in store.notes:
            observer.note(note)
        check_header(config, case, records, store)
        if any(record.kind == FINISHED for record in records):
            if options.keep_all:
                write_simulations(folder, case, store, stop.check)
            return None
        case.write_files(folder)
        session = Session(config, case, options, observer, stop.check, store, records)
        with session.screening_executor() as executor:
            result = session.finish(executor, session.search(executor))
        observer.phase("writing the results")
        publish(result, stop.check)
        if options.keep_all:
            write_simulations(folder, case, store, stop.check)
        store.append([(FINISHED, {"tests": len(result.suite)})])
        return result


def republish(
    options: Options,
    observer: Observer,
    stop: StopRequest,
    publish: Publish,
    confirmation: ConfirmationConfig | None = None,
) -> CampaignResult:
    """Write the outputs again from what is stored, finished or not; nothing new is searched.

    With `confirmation` the ranked tests are first flown again by that backend; what was flown stays flown.
    Only then: the folder may be somebody else's, and settings of a confirming backend name programs to start.
    """
    if not (options.out / STORE_NAME).is_file():
        raise StoreError(f"{options.out}: no campaign here ({STORE_NAME} is missing); name its output folder")
    with output_folder(options.out, resume=True) as folder, Store(folder) as store:
        records = store.open()
        config, base = stored_settings(records, store)
        way_out = "If you trust it, name it: --code NAME"
        check_harmless(config, str(store.path), way_out, named=options.code, flies=False)
        if confirmation is not None:
            if config.budget.flights is not None:
                raise ConfigError(
                    f"{options.out}: its tests were flown by '{config.confirmation.backend}' within a budget of "
                    "flights; to fly on, resume it with the command that began it and --resume"
                )
            config = with_confirmation(config, confirmation)
            check_settings(confirmation.backend, confirmation.settings)
            store.append([(CONFIRMING, confirmation.model_dump(mode="json"))])
        case = replace(load_case("case.yaml", folder, config.arena), name=_case_name(config), base=base)
        session = Session(
            config, case, options, observer, stop.check, store, records, confirms=confirmation is not None
        )
        # Flights that happen once are read from the store: stored settings start nothing.
        flies = repeats_flights(config.screening.backend)
        with session.screening_executor() if flies else NoFlights() as executor:
            result = session.finish(executor, session.recall())
        observer.phase("writing the results")
        publish(result, stop.check)
        if options.keep_all:
            write_simulations(folder, case, store, stop.check)
        return result


def _case_name(config: CampaignConfig) -> str:
    return Path(config.case).stem or "case"
