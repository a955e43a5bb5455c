"""The competition kit: an entry that runs as it is, to be made one's own."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.core.errors import StoreError
from uav_testgen.core.files import write_text
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.formats.aerialist_write import save_test
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import Scenario, Wind

# The public samples; the case studies of an evaluation are hidden.
CASES = ("mission1", "mission2", "mission3")
WINDY = Wind(
    velocity_mean_mps=4.0, velocity_max_mps=6.0, velocity_variance=1.0, direction_enu=(0.0, 1.0, 0.0)
)
_RENAMED = {"dockerignore": ".dockerignore"}


def write_kit(folder: Path) -> list[Path]:
    """Write all files of an entry; StoreError where the folder holds something."""
    try:
        if folder.exists() and any(folder.iterdir()):
            raise StoreError(f"{folder}: the folder is not empty; name a new or empty one")
        (folder / "wheels").mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise StoreError(f"{folder}: the folder cannot be made ({reason}); choose another") from None
    written = []
    for source in sorted(path for path in config_folder("competition").iterdir() if path.is_file()):
        target = folder / _RENAMED.get(source.name, source.name)
        write_text(target, source.read_text(encoding="utf-8"))
        written.append(target)
    for name in CASES:
        mission = named_mission(name).model_copy(update={"name": name})
        for stem, wind in ((name, Wind()), (f"{name}-wind", WINDY)):
            target = folder / "case_studies" / f"{stem}.yaml"
            save_test(target, Scenario(mission=mission, wind=wind, name=stem))
            _name_from_above(target, f"{name}.plan")
            written.append(target)
    return written


def _name_from_above(path: Path, plan: str) -> None:
    """Case studies name their plan as seen from the entry's folder, where the program runs."""
    text = path.read_text(encoding="utf-8")
    write_text(path, text.replace(f"mission_file: {plan}", f"mission_file: case_studies/{plan}"))
