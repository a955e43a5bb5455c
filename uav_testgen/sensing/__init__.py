"""What the camera sees: camera model, two renderers of one cloud, noise. Start with `base`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.sensing.camera import CameraConfig as CameraConfig
    from uav_testgen.sensing.camera import CameraRig as CameraRig
    from uav_testgen.sensing.cloud import DepthSensor as DepthSensor

__getattr__, __all__ = public_names(
    __name__,
    {
        "camera": "CameraConfig CameraRig",
        "cloud": "DepthSensor",
    },
)
