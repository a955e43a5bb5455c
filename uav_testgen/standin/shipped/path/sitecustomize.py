"""Runs when a Python of the started program starts: makes `import aerialist` answerable.

Where Aerialist is installed, only its local agent is replaced (it would start PX4 and Gazebo) and, unless a mounted
folder is used, its k8s agent (it would need a cluster and a file server). Where it is not, our own package of that
name is found, because it is last on the path. Standard library only, Python 3.8.
"""

import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = os.environ.get("UAV_TESTGEN_PACKAGE", "")


class AgentFinder:
    """Finds our agents in place of those of an installed Aerialist."""

    def find_spec(self, name, path=None, target=None):
        """The module that answers, for the agents that cannot run here."""
        parent, _, last = name.rpartition(".")
        if last not in self.replaced() or parent.rpartition(".")[2] != "px4":
            return None
        if any(folder.startswith(_PACKAGE) for folder in (path or ())):
            return None  # our own package has its own
        return importlib.util.spec_from_file_location(name, os.path.join(_HERE, "uav_testgen_agents.py"))

    def replaced(self):
        """Names of the modules. Aerialist's own k8s agent does not run on Python 3.11 and later."""
        folder_is_used = os.environ.get("KUBE_USE_VOLUME", "").lower() in ("1", "true", "yes", "on", "y", "t")
        if folder_is_used and sys.version_info < (3, 11):
            return ("local_agent",)
        return ("local_agent", "k8s_agent")


def _run_next():
    """A sitecustomize of the user's own comes next on the path; it must not be lost."""
    others = [folder for folder in sys.path if os.path.abspath(folder or ".") != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get("UAV_TESTGEN_SOCKET") and __name__ == "sitecustomize":
    sys.meta_path.insert(0, AgentFinder())
    if os.environ.get("UAV_TESTGEN_OWN_AERIALIST") == "1":
        sys.path.insert(0, _PACKAGE)
    else:
        sys.path.append(_PACKAGE)
    _run_next()
