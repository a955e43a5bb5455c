"""Who proposes scenarios: ask/tell generators. Start with `base`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.generator.base import Generator as Generator
    from uav_testgen.generator.registry import GENERATORS as GENERATORS
    from uav_testgen.generator.registry import build_generator as build_generator
    from uav_testgen.generator.reporting import GeneratorReport as GeneratorReport

__getattr__, __all__ = public_names(
    __name__,
    {
        "base": "Generator",
        "registry": "GENERATORS build_generator",
        "reporting": "GeneratorReport",
    },
)
