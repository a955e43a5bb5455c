"""All evaluations as CSV and the suite as JUnit XML, for spreadsheets and continuous integration."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from uav_testgen.campaign.result import SuiteTest
from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.view.cells import csv_text
from uav_testgen.view.summary import evidence_of

_COLUMNS = (
    "number",
    "scenario_id",
    "status",
    "outcome",
    "ending",
    "distance_m",
    "nominal_distance_m",
    "min_distance_3d_m",
    "moment_s",
    "obstacle_index",
    "duration_s",
    "runs",
    "failure_probability",
    "obstacles",
    "layout_enu",
    "message",
)
_JUDGED = ("margin", "violated")
"""Only where the campaign has requirements."""
_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def evaluations_csv(evaluations: Sequence[Evaluation]) -> str:
    """One line per evaluation; layout as "shape x y z sx sy sz yaw_deg" per obstacle, ENU metres."""
    judged = any(evaluation.is_by_requirements for evaluation in evaluations)
    rows = ([*_row(evaluation), *(_judged(evaluation) if judged else ())] for evaluation in evaluations)
    return csv_text([*_COLUMNS, *(_JUDGED if judged else ())], rows)


def _row(evaluation: Evaluation) -> list[Any]:
    verdict = evaluation.verdict
    return [
        evaluation.number,
        evaluation.scenario.id,
        evaluation.status.value,
        verdict.outcome.value if verdict else "",
        verdict.ending.value if verdict else "",
        _number(evaluation.distance_m),
        _number(evaluation.nominal_distance_m),
        _number(verdict.min_distance_3d_m if verdict else None),
        _number(verdict.moment_s if verdict else None),
        "" if verdict is None or verdict.obstacle_index is None else verdict.obstacle_index,
        _number(verdict.duration_s if verdict else None),
        len(evaluation.verdicts),
        _number(evaluation.failure_probability),
        len(evaluation.scenario.obstacles),
        " | ".join(_layout(evaluation)),
        evaluation.message,
    ]


def _judged(evaluation: Evaluation) -> list[str]:
    """The worst margin, and the requirements that the nominal run violates."""
    findings = evaluation.verdict.findings if evaluation.verdict else ()
    violated = ", ".join(finding.name for finding in findings if finding.violated)
    return [_number(evaluation.margin), violated]


def _layout(evaluation: Evaluation) -> list[str]:
    rows = []
    for obstacle in evaluation.scenario.obstacles:
        numbers = [*obstacle.center_enu_m, *obstacle.size_m, math.degrees(obstacle.yaw_rad)]
        rows.append(" ".join([obstacle.shape.value, *(f"{value:.4f}" for value in numbers)]))
    return rows


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"


def junit_xml(name: str, suite: Sequence[SuiteTest], said_by: str = "prediction") -> str:
    """The suite as a test report: a test case fails if its flight came too near or violates a requirement."""
    root = ElementTree.Element("testsuites")
    failing = [test for test in suite if _fails(test)]
    group = ElementTree.SubElement(
        root, "testsuite", name=_xml_text(name), tests=str(len(suite)), failures=str(len(failing)), errors="0"
    )
    for test in suite:
        verdict = test.ranked.evaluation.verdicts[0]
        case = ElementTree.SubElement(
            group, "testcase", classname=_xml_text(name), name=test.stem, time=f"{verdict.duration_s:.1f}"
        )
        says = said_by
        if test.confirmation is not None and test.confirmation.failed_again is not None:
            evidence = evidence_of(test.confirmation.backend)
            word = "confirmed" if test.confirmation.failed_again else "refuted"
            says = (
                f"prediction, {word}: {evidence.value}"
                if evidence.confirms
                else f"prediction, {evidence.value}"
            )
        if _fails(test):
            failure = ElementTree.SubElement(case, "failure", type=verdict.outcome.value)
            counts = test.ranked.evaluation.counts_sentence
            failure.set("message", _xml_text(f"{verdict.sentence} {counts} ({says})"))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _fails(test: SuiteTest) -> bool:
    objective_m = test.ranked.evaluation.objective_m
    return objective_m is not None and objective_m < SAFE_DISTANCE_M


def _xml_text(text: str) -> str:
    """XML has no way to write most control characters, lone surrogates and U+FFFE, not even escaped."""
    return _NOT_IN_XML.sub("?", text)
