"""A node ends when whoever started its graph was killed, also while it is still being made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from uav_testgen.testing.commands import is_alive, wait_until

NODE = """
import os, sys, time
from pathlib import Path
from uav_testgen.ros.executor import run_nodes

def never_made():  # as one whose kernels are being compiled
    Path(sys.argv[1]).write_text(str(os.getpid()))
    while True:
        time.sleep(0.1)

run_nodes([never_made], [])
"""
STARTER = """
import os, subprocess, sys
from uav_testgen.graph.environment import PARENT_VARIABLE
given = {**os.environ, PARENT_VARIABLE: str(os.getpid())}
subprocess.run([sys.executable, "-c", sys.argv[1], sys.argv[2]], env=given)
"""


def test_a_node_that_is_being_made_ends_with_its_graph(tmp_path: Path, ros_domain: int) -> None:
    noted = tmp_path / "pid"
    starter = subprocess.Popen([sys.executable, "-c", STARTER, NODE, str(noted)])
    wait_until(lambda: (noted.exists() and noted.read_text() != "") or starter.poll() is not None, "the node")
    starter.kill()
    starter.wait()
    pid = int(noted.read_text())
    wait_until(lambda: not is_alive(pid), "the end of the node", 60.0)
