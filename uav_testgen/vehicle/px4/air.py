"""What wind adds to the motion in calm air, as the rotors of Gazebo's iris feel it.

The simulated air acts through the rotors only: across a rotor's axis it drags, along it it takes thrust away. The
drag of the vehicle's own motion is calibrated in calm air (`drag_per_s`); wind adds the difference between the
rotors' forces with it and without it, so nothing changes where there is none.
"""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import kernel
from uav_testgen.vehicle.px4.state import THRUST, VEL

GRAVITY_MPS2 = 9.80665
_ROTORS = 4
_MASS_KG = 1.54
_MOTOR_CONSTANT = 5.84e-6  # thrust of a rotor per squared speed [N s^2/rad^2]
_ROTOR_DRAG = 0.000175  # force per rotor speed and air speed across the axis [N s^2/(rad m)]
_NO_THRUST_MPS = 25.0  # flow along the axis at which a rotor gives no thrust any more
_MAX_ROTOR_RADPS = 1100.0


@kernel
def wind_acceleration(state: FloatArray, wind_enu_mps: FloatArray) -> tuple[float, float, float]:
    """Acceleration by the wind, ENU [m/s^2]."""
    push_x, push_y, push_z = state[THRUST], state[THRUST + 1], GRAVITY_MPS2 + state[THRUST + 2]
    push = math.sqrt(push_x * push_x + push_y * push_y + push_z * push_z)
    if push <= 0.0:
        return 0.0, 0.0, 0.0
    x, y, z = push_x / push, push_y / push, push_z / push
    rotor_radps = min(math.sqrt(push * _MASS_KG / (_ROTORS * _MOTOR_CONSTANT)), _MAX_ROTOR_RADPS)
    drag_per_s = _ROTORS * _ROTOR_DRAG * rotor_radps / _MASS_KG
    along_wind = wind_enu_mps[0] * x + wind_enu_mps[1] * y + wind_enu_mps[2] * z
    along_calm = state[VEL] * x + state[VEL + 1] * y + state[VEL + 2] * z
    calm_share = _thrust_share(along_calm)
    lost = push * (_thrust_share(along_calm - along_wind) - calm_share)
    # Drag is linear in the flow, so its difference depends on the wind alone.
    across = drag_per_s * along_wind
    return (
        drag_per_s * wind_enu_mps[0] - across * x + lost * x,
        drag_per_s * wind_enu_mps[1] - across * y + lost * y,
        drag_per_s * wind_enu_mps[2] - across * z + lost * z,
    )


@kernel
def _thrust_share(flow_mps: float) -> float:
    """Part of the thrust that is left in a flow along the axis."""
    return min(max(1.0 - abs(flow_mps) / _NO_THRUST_MPS, 0.0), 1.0)
