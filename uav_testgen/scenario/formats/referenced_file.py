"""Files that a test file names: where they are looked for, and which may be read.

A relative name is looked for beside the file that mentions it, in the folders above it (a case study
and a saved test name their plan as seen from there), in the working folder (as Aerialist does),
and last by its bare name beside the file, so that a results folder can be moved.
Only files of the expected kinds are opened, whatever the name says, and never more than a few megabytes;
their content is not echoed in errors.
"""

from __future__ import annotations

from pathlib import Path

from uav_testgen.core.errors import InputFileError

FOLDERS_ABOVE = 4


def find_file(given: str, mentioned_in: Path, suffixes: tuple[str, ...], field: str) -> Path:
    """The existing file a field names; InputFileError says where it was looked for."""
    name = Path(given)
    if "\x00" in given or name.suffix.lower() not in suffixes:
        raise InputFileError(
            f"{mentioned_in}: {field}: {given[:100]!r} is not a {' or '.join(suffixes)} file, "
            "nothing else is read"
        )
    folder = mentioned_in.resolve().parent
    # Generators save tests some folders below the one they run in, and name files as seen from there.
    above = list(folder.parents)[:FOLDERS_ABOVE]
    places = [folder / name, *(place / name for place in above), Path.cwd() / name, folder / name.name]
    for place in places:
        if _exists(place):
            return place
    raise InputFileError(
        f"{mentioned_in}: {field}: no file {given[:200]!r} beside the test, in the folders above it or "
        "in the working folder; correct the path or put the file there"
    )


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long for the file system, for example
        return False
