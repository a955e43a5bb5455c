"""Requirements as text: signal temporal logic over the signals of a flight. Start with `parser`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.oracle.stl.judgement import Judgement as Judgement
    from uav_testgen.oracle.stl.judgement import judge_formula as judge_formula
    from uav_testgen.oracle.stl.parser import FormulaError as FormulaError
    from uav_testgen.oracle.stl.parser import parse as parse
    from uav_testgen.oracle.stl.requirement import Formula as Formula
    from uav_testgen.oracle.stl.robustness import robustness as robustness
    from uav_testgen.oracle.stl.signals import signals_of as signals_of

__getattr__, __all__ = public_names(
    __name__,
    {
        "judgement": "Judgement judge_formula",
        "parser": "FormulaError parse",
        "requirement": "Formula",
        "robustness": "robustness",
        "signals": "signals_of",
    },
)
