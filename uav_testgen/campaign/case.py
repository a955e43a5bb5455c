"""The case study of a campaign: a mission on which obstacles are placed, from a name or a file.

Obstacles in the file are examples and left out, unless the generator begins with a test it is given.

What the tests of the campaign refer to (the plan, and parameter, command or log files that could not
be written into them) is copied beside the tests under its bare name, so the results can be moved.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import InputFileError, StoreError
from uav_testgen.core.files import write_text, yaml_text
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.aerialist import AerialistTest, is_aerialist, parse_test
from uav_testgen.scenario.formats.aerialist_write import aerialist_document, inexpressible
from uav_testgen.scenario.formats.missions import mission_names, named_mission
from uav_testgen.scenario.formats.plan_file import save_plan, survives_plan
from uav_testgen.scenario.formats.prediction_note import KEY, PredictionNote
from uav_testgen.scenario.formats.referenced_file import find_file
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.model import Scenario

# Fields of an Aerialist test that name further files, and what those files may be.
_FILE_FIELDS = (
    ("robot", "params_file", (".csv",)),
    ("mission", "commands_file", (".csv", ".ulg")),
    ("assertion", "log_file", (".csv", ".ulg")),
)


@dataclass(frozen=True, slots=True)
class CaseStudy:
    """What the search begins with and, if it came from one, the Aerialist file to write tests like."""

    name: str
    base: Scenario
    template: AerialistTest | None = None
    copies: tuple[Path, ...] = ()

    @property
    def plan_name(self) -> str:
        """Name of the mission file beside the tests."""
        if self.template is not None and self.template.plan_path is not None:
            return self.template.plan_path.name
        return f"{_file_name(self.base.mission.name or self.name)}.plan"

    def write_files(self, out: Path) -> None:
        """The plan and other referred files into tests/, and the case study itself."""
        self.write_beside(out / "tests")
        self._write(out / "case.yaml", self.base, f"tests/{self.plan_name}")

    def write_beside(self, folder: Path) -> None:
        """The files that tests in this folder refer to."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path in self.copies:
                # Written again from the case study in the output folder, a file is its own copy.
                if path.resolve() != (folder / path.name).resolve():
                    shutil.copyfile(path, folder / path.name)
        except OSError as error:
            raise StoreError(
                f"{folder}: a file of the case study cannot be copied ({error.strerror})"
            ) from None
        if self.template is None or self.template.plan_path is None:
            save_plan(folder / self.plan_name, self.base.mission)

    def write_test(self, path: Path, scenario: Scenario, note: PredictionNote | None = None) -> None:
        """One test: Aerialist YAML beside the plan it names; uav_testgen YAML for what Aerialist cannot hold.

        The note says how it was predicted, so that `fly` gives the same numbers again.
        """
        self._write(path, scenario, self.plan_name, note)

    def _write(
        self, path: Path, scenario: Scenario, mission_file: str, note: PredictionNote | None = None
    ) -> None:
        told = {} if note is None else {KEY: note.model_dump(mode="json")}
        other_mission = scenario.mission != self.base.mission
        # Aerialist has no word for moving obstacles, spheres, meshes, fog, landforms, or a heading at take-off; and
        # the plan beside the tests is that of the case study, not of a test whose mission was changed.
        if scenario.logical is not None or other_mission or not self._fits_plan or inexpressible(scenario):
            save_scenario(path, scenario, told)
            return
        dialect = self.template.dialect if self.template is not None else "robot"
        document = aerialist_document(scenario, mission_file, template=self.template, dialect=dialect)
        write_text(path, yaml_text({**document, **told}))

    @property
    def _fits_plan(self) -> bool:
        return self.template is not None or survives_plan(self.base.mission)


def load_case(given: str, folder: Path, arena: Arena, *, keep_obstacles: bool = False) -> CaseStudy:
    """A shipped mission by name, or a file relative to `folder`; errors name the file and the way out."""
    if given in mission_names():
        mission = named_mission(given)
        return CaseStudy(given, Scenario(mission=mission, arena=arena, name=given))
    if "\x00" in given:
        raise InputFileError("the case study's name holds a zero byte; give the name of a file")
    path = folder / given
    if not path.suffix and not path.exists():
        ending = nearest_and_known(given[:80], mission_names())
        raise InputFileError(f"{path}: no such file, and not a shipped mission{ending}")
    template: AerialistTest | None = None
    copies: tuple[Path, ...] = ()
    if path.suffix != ".plan":
        data = read_yaml(path)
        if is_aerialist(data):
            template, copies = _with_copies(parse_test(path, data, arena))
    scenario = template.scenario if template is not None else load_scenario(path, arena)
    base = scenario if keep_obstacles else scenario.model_copy(update={"obstacles": ()})
    return CaseStudy(_file_name(path.stem), base, template, copies)


def case_of_test(test: AerialistTest, base: Scenario) -> CaseStudy:
    """The case study of an already loaded Aerialist test."""
    template, copies = _with_copies(test)
    return CaseStudy(_file_name(test.plan_path.stem if test.plan_path else "case"), base, template, copies)


def _with_copies(test: AerialistTest) -> tuple[AerialistTest, tuple[Path, ...]]:
    """The template with bare names, and the files that will stand beside the tests."""
    copies = [] if test.plan_path is None else [test.plan_path]
    document: dict[str, Any] = dict(test.document)
    for section, key, suffixes in _FILE_FIELDS:
        named = (document.get(section) or {}).get(key)
        if not isinstance(named, str):
            continue
        try:
            found = find_file(named, test.path, suffixes, f"{section}.{key}")
        except InputFileError:
            continue  # not needed to fly here; Aerialist will say if it needs it
        copies.append(found)
        document[section] = {**document[section], key: found.name}
    return replace(test, document=document), tuple(copies)


def _file_name(text: str) -> str:
    """Letters, digits, dot, dash and underscore only: a name can never leave its folder."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", text).lstrip(".")[:80] or "case"
