"""Where the files that ship with the package are: missions, arenas, presets.

In the source tree (and in an editable install) they are in `config/` beside the package; a colcon or
wheel install puts them under `share/uav_testgen/config`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from uav_testgen.core.errors import MissingDependency

_PACKAGE = Path(__file__).resolve().parents[1]


def config_folder(name: str = "") -> Path:
    """A folder below `config/`; MissingDependency if the installation lacks it."""
    shares = [Path(sys.prefix) / "share", *(parent / "share" for parent in _PACKAGE.parents)]
    candidates = [_PACKAGE.parent / "config", *(share / "uav_testgen" / "config" for share in shares)]
    for candidate in candidates:
        folder = candidate / name
        if folder.is_dir():
            return folder
    raise MissingDependency(f"the shipped folder config/{name} is not installed; reinstall the package")
