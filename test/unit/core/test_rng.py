"""Named random streams: reproducible and independent."""

import subprocess
import sys

from uav_testgen.core.rng import derive_seed, stream


def test_same_name_same_numbers_other_name_other_numbers() -> None:
    first = stream(7, "noise").random(5).tolist()
    assert first == stream(7, "noise").random(5).tolist()
    assert first != stream(7, "wind").random(5).tolist()
    assert first != stream(8, "noise").random(5).tolist()


def test_names_do_not_run_together() -> None:
    assert derive_seed(1, "ab", "c") != derive_seed(1, "a", "bc")
    assert derive_seed(1, 12) != derive_seed(11, 2)


def test_independent_of_the_process() -> None:
    code = "from uav_testgen.core.rng import derive_seed; print(derive_seed(3, 'x', 5))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(printed) == derive_seed(3, "x", 5)
