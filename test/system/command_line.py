"""Whole commands as a user types them, run in this process.

It has loaded all modules and compiled functions; a process of its own would need longer for that than for most
commands. Whoever asks what the process does (streams, signals, limits) starts one: `uav_testgen.testing.commands`.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

from uav_testgen.cli.main import main
from uav_testgen.testing.commands import command


def run(*words: str | Path, cwd: Path | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """What a process would have returned and printed."""
    out, err = io.StringIO(), io.StringIO()
    before = os.getcwd()
    typed = mock.patch.object(sys, "stdin", io.StringIO(stdin))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), typed:
        try:
            os.chdir(cwd or before)
            code = main([str(word) for word in words])
        except SystemExit as stop:  # the parser's own end: help, version, a wrong option
            code = stop.code if isinstance(stop.code, int) else 0
        finally:
            os.chdir(before)
    return subprocess.CompletedProcess(command(*words), int(code), out.getvalue(), err.getvalue())
