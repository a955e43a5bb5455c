"""Groups and examples of the commands, for every help text. A new command gets a line in each table."""

from __future__ import annotations

GROUPS: dict[str, tuple[str, ...]] = {
    "look at one scene": ("fly", "check", "figure", "convert", "studio"),
    "search for dangerous scenes": (
        "campaign",
        "generate",
        "study",
        "compare",
        "compare-planners",
        "scenarios",
        "report",
        "score",
    ),
    "analyse one test": ("certify", "minimise", "explain"),
    "Aerialist, the competition, flight logs": ("as-aerialist", "competition", "replicate", "statistics"),
    "confirm results, measure the accuracy": ("confirm", "worker", "fidelity", "calibrate", "golden"),
    "ROS 2 and fleets": ("graph", "replay", "fleet"),
    "this installation": ("doctor", "list", "compile", "bench", "completion"),
}
OTHERS = "more"
"""Group of commands that no group names."""

EXAMPLES: dict[str, str] = {
    "as-aerialist": "uav-testgen as-aerialist -- python3 cli.py generate case_studies/mission2.yaml 100",
    "bench": "uav-testgen bench --quick",
    "calibrate": "uav-testgen calibrate RECORDS --out mine.yaml",
    "campaign": "uav-testgen campaign config/campaign/mission2.yaml --out results/mine --resume",
    "certify": "uav-testgen certify two_walls --within 0.5 --plot",
    "check": "uav-testgen check my_test.yaml",
    "compare": "uav-testgen compare config/compare/quick.yaml --out results/quick",
    "compare-planners": "uav-testgen compare-planners vfh3d mine.py:Mine --campaign config/campaign/mission2.yaml",
    "competition": "uav-testgen competition init my_entry",
    "compile": "uav-testgen compile",
    "completion": "uav-testgen completion bash > ~/.local/share/bash-completion/completions/uav-testgen",
    "confirm": "uav-testgen confirm results/mine --backend px4 --runs 3 --tests 5",
    "convert": "uav-testgen convert two_walls two_walls.world",
    "doctor": "uav-testgen doctor",
    "explain": "uav-testgen explain results/mine/tests/001.yaml",
    "fidelity": "uav-testgen fidelity RECORDS --every 10",
    "figure": "uav-testgen figure config/scenarios/figure1.yaml --out figure1.png",
    "fleet": "uav-testgen fleet package-delivery",
    "fly": "uav-testgen fly two_walls --plot",
    "generate": "uav-testgen generate mission2 100 --generator hunt --out results/mine",
    "golden": "uav-testgen golden test/golden/vectors",
    "graph": "uav-testgen graph --composed",
    "list": "uav-testgen list scenes",
    "minimise": "uav-testgen minimise results/mine/tests/001.yaml",
    "replay": "uav-testgen replay flight.mcap --rate 2",
    "replicate": "uav-testgen replicate LOG.ulg --plan FILE.plan",
    "report": "uav-testgen report results/mine",
    "scenarios": "uav-testgen scenarios px4 --strength 2 --out scenarios",
    "score": "uav-testgen score results/mine --rules 2025",
    "statistics": "uav-testgen statistics results/replicate-1 results/replicate-2",
    "studio": "uav-testgen studio results/studio",
    "study": "uav-testgen study config/study/quick.yaml --out results/quick",
    "worker": "uav-testgen worker shared_folder --backend aerialist --settings settings.yaml",
}
FIRST_STEPS = ("fly", "campaign", "doctor")
"""Commands whose examples stand in the help of the whole program."""


def groups_of(commands: list[str]) -> dict[str, list[str]]:
    """The given commands by group, in the order of the table; what it does not name comes last."""
    named = {name for names in GROUPS.values() for name in names}
    found = {title: [name for name in names if name in commands] for title, names in GROUPS.items()}
    found[OTHERS] = [name for name in commands if name not in named]
    return {title: names for title, names in found.items() if names}
