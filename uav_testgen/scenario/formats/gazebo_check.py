"""A second opinion on a Gazebo world: sdformat's own checker, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from uav_testgen.core.errors import InputFileError

_CHECKERS = (("gz", "sdf", "-k"), ("ign", "sdf", "-k"))
_LIMIT_S = 60.0


def check_world(path: Path) -> str:
    """What the checker says; InputFileError where it refuses the world, a sentence where there is no checker."""
    for program, *words in _CHECKERS:
        if shutil.which(program) is None:
            continue
        try:
            done = subprocess.run(
                [program, *words, str(path)], capture_output=True, text=True, timeout=_LIMIT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"skipped, {program} gave no answer within {_LIMIT_S:.0f} s ({type(error).__name__})"
        said = " ".join((done.stderr or done.stdout).split())[:300]
        if done.returncode != 0 or "Error" in done.stderr:
            raise InputFileError(f"{path}: {program} sdf refuses it: {said}")
        return f"valid SDF, says {program} sdf"
    return "skipped, sdformat's checker is not installed (gz sdf -k)"
