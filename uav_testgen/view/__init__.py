"""What we learned: tables, statistics, plots and the HTML report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.view.campaign_results import CampaignResults as CampaignResults
    from uav_testgen.view.plots import flight_figure as flight_figure
    from uav_testgen.view.plots import plot_flight as plot_flight

__getattr__, __all__ = public_names(
    __name__,
    {
        "campaign_results": "CampaignResults",
        "plots": "flight_figure plot_flight",
    },
)
