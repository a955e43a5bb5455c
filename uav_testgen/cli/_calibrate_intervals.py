"""`calibrate --intervals`: how far real flights are from predictions, written into the preset."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from uav_testgen.cli._output import print_json
from uav_testgen.cli._records import chosen_records
from uav_testgen.cli.fidelity import print_coverage, progress_line


def run_intervals(
    arguments: argparse.Namespace, start: Any, write_preset: Callable[[Path, Any], None]
) -> int:
    """Predict the records, fit the table, judge it on missions left out, write the preset's next version."""
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.fidelity.flown import fly_records
    from uav_testgen.fidelity.intervals import cases_of, fit_table, left_out, new_missions, with_table
    from uav_testgen.fidelity.predicted_before import predicted_before
    from uav_testgen.predict.runs import DEFAULT_RUNS

    if not start.is_calibrated:
        raise ConfigError(
            f"system '{start.name}' is not calibrated: run `calibrate` without --intervals first"
        )
    records, _ = chosen_records(arguments).load()
    records = records[:: arguments.every]
    if arguments.predicted is not None:
        flown, runs, seed = predicted_before(arguments.predicted, records, start)
    else:
        runs, seed = DEFAULT_RUNS, arguments.seed
        flown = fly_records(records, start, runs, seed, arguments.jobs, progress_line("flights"))
    cases = cases_of(flown)
    outside, elsewhere = left_out(cases, runs, seed), new_missions(cases, runs, seed)
    table = fit_table(cases, runs, seed)
    if outside is not None:
        table = table.model_copy(update={"left_out": outside["all"]})
    preset = with_table(start, table)
    report = {
        "records": len(cases),
        "table": table.model_dump(mode="json"),
        "left_out": outside,
        "new_missions": elsewhere,
    }
    if not arguments.dry_run:
        write_preset(arguments.out, preset)
        report["written"] = str(arguments.out)
    if arguments.json:
        print_json(report)
        return 0
    print(f"{len(cases)} of {len(records)} records, {runs} drawn runs each\n")
    print(f"{'predicted':<14}{'n':>5}{'nearer':>9}{'farther':>9}")
    for one in table.bins:
        end = "beyond" if one.below_m is None else f"below {one.below_m:g} m"
        print(f"{end:<14}{one.records:>5}{one.nearer_m:>9.2f}{one.farther_m:>9.2f}")
    for mission, more in table.missions.items():
        print(f"{mission:<14}{more.records:>5}{more.nearer_m:>9.2f}{more.farther_m:>9.2f}  more")
    for title, found in (
        ("each tenth of the records by the others", outside),
        ("each mission by the others", elsewhere),
    ):
        if found is not None:
            print_coverage(title, found)
    if not arguments.dry_run:
        print(f"wrote {arguments.out}")
    return 0
