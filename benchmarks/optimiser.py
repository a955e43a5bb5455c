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
from uav_testgen.campaign.observe import Progress
from uav_testgen.generator.registry import build_generator
from uav_testgen.predict.evaluation import Evaluation
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
        known = [
            search.read_back(record.body, str(folder)) for record in records if record.kind == search.KIND
        ]
    known.sort(key=lambda evaluation: evaluation.number)  # they were stored as they were finished
    config = CampaignConfig.model_validate(header["config"])
    base = Scenario.model_validate(header["base_scenario"])
    flying_s = sum(float(one.details.get("cpu_s", 0.0)) for one in known)
    return config.generator, replay(config, base, known), flying_s


def replay(config: CampaignConfig, base: Scenario, known: list[Evaluation]) -> float:
    """Processor time of asking and telling everything again."""
    began_s = time.process_time()
    generator = build_generator(config.generator, base, config.generator_settings, config.seed)
    progress = Progress(config.budget.simulations, config.screening.accept_below_m)
    told = 0
    while told < len(known):
        asked = generator.ask(min(config.batch_size, config.budget.simulations - progress.evaluated))
        answers = known[told : told + len(asked)]
        if [one.scenario.id for one in answers] != [scenario.id for scenario in asked]:
            raise SystemExit(f"generator '{config.generator}' proposes other scenarios than those stored")
        generator.tell(answers)
        progress.add(answers, replayed=True)
        told += len(asked)
    return time.process_time() - began_s


if __name__ == "__main__":
    sys.exit(main())
