"""`uav-testgen figure`: explain a test of generator prgen in one picture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from uav_testgen.cli._forms import add_form_option
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._system import add_system_options, system_settings

_ENDINGS = (".png", ".svg", ".pdf")
_SYSTEM = "paper"
"""The picture is that of PRGenUAV-LFS, so its simulator flies unless another system is asked for."""


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "figure",
        help="draw a test with its segment of interest, parts A and B, angle and predicted path",
        description="Draw a test whose first wall obstructs the segment of interest, as generator prgen "
        "makes them: arena, segment, parts A and B of the wall, their angle, and the predicted path.",
    )
    parser.add_argument(
        "scenario",
        type=Path,
        metavar="SCENARIO",
        help="scenario file, or name of a shipped scene, e.g. figure1",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="picture to write (.png, .svg, .pdf)"
    )
    parser.add_argument(
        "--backend",
        default="lfs",
        metavar="NAME",
        help="simulator that predicts the path; none: draw no path",
    )
    add_system_options(parser, default=_SYSTEM)
    add_json_option(parser)
    add_form_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Fly, draw, say what is drawn."""
    from uav_testgen.backend.registry import make_backend
    from uav_testgen.core.errors import ConfigError, StoreError
    from uav_testgen.predict.runs import predict
    from uav_testgen.scenario.formats.scenes import load_scene
    from uav_testgen.scenario.wall_parts import first_wall
    from uav_testgen.view.anatomy import draw_anatomy

    out: Path = arguments.out
    if out.suffix.lower() not in _ENDINGS:
        raise ConfigError(f"--out {out}: the name must end in {' or '.join(_ENDINGS)}")
    if not out.absolute().parent.is_dir():
        raise StoreError(f"--out {out}: there is no folder {out.parent}")
    scenario = load_scene(str(arguments.scenario))
    parts = first_wall(scenario)
    trajectory, distance_m = None, None
    if arguments.backend != "none":
        settings = {"system": _SYSTEM, **system_settings(arguments)}
        with make_backend(arguments.backend, settings) as backend:
            nominal = predict(backend, scenario, scenario.seed, runs=0).nominal
        trajectory, distance_m = nominal.flight.trajectory, nominal.distance_m
    predicted = "" if distance_m is None else f", nominal run: least distance {distance_m:.2f} m"
    draw_anatomy(out, scenario, parts, trajectory, f"{scenario.name or arguments.scenario.stem}{predicted}")
    facts = {
        "file": str(out),
        "part_a_m": round(parts.part_a_m, 4),
        "part_b_m": round(parts.part_b_m, 4),
        "angle_deg": round(parts.angle_deg, 3),
        "nominal_distance_m": distance_m,
    }
    if arguments.json:
        print_json(facts)
    else:
        print(
            f"part A {parts.part_a_m:.2f} m, part B {parts.part_b_m:.2f} m, angle {parts.angle_deg:.1f}°"
            f"{predicted}: {out}"
        )
    return 0
