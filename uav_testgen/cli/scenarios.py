"""`uav-testgen scenarios`: derive logical scenarios from the words of a range table, and measure coverage."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._output import add_json_option, print_json

if TYPE_CHECKING:
    from uav_testgen.scenario.logical.covering import Coverage, Factors, Row

_EXAMPLES = 3


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "scenarios",
        help="derive logical scenarios that cover all pairs or triples of words",
        description="Combine the words of a range table so that every pair (or triple) occurs in some "
        "logical scenario, and tell how much the shipped scenarios cover.",
    )
    parser.add_argument(
        "table", nargs="?", default="px4", metavar="TABLE", help="range table, name or .yaml (default: px4)"
    )
    parser.add_argument(
        "--strength", type=int, choices=(2, 3), default=2, help="2: cover all pairs, 3: all triples"
    )
    parser.add_argument("--obstacles", type=int, default=4, metavar="N", help="largest number of obstacles")
    parser.add_argument("--weather", action="append", default=[], metavar="NAME",
                        help="also vary this parameter of the weather; may be repeated")  # fmt: skip
    parser.add_argument(
        "--measure",
        type=Path,
        metavar="DIR",
        help="measure the coverage of the scenarios in this folder (default: of the shipped ones)",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the scenarios here (an empty folder)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the search")
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Derive, measure, write."""
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.scenario.logical.covering import coverage_of, covering_array
    from uav_testgen.scenario.logical.derivation import factors_of
    from uav_testgen.scenario.logical.range_table import load_table

    if not 1 <= arguments.obstacles <= 8:
        raise ConfigError(f"--obstacles {arguments.obstacles}: 1 to 8 are possible")
    if arguments.seed < 0:
        raise ConfigError(f"--seed {arguments.seed}: a seed is 0 or more")
    table = load_table(arguments.table, Path())
    factors = factors_of(table, arguments.obstacles, arguments.weather)
    rows = covering_array(factors, arguments.strength, arguments.seed)
    measured = {"derived": coverage_of(factors, rows, arguments.strength)}
    for what, folder in _folders(arguments):
        known, others = _rows_in(folder, factors)
        if known:
            measured[what] = coverage_of(factors, known, arguments.strength)
        if others and not arguments.json:
            print(f"{what}: {len(others)} scenarios use other words: {', '.join(others[:_EXAMPLES])}")
    files = _write(arguments, factors, rows) if arguments.out else []
    if arguments.json:
        print_json(_as_json(table.name, factors, rows, measured, files))
        return 0
    noun = {2: "pairs", 3: "triples"}[arguments.strength]
    print(f"{table.name}: {len(factors.names)} parameters, {measured['derived'].possible} possible {noun}")
    for what, coverage in measured.items():
        _print_coverage(what, coverage)
    if files:
        print(f"written: {len(files)} scenarios and coverage.json in {arguments.out}")
    return 0


def _folders(arguments: argparse.Namespace) -> list[tuple[str, Path]]:
    from uav_testgen.core.errors import InputFileError
    from uav_testgen.core.resources import config_folder

    folders = [("shipped", config_folder("stella/scenarios"))] if arguments.table == "px4" else []
    if arguments.measure:
        if not arguments.measure.is_dir():
            raise InputFileError(f"--measure {arguments.measure}: no such folder")
        if not any(arguments.measure.glob("scenario-*.json")):
            raise InputFileError(f"--measure {arguments.measure}: no scenarios there (scenario-*.json)")
        folders.append((str(arguments.measure), arguments.measure))
    return folders


def _rows_in(folder: Path, factors: Factors) -> tuple[list[Row], list[str]]:
    from uav_testgen.core.config import read_yaml
    from uav_testgen.scenario.logical.declaration import is_logical, parse_logical
    from uav_testgen.scenario.logical.derivation import scenario_to_row

    rows, others = [], []
    # static-5 belongs to the comparison of algorithms, not to Table III.
    for path in sorted(folder.glob("scenario-*.json")):
        data = read_yaml(path)
        row = scenario_to_row(factors, parse_logical(path, data)) if is_logical(data) else None
        if row is None:
            others.append(path.name)
        else:
            rows.append(row)
    return rows, others


def _write(arguments: argparse.Namespace, factors: Factors, rows: list[Row]) -> list[str]:
    from uav_testgen.core.errors import StoreError
    from uav_testgen.core.files import write_text
    from uav_testgen.scenario.logical.covering import coverage_of
    from uav_testgen.scenario.logical.derivation import row_to_json

    out: Path = arguments.out
    if out.is_dir() and any(out.iterdir()):
        raise StoreError(f"--out {out}: is not empty; name a new folder, so that scenarios do not mix")
    own_table = Path(arguments.table).suffix != ""
    names = []
    try:
        out.mkdir(parents=True, exist_ok=True)
        if own_table:
            write_text(out / Path(arguments.table).name, Path(arguments.table).read_text(encoding="utf-8"))
        ranges = Path(arguments.table).name if own_table else arguments.table
        for number, row in enumerate(rows, start=1):
            names.append(f"scenario-{number:03d}.json")
            data = row_to_json(
                factors, row, f"{Path(ranges).stem}, strength {arguments.strength}, {number}", ranges
            )
            write_text(out / names[-1], json.dumps(data, indent=2, ensure_ascii=False) + "\n")
        coverage = _plain(coverage_of(factors, rows, arguments.strength))
        write_text(out / "coverage.json", json.dumps(coverage, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise StoreError(f"--out {out}: cannot be written ({error.strerror}); name another folder") from None
    return names


def _plain(coverage: Coverage) -> dict[str, Any]:
    return {
        "strength": coverage.strength,
        "scenarios": coverage.rows,
        "possible": coverage.possible,
        "covered": coverage.covered,
        "share": round(coverage.share, 6),
        "missing": list(coverage.missing),
    }


def _as_json(
    table: str, factors: Factors, rows: list[Row], measured: dict[str, Coverage], files: list[str]
) -> dict[str, Any]:
    return {
        "table": table,
        "parameters": dict(zip(factors.names, map(list, factors.values), strict=True)),
        "rows": [dict(zip(factors.names, row, strict=True)) for row in rows],
        "coverage": {what: _plain(coverage) for what, coverage in measured.items()},
        "files": files,
    }


def _print_coverage(what: str, coverage: Coverage) -> None:
    print(f"  {what}: {coverage.rows} scenarios cover {coverage.covered} ({100 * coverage.share:.1f} %)")
    if coverage.missing:
        examples = "; ".join(coverage.missing[:_EXAMPLES])
        print(f"    {len(coverage.missing)} missing, e.g.: {examples}")
