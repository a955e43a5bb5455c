"""What the state machine of an offboard flight knows and how patient it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum

from pydantic import Field

from uav_testgen.core.config import RoomConfig


class OffboardConfig(RoomConfig):
    """How long PX4 may take for what."""

    connect_timeout_s: float = Field(60.0, gt=0, le=3600, description="PX4 and its agent must be heard [s]")
    armable_timeout_s: float = Field(
        90.0, gt=0, le=3600, description="PX4 must be on the ground and pass its own checks [s]"
    )
    settle_s: float = Field(
        2.0, ge=0, le=60, description="The checks must hold this long, the origin is averaged meanwhile [s]"
    )
    engage_timeout_s: float = Field(
        20.0, gt=0, le=600, description="OFFBOARD and arming may take this long [s]"
    )
    command_period_s: float = Field(
        1.0, gt=0.05, le=60, description="A command that shows no effect is repeated after this time [s]"
    )
    takeoff_timeout_s: float = Field(30.0, gt=0, le=600, description="Armed, it must leave the ground [s]")
    odometry_timeout_s: float = Field(2.0, gt=0.05, le=60, description="Older odometry ends the flight [s]")
    recover_timeout_s: float = Field(
        8.0, ge=0, le=600, description="OFFBOARD must be back after this, or the flight ends [s]"
    )
    land_timeout_s: float = Field(
        180.0, gt=0, le=3600, description="Landing and disarming may take this long [s]"
    )
    disarm_after_s: float = Field(
        5.0, ge=0, le=600, description="PX4 disarms by itself; on the ground we ask after this time [s]"
    )
    lost_timeout_s: float = Field(
        15.0, gt=0, le=600, description="While landing: PX4 silent for this long is gone [s]"
    )
    takeover_timeout_s: float = Field(
        120.0, ge=0, le=3600, description="A person who took over has this long to land the vehicle [s]"
    )


class Stage(Enum):
    """Where the autopilot is on its way through a flight."""

    IDLE = "idle"
    CONNECTING = "connecting"
    SETTLING = "settling"
    READY = "ready"
    ENGAGING = "engaging"
    FLYING = "flying"
    HOLDING = "holding"
    LANDING = "landing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class View:
    """What is known of the autopilot at one moment; ages are infinite before the first message."""

    now_s: float
    agent: bool = False
    place: str = ""
    """Where was looked for it, for people."""
    mismatch: str = ""
    formats_known: bool = True
    """PX4 has said what its messages look like, or does not answer."""
    odometry_age_s: float = math.inf
    status_age_s: float = math.inf
    armed: bool = False
    nav_state: int = -1
    failsafe: bool = False
    checks_pass: bool = False
    failing: tuple[str, ...] = ()
    landed: bool = True
    answers: dict[int, int] = field(default_factory=dict)
    """Newest result by command number."""
    modes: dict[int, str] = field(default_factory=dict)
    """Registered external modes: name by nav_state, "" where nobody heard the registration."""
    completed: dict[int, int] = field(default_factory=dict)
    """Result of external modes that said they are done, by nav_state."""

    def mode_of(self, name: str) -> int | None:
        """The external mode of this name; any where no name is asked for."""
        found = [mode for mode, known in sorted(self.modes.items()) if not name or known == name]
        return found[0] if found else None
