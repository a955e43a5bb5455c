"""Parameter files of the nodes with every default and its meaning, as `--params` and `--params-file` read them."""

from __future__ import annotations

import math
from typing import Any

import yaml

from uav_testgen.graph.description import GraphFile, NodePlan, resolve
from uav_testgen.ros.rehearsal import DECLARATIONS, Rehearsal

_FILLED_IN = ("expected_nodes",)
"""The description of the graph knows which nodes it starts."""
_HEAD = """# {node}: every parameter with its default. Written by `make docs`; copy it, keep what you change.
#   uav-testgen graph --params FILE        ros2 launch uav_testgen {variant}.launch.py params:=FILE
"""


def parameter_files(graph: GraphFile) -> dict[str, str]:
    """YAML text by node."""
    found: dict[str, str] = {}
    for variant in graph.variants:
        optional = [
            name
            for name, node in graph.nodes.items()
            if node.optional and (not node.variants or variant in node.variants)
        ]
        for plan in resolve(graph, variant, with_nodes=optional).nodes:
            if plan.name in DECLARATIONS and plan.name not in found:
                found[plan.name] = _file(plan, variant)
    return found


def _file(plan: NodePlan, variant: str) -> str:
    stand_in = Rehearsal(plan.name, plan.parameters)
    DECLARATIONS[plan.name](stand_in)
    values = {
        name: plan.parameters.get(name, default)
        for name, default in stand_in.defaults.items()
        if name not in _FILLED_IN
    }
    lines = [_HEAD.format(node=plan.name, variant=variant).rstrip(), f"{plan.name}:", "  ros__parameters:"]
    open_groups: list[str] = []
    # A group's own values first, then its groups: so that each name appears once.
    for name in sorted(values, key=lambda text: ([*text.split(".")[:-1]], list(values).index(text))):
        *groups, last = name.split(".")
        shared = 0
        while shared < min(len(groups), len(open_groups)) and groups[shared] == open_groups[shared]:
            shared += 1
        for depth in range(shared, len(groups)):
            lines.append(f"{'  ' * (depth + 2)}{groups[depth]}:")
        open_groups = groups
        indent = "  " * (len(groups) + 2)
        described = stand_in.descriptors[name]
        lines.append(f"{indent}# {described.description}{_allowed(described)}")
        lines.append(f"{indent}{last}: {_word(values[name])}")
    return "\n".join(lines) + "\n"


def _allowed(described: Any) -> str:
    ranges = [*described.floating_point_range, *described.integer_range]
    text = "".join(f"; {_bound(one.from_value)} .. {_bound(one.to_value)}" for one in ranges)
    if described.additional_constraints:
        text += f"; {described.additional_constraints}"
    return f"{text} (read-only)" if described.read_only else text


def _bound(value: float) -> str:
    return "any" if abs(value) > 1e18 else f"{value:g}"


def _word(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return ".nan"
    text: str = yaml.safe_dump(
        list(value) if isinstance(value, tuple) else value, default_flow_style=True, width=10**6
    )
    return text.strip().removesuffix("...").strip()
