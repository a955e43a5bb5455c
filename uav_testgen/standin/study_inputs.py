"""What a study was given, copied into its artefact, and the settings that repeat it from there."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from uav_testgen.campaign.case import load_case
from uav_testgen.campaign.study.cells import generator_name
from uav_testgen.campaign.study.config import StudyConfig, case_name
from uav_testgen.core.errors import DiskError
from uav_testgen.core.files import yaml_text
from uav_testgen.scenario.formats.missions import mission_names
from uav_testgen.scenario.logical.declaration import scenario_names
from uav_testgen.standin.program_cell import NOT_COPIED, program_folder


def write_inputs(config: StudyConfig, folder: Path, out: Path) -> str:
    """Copy cases, programs and code from files; returns a study file for inside the output folder."""
    settings = config.model_dump(mode="json")
    try:
        settings["cases"] = [_case(config, given, folder, out) for given in config.cases]
        for name in config.generators:
            settings["generators"][name] = _generator(config, name, settings["generators"][name], folder, out)
    except OSError as error:
        raise DiskError(f"{out}: an input of the study cannot be copied ({error.strerror})") from None
    return yaml_text(settings)


def _case(config: StudyConfig, given: str, folder: Path, out: Path) -> str:
    if given in mission_names() or given in scenario_names():
        return given
    inputs = out / "inputs"
    inputs.mkdir(parents=True, exist_ok=True)
    case = load_case(given, folder, config.arena, keep_obstacles=True)
    if case.base.logical is not None:
        name = f"inputs/{Path(given).name}"
        shutil.copyfile(folder / given, out / name)
        return name
    case.write_beside(inputs)
    case.write_test(inputs / f"{case_name(given)}.yaml", case.base)
    return f"inputs/{case_name(given)}.yaml"


def _generator(
    config: StudyConfig, name: str, entry: dict[str, Any], folder: Path, out: Path
) -> dict[str, Any]:
    """The entry without what it need not say; files are named as they lie in the artefact."""
    studied = config.generators[name]
    if studied.folder is not None:
        target = out / "programs" / name
        shutil.rmtree(target, ignore_errors=True)
        root = program_folder(name, studied.folder, folder)
        shutil.copytree(root, target, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True)
        entry = {**entry, "folder": f"programs/{name}"}
    used = generator_name(config, name) or ""
    file, _, part = used.rpartition(":")
    if file.endswith(".py") and Path(file).is_file():
        (out / "generators").mkdir(exist_ok=True)
        shutil.copyfile(file, out / "generators" / Path(file).name)
        entry = {**entry, "generator": f"generators/{Path(file).name}:{part}"}
    if studied.command:
        return {key: value for key, value in entry.items() if key not in ("generator", "settings")}
    return {key: entry[key] for key in ("generator", "settings")}
