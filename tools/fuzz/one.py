"""Fuzz one parser for some seconds, in a process of its own: `one.py NAME SECONDS COUNTS.json SEED`.

With atheris (libFuzzer) inputs are guided by the code they reach; without it they are random changes of good
examples. Crashes are collected, not stopped at: the same place counts once.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from target import UNGUIDED, kept

# Only parsers: compiled kernels do not survive being instrumented.
GUIDING = [
    "uav_testgen.core.config", "uav_testgen.scenario", "uav_testgen.flight.ulog",
    "uav_testgen.fleet.scenario", "uav_testgen.work.store", "uav_testgen.campaign.config",
    "uav_testgen.ros.convert",
    "uav_testgen.ros.recording_file", "yaml", "json", "pyulog", "mcap",
]  # fmt: skip
MAX_BYTES = 20_000


class Counting:
    """Calls a parser, keeps count, and writes the account every second, because the fuzzer ends abruptly."""

    def __init__(self, name: str, target: Any, account: Path, guided: bool) -> None:
        from uav_testgen.core.errors import UavTestgenError

        self._ours = UavTestgenError
        self._target = target
        self._account = account
        self._written_s = 0.0
        self.data: dict[str, Any] = {
            "target": name, "guided": guided, "tried": 0, "accepted": 0, "refused": 0, "crashes": {},
        }  # fmt: skip

    def __call__(self, data: bytes) -> None:
        """One input."""
        self.data["tried"] += 1
        try:
            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                self._target.check(data)
            self.data["accepted"] += 1
        except self._ours:
            self.data["refused"] += 1
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
            first = {"count": 0, "input": data.hex(), "text": str(error)}
            known = self.data["crashes"].setdefault(place, first)
            known["count"] += 1
        if time.monotonic() - self._written_s > 1.0:
            self.write()

    def write(self) -> None:
        """The account so far."""
        self._written_s = time.monotonic()
        self._account.write_text(json.dumps(self.data))


def changed(good: bytes, dice: random.Random) -> bytes:
    """A good example with something wrong."""
    data = bytearray(good)
    for _ in range(dice.randint(1, 6)):
        place = dice.randint(0, len(data))
        match dice.randint(0, 4):
            case 0 if data:
                data[place % len(data)] = dice.randrange(256)
            case 1:
                data[place:place] = dice.randbytes(dice.randint(1, 20))
            case 2:
                del data[place : place + dice.randint(1, 40)]
            case 3:
                data[place:place] = data[place : place + dice.randint(1, 60)]
            case _:
                data[place:place] = dice.choice([b"-1e999", b"NaN", b"[[[[", b"{", b"\xff" * 4, b"null"])
    return bytes(data[:MAX_BYTES])


def main(name: str, seconds: int, account: Path, seed: int) -> int:
    """Fuzz; the account says what came of it."""
    try:
        if name in UNGUIDED:
            raise ImportError
        import atheris
    except ImportError:
        atheris = None
    with atheris.instrument_imports(include=GUIDING) if atheris else contextlib.nullcontext():
        from targets import TARGETS

        target = TARGETS[name]()
    counting = Counting(name, target, account, atheris is not None)
    for example in [*target.seeds, *kept(name)]:
        counting(example)
    if counting.data["accepted"] == 0:
        print(f"{name}: not one of the good examples is accepted", file=sys.stderr)
        return 1
    if atheris is None:
        dice = random.Random(seed)
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            counting(changed(dice.choice(target.seeds), dice))
        counting.write()
        return 0
    folder = Path(tempfile.mkdtemp(prefix="corpus-"))
    for number, example in enumerate(target.seeds):
        (folder / str(number)).write_bytes(example)
    limits = [f"-max_total_time={seconds}", f"-max_len={MAX_BYTES}", "-timeout=60", "-rss_limit_mb=4096"]
    options = [*limits, f"-seed={seed}", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *options, str(folder)], counting)
    counting.write()
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])))
