"""`uav-testgen certify TEST`: how likely is a requirement to fail?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from uav_testgen.cli._assured import add_test_options, asked_for, flights_line
from uav_testgen.cli._output import print_json
from uav_testgen.core.plain_text import printable


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "certify",
        help="estimate how likely a test fails, with a confidence interval",
        description="Fly a scene again and again under the calibrated scatter and give the probability that the "
        "requirement fails, with an interval: exact (Clopper-Pearson) where failures are frequent, by multilevel "
        "splitting where they are rare. With --within the obstacles vary, too; a logical scenario stands for all its "
        "instances; --generator for the scenes it proposes. Interrupted, the same command goes on.",
    )
    add_test_options(parser)
    parser.add_argument(
        "--within",
        type=float,
        default=0.0,
        metavar="M",
        help="also vary the place of every obstacle by up to ±M m (default: 0)",
    )
    parser.add_argument(
        "--turn",
        type=float,
        default=0.0,
        metavar="DEG",
        help="also turn every obstacle by up to ±DEG degrees (default: 0)",
    )
    parser.add_argument(
        "--generator",
        metavar="NAME",
        help="ask about the scenes that this generator proposes on the mission (default: about this scene)",
    )
    parser.add_argument(
        "--method", default="auto", metavar="NAME",
        help="monte-carlo, splitting, or auto: splitting if few of 1000 or more flights fail (default: auto)",
    )  # fmt: skip
    parser.add_argument(
        "--flights", type=int, default=2000, metavar="N",
        help="number of flights; with splitting, of each level (default: 2000)",
    )  # fmt: skip
    parser.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        metavar="SHARE",
        help="confidence level of the interval (default: 0.95)",
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="worker processes (default: all cores)")
    parser.add_argument("--plot", action="store_true", help="write a picture beside the certificate")
    parser.set_defaults(run=run, go_on="run the same command again to go on")


def run(arguments: argparse.Namespace) -> int:
    """Fly, count, print."""
    from uav_testgen.assurance.study import Study, run_study
    from uav_testgen.core.errors import StoreError
    from uav_testgen.core.processors import available_cores

    asked = asked_for(arguments)
    study = Study(
        asked.scenario, arguments.require, arguments.within, arguments.turn, arguments.generator,
        arguments.method, arguments.flights, arguments.confidence, asked.seed, asked.settings, asked.scatter,
    )  # fmt: skip
    folder = arguments.out or Path("results") / "certify" / asked.path.stem
    jobs = available_cores() if arguments.jobs is None else arguments.jobs
    certificate = run_study(study, jobs=jobs, out=folder, progress=flights_line())
    files = {"certificate": folder / "certificate.json"}
    data = certificate.to_json()
    try:
        files["certificate"].write_text(json.dumps(data, indent=2, allow_nan=False), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written ({error.strerror}); choose another --out") from None
    if arguments.plot:
        from uav_testgen.view.certificate import plot_certificate

        files["picture"] = folder / "certificate.png"
        plot_certificate(files["picture"], certificate)
    written = {name: str(file) for name, file in files.items()}
    if arguments.json:
        print_json({**data, **written})
        return 0
    print(printable(f"{asked.scenario.name or asked.path.stem}: how likely does it fail?"))
    for line in certificate.lines():
        print(printable(f"  {line}"))
    for name, file in written.items():
        print(printable(f"  {name:<12} {file}"))
    return 0
