"""campaign_node: a campaign whose flights go through the running graph instead of the compiled simulator.

Uses        action fly of scenario_node
Parameters  file (a campaign file), out (folder of the results; a campaign found there is resumed)
Ends with exit code 0 when the campaign is finished.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uav_testgen_msgs.msg import NodeStatus

from uav_testgen.campaign.case import load_case
from uav_testgen.campaign.config import CampaignConfig, load_campaign
from uav_testgen.campaign.observe import Progress
from uav_testgen.campaign.runner import Options, run_campaign
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.generator.registry import starts_from_a_test
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.graph_node import GraphNode
from uav_testgen.ros.node_configs import CampaignNodeConfig
from uav_testgen.ros.params import declare_config
from uav_testgen.view.publish import publish
from uav_testgen.work.stop import Interrupted, StopRequest


class CampaignNode(GraphNode):
    """The campaign runs in a thread of its own; this node reports how far it is and takes part in flights."""

    def __init__(self, **options: Any) -> None:
        super().__init__("campaign_node", **options)
        self.config = declare_config(self, CampaignNodeConfig)
        self.finished = False
        self.exit_code = 0
        self._stop = StopRequest()
        file = Path(self.config.file)
        self._campaign = through_the_graph(load_campaign(file), self.get_namespace())
        self._case = load_case(
            self._campaign.case,
            file.parent,
            self._campaign.arena,
            keep_obstacles=starts_from_a_test(self._campaign.generator),
        )
        self.watch_scenario()
        self._worker = threading.Thread(target=self._run, name="campaign")
        self._worker.start()

    def destroy_node(self) -> None:
        """Stop after the flight under way; what was flown is on the disk."""
        self._stop.requested = True
        self._worker.join()
        super().destroy_node()

    def _run(self) -> None:
        options = Options(out=Path(self.config.out), resume=True, jobs=0)
        try:
            run_campaign(self._campaign, self._case, options, self, self._stop, publish)
            self.get_logger().info(f"campaign finished: {self.config.out}")
        except Interrupted:
            self.get_logger().info(f"campaign interrupted, can be resumed: {self.config.out}")
        except UavTestgenError as error:
            self.get_logger().error(str(error))
            self.health.enter(NodeStatus.FAILED, message=str(error))
            self.exit_code = error.exit_code
        self.finished = True

    def search(self, progress: Progress) -> None:
        """Campaign observer: running totals go to the diagnostics."""
        self.health.note(evaluated=progress.evaluated, failures=progress.failures, best_m=progress.best_m)

    def generation(self, row: Mapping[str, float]) -> None:
        """Campaign observer: a generation of the search is complete."""
        facts = ", ".join(f"{name} {value:.4g}" for name, value in row.items() if name != "generation")
        self.get_logger().info(f"generation {row['generation']:g}: {facts}")

    def phase(self, text: str) -> None:
        """Campaign observer: a new stage."""
        self.get_logger().info(text)

    def note(self, text: str) -> None:
        """Campaign observer: something the user should know."""
        self.get_logger().warning(text)


def through_the_graph(campaign: CampaignConfig, namespace: str) -> CampaignConfig:
    """The same campaign, screened by the graph this node belongs to."""
    settings = {"start": False, "namespace": namespace.strip("/")}
    screening = campaign.screening.model_copy(update={"backend": "graph", "settings": settings})
    return campaign.model_copy(update={"screening": screening})


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen campaign_node`."""
    return run_nodes([CampaignNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
