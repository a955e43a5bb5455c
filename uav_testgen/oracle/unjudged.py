"""What is said of runs of which none has a verdict."""

from __future__ import annotations


def unjudged_words(runs: int) -> str:
    """For so many runs, all inconclusive."""
    return "the run could not be judged" if runs == 1 else f"none of the {runs} runs could be judged"
