"""Why is the order of the 32 logical scenarios another one than in the published Table IV?

Varies what the publication leaves open (speed of obstacles, sizes, length of the mission) and how violations are
counted (with a search that converges, or as a share of random instances), and compares the order of the scenarios with
the published one.

    python benchmarks/table4_order.py                                 # a short look: three random instances of each
    python benchmarks/table4_order.py --flights 50 --write docs/lab/results.md      # goes on from --cells
    python benchmarks/table4_order.py --flights 50 --table --write docs/lab/results.md   # flying nothing
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from uav_testgen.backend.registry import make_backend
from uav_testgen.campaign.case import load_case
from uav_testgen.campaign.compare.config import Cell, CompareConfig, cell_campaign
from uav_testgen.campaign.study.searched import search_in
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.resources import config_folder
from uav_testgen.loop.system import named_system
from uav_testgen.oracle.margin import safety_margin_m
from uav_testgen.scenario.arena import Arena
from uav_testgen.statistics.agreement import spearman
from uav_testgen.view.finished_cells import FinishedCells, made_by
from uav_testgen.view.marked_table import measured_on, replace_between
from uav_testgen.work.stop import StopRequest

Table = dict[str, Any]
CELLS = Path(__file__).resolve().parents[1] / "docs" / "lab" / "table4_order.json"
STELLA = config_folder("stella")
_PUBLISHED_FLIGHTS = 500


def _speeds(low: float, high: float) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        table["speed_mps"] = [low, high]

    return change


def _smaller(table: Table) -> None:
    table["sizes_m"] = {"small": [0.5, 2.0], "medium": [2.0, 5.0], "large": [5.0, 8.0]}
    table["arena"]["min_side_m"] = 0.5


def _shorter(table: Table) -> None:
    """A route of 50 instead of 80 m."""
    table["arena"]["east_max_m"] = 40.0
    for landform in table["landforms"].values():
        landform["center_enu_m"][0] = 25.0
        for waypoint in landform["mission"]["waypoints"]:
            waypoint["position_enu_m"][0] = 50.0


VARIANTS: dict[str, Callable[[Table], None]] = {
    "as shipped": lambda table: None,
    "slow obstacles (0.1 to 0.5 m/s)": _speeds(0.1, 0.5),
    "fast obstacles (1.5 to 3 m/s)": _speeds(1.5, 3.0),
    "smaller obstacles": _smaller,
    "route of 50 m": _shorter,
}


def main() -> int:
    arguments = parse()
    published = _published()
    cells = FinishedCells(arguments.cells)
    found: dict[tuple[str, str], dict[str, Any]] = {}
    planned = [(variant, name) for variant in arguments.variants for name in published]
    with StopRequest() as stop:
        for variant, name in planned:
            key = f"{variant}, {arguments.flights} flights, {name}"
            cell = cells.get(key)
            if cell is None and not arguments.table:
                stop.check()
                cell = _flown(arguments, variant, name, stop)
                cells.add(key, cell | {"made": measured_on({"preset": named_system().label})})
            if cell is not None:
                found[variant, name] = cell
    text = order_table(arguments.variants, published, found, len(planned), arguments.flights)
    print(text)
    if arguments.write is not None:
        replace_between(arguments.write, "table4-order", text)
    return 0


def parse() -> argparse.Namespace:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--flights", type=int, default=3, help="random instances of each logical scenario")
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--cells", type=Path, default=CELLS, help="where finished cells are kept")
    parser.add_argument("--work", type=Path, default=Path("results/benchmark-table4-order"))
    parser.add_argument("--table", action="store_true", help="only the table of the finished cells")
    parser.add_argument("--write", type=Path, default=None, help="Markdown file whose table is replaced")
    return parser.parse_args()


def _published() -> dict[str, float]:
    """Mean share of violations by scenario."""
    tables = yaml.safe_load((STELLA / "published" / "tables.yaml").read_text(encoding="utf-8"))
    return {name: sum(runs) / (len(runs) * _PUBLISHED_FLIGHTS) for name, runs in tables["violations"].items()}


def _folder(arguments: argparse.Namespace, variant: str) -> Path:
    word = "".join(letter if letter.isalnum() else "-" for letter in variant)
    return Path(arguments.work) / f"{word}-{arguments.flights}"


def _flown(arguments: argparse.Namespace, variant: str, name: str, stop: StopRequest) -> dict[str, Any]:
    """Random instances of one scenario, counted."""
    folder = _folder(arguments, variant)
    folder.mkdir(parents=True, exist_ok=True)
    table = yaml.safe_load((STELLA / "px4.yaml").read_text(encoding="utf-8"))
    VARIANTS[variant](table)
    (folder / "ranges.yaml").write_text(yaml.safe_dump(table), encoding="utf-8")
    declared = json.loads((STELLA / "scenarios" / f"{name}.json").read_text(encoding="utf-8"))
    path = folder / f"{name}.json"
    path.write_text(json.dumps({**declared, "ranges": "ranges.yaml"}), encoding="utf-8")
    config = CompareConfig(
        scenarios=(name,), algorithms=("random",), baseline="random", evaluations=arguments.flights
    )
    try:
        case = load_case(str(path), Path(), Arena())
        campaign = cell_campaign(config, Cell(0, name, "random", 1), name)
        with make_backend("lfs", {}) as backend:
            flown = search_in(folder / name, campaign, case, backend, stop.check).evaluations
    except UavTestgenError as error:
        result: dict[str, Any] = {"message": str(error)}
    else:
        margins = [safety_margin_m(one.verdict, config.safety_distance_m) for one in flown]
        known = [margin for margin in margins if margin is not None]
        result = {"flights": len(known), "violations": sum(margin < 0.0 for margin in known)}
    print(f"{variant}, {name}: {result}", file=sys.stderr, flush=True)
    return result


def order_table(
    variants: list[str],
    published: Mapping[str, float],
    found: Mapping[tuple[str, str], Mapping[str, Any]],
    planned: int,
    flights: int,
) -> str:
    """One line per variant: how its order agrees with the published one."""
    lines = [
        "| variant | scenarios | flights | violating | rank correlation with Table IV | among dynamic ones |"
    ]
    lines.append("|---|---|---|---|---|---|")
    for variant in variants:
        shares = {
            name: cell["violations"] / cell["flights"]
            for (one, name), cell in found.items()
            if one == variant and cell.get("flights")
        }
        if not shares:
            continue
        count = sum(int(found[variant, name]["flights"]) for name in shares)
        bad = sum(int(found[variant, name]["violations"]) for name in shares)
        # Scenarios that the publication violates are those with a moving obstacle.
        moving = [name for name in shares if published[name] > 0.0]
        lines.append(
            f"| {variant} | {len(shares)} | {count} | {bad / count:.0%} | {_rank(shares, published, list(shares))} | "
            f"{_rank(shares, published, moving)} |"
        )
    done = f"{len(found)} of {planned} cells finished, {flights} random instances each."
    return "\n".join([*lines, "", f"{done} {made_by(found.values())}"])


def _rank(shares: Mapping[str, float], published: Mapping[str, float], names: list[str]) -> str:
    value = spearman(
        np.array([shares[name] for name in names]), np.array([published[name] for name in names])
    )
    return "–" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    sys.exit(main())
