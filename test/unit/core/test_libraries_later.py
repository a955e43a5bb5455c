"""What nobody uses is not loaded, and whoever uses it finds it as it is."""

from __future__ import annotations

import subprocess
import sys


def answer(program: str) -> str:
    """What a fresh Python prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_command_starts_without_the_compiler_of_fortran() -> None:
    """As long as SciPy names it: then it is in sys.modules, and nothing below it is."""
    program = (
        "import sys, uav_testgen.campaign.runner, scipy.special\n"
        "print([name for name in sys.modules if name.startswith('numpy.f2py.')])"
    )
    assert answer(program) == "[]"


def test_it_is_there_for_whoever_uses_it() -> None:
    program = (
        "import uav_testgen, scipy.special, numpy\n"
        "from numpy.f2py import crackfortran\n"
        "print(numpy.f2py.__name__, callable(numpy.f2py.run_main), crackfortran.__name__)"
    )
    assert answer(program) == "numpy.f2py True numpy.f2py.crackfortran"


def test_a_module_loaded_before_stays_as_it_is() -> None:
    program = (
        "import numpy.f2py as before, uav_testgen\n"
        "import numpy.f2py as after\n"
        "print(before is after, type(after).__name__)"
    )
    assert answer(program) == "True module"
