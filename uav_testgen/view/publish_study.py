"""Write the artefact of a study: tables, plots, suites, and everything needed to repeat it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from uav_testgen.campaign.study.runner import StudyResult
from uav_testgen.core.files import checksum, write_text
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.cells import csv_text
from uav_testgen.view.study import MEASURES, growth, study_data
from uav_testgen.view.study_text import latex, markdown, runs_csv, table_csv, tables
from uav_testgen.view.tables_page import tables_page
from uav_testgen.work.lock import FILE_NAME as LOCK
from uav_testgen.work.store import FILE_NAME as STORE
from uav_testgen.work.versions import host_facts

SUMS = "SHA256SUMS"
_README = """# {name}

The artefact of a study of test generators. Repeat it, from inside this folder, with

    {command}

The tables and `runs.csv` are then the same byte for byte, on a machine with the same versions (`versions.json`,
`requirements.txt`). Check this folder with `sha256sum -c {sums}`.

| file | holds |
|---|---|
| `study.yaml` | the settings, with cases and programs as they are in this folder |
| `given.yaml`, `command.txt` | the file and the command line of this run |
| `inputs/`, `programs/`, `programs.json` | cases and programs from files, and the checksums of the programs |
| `seeds.csv` | the seed of every run; held-out flights are drawn from seed {held_out} |
| `tables/` | the tables as CSV and LaTeX; `report.md` and `report.html` have all of them |
| `runs.csv`, `study.json` | one line per run; all data of the tables |
| `timings.csv` | processor time of the searches, which differs from machine to machine |
| `suites/` | the tests every run hands in, best first |
| `plots/` | failures over simulations, and a box plot for each measure |
| `cells/` | every evaluation of every run, program output included |
"""


def publish_study(result: StudyResult, given: str, repeatable: str, command: Sequence[str]) -> dict[str, Any]:
    """Write everything; `repeatable` are the settings that repeat it inside the folder. Returns the tables' data."""
    data, out = study_data(result), result.out
    found = tables(data)
    for name, table in found.items():
        write_text(out / "tables" / f"{name}.csv", table_csv(table))
        write_text(out / "tables" / f"{name}.tex", latex(table))
    write_text(out / "runs.csv", runs_csv(data))
    write_text(out / "timings.csv", timings_csv(data))
    write_text(out / "seeds.csv", seeds_csv(result))
    pictures = _plots(result, out)
    _suites(result, out)
    write_text(out / "report.md", markdown(data))
    head = markdown(data).split("\n")[2:4]
    write_text(out / "report.html", tables_page(data["name"], "study", head, list(found.values()), pictures))
    write_text(out / "study.json", json.dumps(data, indent=1, allow_nan=False) + "\n")
    write_text(out / "given.yaml", given)
    write_text(out / "study.yaml", repeatable)
    write_text(out / "command.txt", shlex.join(command) + "\n")
    write_text(out / "programs.json", json.dumps(result.programs, indent=1) + "\n")
    machine = {"versions": result.versions, "machine": host_facts()}
    write_text(out / "versions.json", json.dumps(machine, indent=1) + "\n")
    write_text(out / "requirements.txt", requirements())
    again = shlex.join(["uav-testgen", "study", "study.yaml", "--out", "../again"])
    readme = _README.format(
        name=result.config.name, command=again, sums=SUMS, held_out=result.config.held_out.seed
    )
    write_text(out / "README.md", readme)
    write_sums(out)
    return data


def requirements() -> str:
    """Every installed distribution with its version, one a line."""
    names = {(one.metadata["Name"] or "").lower(): one.version for one in distributions()}
    return "".join(f"{name}=={version}\n" for name, version in sorted(names.items()) if name)


def write_sums(out: Path) -> None:
    """SHA-256 of every file in the folder, as `sha256sum -c` reads them; the run's own records may still grow."""
    own = {out / SUMS, out / LOCK, out / STORE}
    files = sorted(
        path for path in out.rglob("*") if path.is_file() and path not in own and path.name != LOCK
    )
    write_text(out / SUMS, "".join(f"{checksum(path)}  {path.relative_to(out)}\n" for path in files))


def seeds_csv(result: StudyResult) -> str:
    """The seed of every finished run."""
    return csv_text(
        ("case", "generator", "budget", "seed"),
        [(run.case, run.generator, run.budget, run.seed) for run in result.runs],
    )


def timings_csv(data: dict[str, Any]) -> str:
    """What the algorithms themselves cost."""
    columns = ("case", "generator", "budget", "seed", "search_cpu_s")
    return csv_text(columns, [tuple(run[column] for column in columns) for run in data["runs"]])


def _suites(result: StudyResult, out: Path) -> None:
    for run in result.runs:
        folder = out / "suites" / run.case / run.generator / f"budget-{run.budget}" / f"seed-{run.seed}"
        if not run.suite:
            continue
        case = result.cases[run.case]
        case.write_beside(folder)
        for rank, test in enumerate(run.suite, start=1):
            scenario = Scenario.model_validate(test["scenario"])
            case.write_test(folder / f"{rank:03d}-{scenario.id}.yaml", scenario)


def _plots(result: StudyResult, out: Path) -> list[Path]:
    from uav_testgen.view.plots import plot_boxes, plot_curves

    pictures = []
    names = list(result.config.generators)
    for budget in result.config.budgets:
        pictures.append(out / "plots" / f"growth-{budget}.png")
        plot_curves(
            pictures[-1],
            {name: growth(result.runs, name, budget) for name in names},
            "simulations",
            "failures",
            f"mean of all runs, budget {budget}",
        )
        for measure in MEASURES:
            groups: dict[str, list[float]] = {name: [] for name in names}
            for run in result.runs:
                value = measure.of(run)
                if run.budget == budget and value is not None:
                    groups[run.generator].append(value)
            if any(groups.values()):
                pictures.append(out / "plots" / f"{measure.key}-{budget}.png")
                plot_boxes(pictures[-1], groups, measure.label, f"all cases and seeds, budget {budget}")
    return pictures
