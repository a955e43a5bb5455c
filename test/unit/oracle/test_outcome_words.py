"""Terminal, report and studio call an outcome by the same words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import uav_testgen.view
from uav_testgen.flight.model import Ending
from uav_testgen.oracle.finding import Finding
from uav_testgen.oracle.model import Outcome, Verdict


def verdict(outcome: Outcome, findings: tuple[Finding, ...] = ()) -> Verdict:
    return Verdict(outcome, Ending.GOAL_REACHED, 1.0, 1.0, 1.0, 2.0, 0, True, 9.0, "A sentence.", findings)


def words_of_the_pages() -> dict[str, str]:
    script = (Path(uav_testgen.view.__file__).parent / "page" / "1_base.js").read_text(encoding="utf-8")
    found = re.search(r"const outcomeWords = \{(.*?)\}", script)
    assert found is not None
    return {
        key: text[2:]
        for key, text in json.loads("{" + re.sub(r"(\w+): \"", r'"\1": "', found[1]) + "}").items()
    }


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_has_one_name(outcome: Outcome) -> None:
    assert verdict(outcome).in_words == words_of_the_pages()[outcome.value]


def test_what_breaks_a_requirement_need_not_be_close() -> None:
    finding = Finding("slow", -0.5, "m/s", 3.0, "Too fast.")
    assert verdict(Outcome.SOFT_FAIL, (finding,)).in_words == "violates"
