"""Units of numbers and signals in formulas: metres, seconds and degrees, and what is made of them."""

from __future__ import annotations

from typing import Final, NamedTuple


class Unit(NamedTuple):
    """Powers of metre, second and degree."""

    metres: int = 0
    seconds: int = 0
    degrees: int = 0

    def times(self, other: Unit, power: int = 1) -> Unit:
        """The unit of a product, or with -1 of a quotient."""
        return Unit(*(mine + power * theirs for mine, theirs in zip(self, other, strict=True)))

    def __str__(self) -> str:
        parts = list(zip(("m", "s", "deg"), self, strict=True))
        above = "·".join(_power(name, power) for name, power in parts if power > 0)
        below = "·".join(_power(name, -power) for name, power in parts if power < 0)
        if not above and not below:
            return "1"
        return f"{above or '1'}/{below}" if below else above


def _power(name: str, power: int) -> str:
    return name if power == 1 else f"{name}{power}"


METRE: Final = Unit(metres=1)
SECOND: Final = Unit(seconds=1)
DEGREE: Final = Unit(degrees=1)
SPEED: Final = Unit(metres=1, seconds=-1)
TURN_RATE: Final = Unit(degrees=1, seconds=-1)
PLAIN: Final = Unit()

WRITTEN: Final[dict[str, tuple[Unit, float]]] = {
    "m": (METRE, 1.0),
    "km": (METRE, 1000.0),
    "cm": (METRE, 0.01),
    "s": (SECOND, 1.0),
    "ms": (SECOND, 0.001),
    "min": (SECOND, 60.0),
    "h": (SECOND, 3600.0),
    "deg": (DEGREE, 1.0),
    "rad": (DEGREE, 57.29577951308232),
}
"""Units after a number, with their size; two of them with a stroke between make a third: `km/h`."""
