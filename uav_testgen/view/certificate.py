"""The picture of a certificate: how the margin is distributed, and how likely it falls below each value."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from uav_testgen.assurance.certificate import Certificate
from uav_testgen.core.errors import StoreError
from uav_testgen.view.map_drawing import INK, NEAR, SOFT


def plot_certificate(path: Path, certificate: Certificate) -> None:
    """Write the picture; its format follows from the name's ending."""
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 10, "svg.hashsalt": "uav_testgen"}):
        figure = Figure(figsize=(7.0, 6.4), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        _histogram(above, certificate)
        _curve(below, certificate)
        unit = f" [{certificate.unit}]" if certificate.unit else ""
        below.set_xlabel(f"margin{unit}; below 0 the requirement fails")
        figure.suptitle(textwrap.fill(certificate.requirement, 70, max_lines=2, placeholder=" …"), color=INK)
        try:
            figure.savefig(path, dpi=150)
        except OSError as error:
            raise StoreError(f"{path}: the picture cannot be written ({error.strerror})") from None


def _histogram(axis: Any, certificate: Certificate) -> None:
    axis.hist(np.array(certificate.margins), bins=40, color="#9bb3d6")
    axis.axvline(0.0, color=NEAR, lw=1.4)
    axis.set_ylabel(f"of {certificate.independent} independent flights")


def _curve(axis: Any, certificate: Certificate) -> None:
    margins = np.sort(np.array(certificate.margins))
    if len(margins):
        shares = np.arange(1, len(margins) + 1) / len(margins)
        axis.step(margins, shares, where="post", color="#2557a7", label="counted")
    if certificate.levels:
        levels = np.array(certificate.levels)
        axis.plot(levels[:, 0], levels[:, 1], "o-", color=INK, ms=4, label="splitting")
    low, high = certificate.simulated.interval
    middle = max(certificate.simulated.probability, 1e-300)
    if certificate.reached and low > 0.0:
        spread = [[middle - low], [high - middle]]
        axis.errorbar(
            [0.0],
            [middle],
            yerr=spread,
            color=NEAR,
            capsize=4,
            label=f"{certificate.confidence:.0%} interval",
        )
    axis.axvline(0.0, color=NEAR, lw=1.0, ls=":")
    axis.set_yscale("log")
    # Numbers as text: the usual powers of ten are formulas, and formulas are off because names come from files.
    axis.yaxis.set_major_formatter("{x:g}")
    axis.set_ylabel("probability of less")
    axis.grid(color=SOFT, alpha=0.25)
    axis.legend(frameon=False)
