"""Files that an Aerialist test names and that are not there, although the test can be flown without them."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import InputFileError
from uav_testgen.scenario.formats.aerialist import is_aerialist
from uav_testgen.scenario.formats.referenced_file import find_file

# Section (both dialects), field, suffixes, and what their absence means.
_FIELDS = (
    (("drone", "robot"), "params_file", (".csv",), "flown without the parameters in it"),
    (
        ("test", "mission"), "commands_file", (".csv", ".ulg"),
        "a prediction flies the mission and needs no commands, but Aerialist does",
    ),
)  # fmt: skip


def absent_files(path: Path) -> tuple[str, ...]:
    """One sentence for each; empty for files of other kinds."""
    if path.suffix.lower() not in (".yaml", ".yml"):
        return ()
    data = read_yaml(path)
    if not is_aerialist(data):
        return ()
    found = []
    for sections, field, suffixes, meaning in _FIELDS:
        for section in sections:
            given = (data.get(section) or {}).get(field)
            # Written out in the test itself, the file is not needed.
            if given is None or (data.get(section) or {}).get(field.removesuffix("_file")) is not None:
                continue
            try:
                find_file(str(given), path, suffixes, f"{section}.{field}")
            except InputFileError as error:
                found.append(f"{error} ({meaning})")
    return tuple(found)
