from . import actions, conditions, events, substitutions
from .core import LaunchContext, LaunchDescription

__all__ = ["LaunchContext", "LaunchDescription", "actions", "conditions", "events", "substitutions"]
