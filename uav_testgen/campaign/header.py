"""The settings of a campaign in its store: written once, compared when it is resumed, read back for its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.checks import with_confirmation
from uav_testgen.campaign.config import CampaignConfig, ConfirmationConfig, changed_fields
from uav_testgen.core.errors import StoreError
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.store import AnyRecord, Store, understood
from uav_testgen.work.versions import versions

HEADER, FINISHED = "campaign", "finished"
CONFIRMING = "confirming"
"""A wish for another confirmation than the one in the settings; the newest counts."""
FORMAT = 1


def check_header(config: CampaignConfig, case: CaseStudy, records: Sequence[AnyRecord], store: Store) -> None:
    """Write the settings into a new store; StoreError where an old one has others."""
    current: dict[str, Any] = {
        "format": FORMAT,
        "config": config.model_dump(mode="json"),
        "base_scenario": case.base.model_dump(mode="json"),
    }
    if not records:
        store.append([(HEADER, {**current, "versions": versions()})])
        return
    stored = records[0].body
    if records[0].kind != HEADER or stored.get("format") != FORMAT:
        raise StoreError(f"{store.path}: not a campaign of format {FORMAT}; choose another --out")
    with understood(store.path, "the first record"):
        changes = changed_fields(stored["config"], current["config"]) or [
            f"case study {change}"
            for change in changed_fields(stored["base_scenario"], current["base_scenario"])
        ]
    if changes:
        raise StoreError(
            f"{store.path.parent}: the campaign here has other settings ({'; '.join(changes[:5])}); "
            "resume it with the settings it has, or choose another --out"
        )


def stored_settings(records: Sequence[AnyRecord], store: Store) -> tuple[CampaignConfig, Scenario]:
    """The settings and the base scenario of a campaign, with the newest wish for another confirmation."""
    with understood(store.path, "the settings of the campaign"):
        body = records[0].body
        config = CampaignConfig.model_validate(body["config"])
        wishes = bodies(records, CONFIRMING)
        if wishes:
            config = with_confirmation(config, ConfirmationConfig.model_validate(wishes[-1]))
        return config, Scenario.model_validate(body["base_scenario"])


def bodies(records: Sequence[AnyRecord], kind: str) -> list[dict[str, Any]]:
    """What the records of one kind hold, in the order of the store."""
    return [record.body for record in records if record.kind == kind]
