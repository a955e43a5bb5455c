"""Many tests: the loop of asking, flying, judging and keeping, with resume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.callable_room import callable_as
from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.campaign.case import CaseStudy as CaseStudy
    from uav_testgen.campaign.case import load_case as load_case
    from uav_testgen.campaign.config import CampaignConfig as CampaignConfig
    from uav_testgen.campaign.config import load_campaign as load_campaign
    from uav_testgen.campaign.observe import Observer as Observer
    from uav_testgen.campaign.observe import Progress as Progress
    from uav_testgen.campaign.observe import Silent as Silent
    from uav_testgen.campaign.result import CampaignResult as CampaignResult
    from uav_testgen.campaign.result import Options as Options
    from uav_testgen.campaign.runner import run_campaign as run_campaign

__getattr__, __all__ = public_names(
    __name__,
    {
        "config": "CampaignConfig load_campaign",
        "result": "CampaignResult Options",
        "runner": "run_campaign",
        "case": "CaseStudy load_case",
        "observe": "Observer Progress Silent",
    },
)
callable_as(__name__, "uav_testgen.api:campaign")
