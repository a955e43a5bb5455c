"""How much of a campaign is thinking? Processor time of the generator beside that of its flights.

The generator of a stored campaign is asked again and told what is stored, so nothing is flown:

    python benchmarks/generators.py --generators random prgen nsga2    # makes campaigns
    python benchmarks/optimiser.py                                     # looks at those
    python benchmarks/optimiser.py results/mine results/mission2       # or at others
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

from uav_testgen.campaign import search
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.retrospect import replay
from uav_testgen.generator.registry import build_generator
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.store import FILE_NAME, Store


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("campaigns", nargs="*", type=Path, help="output folders of campaigns")
    folders = parser.parse_args().campaigns or sorted(Path("results/benchmark-generators").glob("*/"))
    shares: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for folder in folders:
        if (folder / FILE_NAME).is_file():
            name, thinking_s, flying_s = measure(folder)
            shares[name].append((thinking_s, flying_s))
    print("| generator | campaigns | generator, CPU s | flights, CPU s | share of the generator |")
    print("|---|---|---|---|---|")
    for name, pairs in sorted(shares.items()):
        thinking_s, flying_s = (statistics.fmean(column) for column in zip(*pairs, strict=True))
        share = thinking_s / (thinking_s + flying_s)
        print(f"| {name} | {len(pairs)} | {thinking_s:.2f} | {flying_s:.1f} | {100.0 * share:.1f} % |")
    return 0


def measure(folder: Path) -> tuple[str, float, float]:
    """(generator, its processor time, that of the flights) of one campaign."""
    with Store(folder) as store:
        records = store.open()
        header = records[0].body
        known = {int(record.body["number"]): record for record in records if record.kind == search.KIND}
        config = CampaignConfig.model_validate(header["config"])
        base = Scenario.model_validate(header["base_scenario"])
        flying_s = sum(
            float(search.read_back(record.body, str(folder)).details.get("cpu_s", 0.0))
            for record in known.values()
        )
        reading_s = time.process_time()
        for record in known.values():
            search.read_back(record.body, str(folder))
        reading_s = time.process_time() - reading_s
        began_s = time.process_time()
        generator = build_generator(config.generator, base, config.generator_settings, config.seed)
        replay(config, generator, known, str(folder), lambda: None)
        thinking_s = time.process_time() - began_s - reading_s
    return config.generator, thinking_s, flying_s


if __name__ == "__main__":
    sys.exit(main())
