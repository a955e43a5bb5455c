"""Names of the cameras' frames (REP-103 and REP-105), the same for planners in Python and for nodes."""

from __future__ import annotations

import re
from typing import Final

CAMERA_FRAME: Final = "camera_link"
"""Camera, x forward, y left, z up."""
CAMERA_OPTICAL_FRAME: Final = "camera_optical"
"""Camera, z forward, x right, y down, as images want it."""


def camera_frames(camera: str, index: int) -> tuple[str, str]:
    """(frame of the camera, its optical frame); the first one of a rig has the plain names."""
    if index == 0:
        return CAMERA_FRAME, CAMERA_OPTICAL_FRAME
    return f"camera_{ros_word(camera)}_link", f"camera_{ros_word(camera)}_optical"


def ros_word(name: str) -> str:
    """A name as a part of a topic: letters, digits and underscores, no digit in front."""
    word = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return f"_{word}" if word[0].isdigit() else word
