"""Predicts, checks and draws every scene of config/gallery.yaml; writes docs/gallery.md and the pictures of README."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from uav_testgen import Prediction, predict  # noqa: E402
from uav_testgen.cli._prediction import distance_lines  # noqa: E402
from uav_testgen.view.scene_map import save_animation, save_scene_map  # noqa: E402
from uav_testgen.view.shown import figures_of, not_shown  # noqa: E402

PAGE = ROOT / "docs" / "gallery.md"
PICTURES = ROOT / "docs" / "images" / "gallery"
ANIMATION = ROOT / "docs" / "images" / "found_failure.gif"
ANIMATED = "too_close"
HEAD = """# Gallery

Shipped scenes that show what can happen. Each is a name that every command and every function takes:
`uav-testgen fly NAME`, `predict("NAME")`, `uav-testgen list scenes`. Dashed: the planned mission; dark blue: the
nominal run; light blue: runs with the scatter that real flights have; red: the closest approach of the nominal run.

Written by `make gallery`, which predicts the scenes and refuses to draw one that no longer shows what it is shown for.
"""


def main() -> int:
    """Draw all; 1 if a scene shows something else."""
    parts = [HEAD]
    wrong = []
    for entry in entries():
        prediction, recorded = flown(entry)
        faults = not_shown(figures_of(prediction, recorded), entry["shows"])
        wrong += [f"{entry['scene']}: {fault}" for fault in faults]
        print(f"{entry['scene']}: {prediction.counts_sentence}")
        flights = [run.flight for run in prediction.flown]
        verdicts = [run.verdict for run in prediction.flown]
        save_scene_map(
            PICTURES / f"{entry['scene']}.png",
            prediction.scenario,
            flights,
            verdicts,
            entry["title"],
            f"Nominal run: {verdicts[0].sentence.partition('. ')[0].rstrip('.')}.",
            recorded,
        )
        if entry["scene"] == ANIMATED:
            title = "A test that was found: the drone passes a wall too close"
            save_animation(ANIMATION, prediction.scenario, flights[0], verdicts[0], title)
        parts.append(section(entry, prediction))
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    PAGE.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)} and {PICTURES.relative_to(ROOT)}")
    return 0


def entries() -> list[dict[str, Any]]:
    """The table."""
    found: list[dict[str, Any]] = yaml.safe_load(
        (ROOT / "config" / "gallery.yaml").read_text(encoding="utf-8")
    )
    return found


def flown(entry: dict[str, Any]) -> tuple[Prediction, Any]:
    """The prediction of a scene, and the path that was recorded, where one was."""
    recorded = None
    if "recorded" in entry:
        rows = np.loadtxt(ROOT / entry["recorded"], delimiter=",", skiprows=2)
        recorded = rows[:, 1:]
    return predict(entry["scene"]), recorded


def section(entry: dict[str, Any], prediction: Prediction) -> str:
    """Picture, verdict and command."""
    name = entry["scene"]
    lines = "\n".join(distance_lines(prediction))
    return f"""## {entry["title"]}

{entry["text"]}

![{entry["title"]}](images/gallery/{name}.png)

```sh
uav-testgen fly {name}
```

```text
{lines}
```
"""


if __name__ == "__main__":
    sys.exit(main())
