from __future__ import annotations

import os


class LaunchContext:
    def __init__(self, *, argv=None, noninteractive=False):
        self.launch_configurations = {}
        self.environment = dict(os.environ)


class LaunchDescription:
    def __init__(self, initial_entities=None, *, deprecated_reason=None):
        self.entities = list(initial_entities or [])

    def add_action(self, action):
        self.entities.append(action)


def perform(value, context):
    """What launch does with strings, substitutions and lists of them."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return "".join(perform(part, context) for part in value)
    return value.perform(context)


def visit(entities, context):
    """Run a description: the actions that take effect, in order, with arguments resolved."""
    done = []
    for entity in entities:
        condition = getattr(entity, "condition", None)
        if condition is not None and not condition.evaluate(context):
            continue
        inner = entity.execute(context)
        done.append(entity)
        done += visit(inner or [], context)
    return done
