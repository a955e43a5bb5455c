"""Workflow files of a forge are not run here, so at least everything they name has to exist."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKE = re.compile(r"\bmake ((?:[a-z][a-z-]*(?: |$))+)")
PLACE = re.compile(
    r"(?<![\w$./-])((?:test|tools|config|docs|launch|msg|deploy|requirements|\.ci)/[\w./-]*\w)"
)
EXTRAS = re.compile(r"\.\[([a-z0-9,]+)\]")
EXTRA = re.compile(r"--extra ([a-z0-9]+)")


def targets() -> set[str]:
    """What can be made."""
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def extras() -> set[str]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    return set(re.findall(r"^(\w+) = \[", section, re.MULTILINE))


def combinations(job: dict[str, Any]) -> Iterator[dict[str, str]]:
    """The values of the matrix with which a job runs; one empty set without a matrix."""
    matrix = dict(job.get("strategy", {}).get("matrix", {}))
    included = matrix.pop("include", [])
    names = list(matrix)
    for values in itertools.product(*(matrix[name] for name in names)) if names else ():
        yield {name: str(value) for name, value in zip(names, values, strict=True)}
    yield from ({name: str(value) for name, value in one.items()} for one in included)
    if not names and not included:
        yield {}


def commands(workflow: dict[str, Any]) -> Iterator[str]:
    """Every command line, with the matrix put in."""
    for job in workflow["jobs"].values():
        for values in combinations(job):
            for step in job["steps"]:
                text = str(step.get("run", ""))
                for name, value in values.items():
                    text = text.replace("${{ matrix." + name + " }}", value)
                yield text


def problems(workflow: dict[str, Any]) -> list[str]:
    """What a workflow names and nobody has."""
    found = []
    for text in commands(workflow):
        if "${{ matrix." in text:
            found.append(f"a value that the matrix does not have: {text}")
        for words in MAKE.findall(text):
            found += [f"make {target}" for target in words.split() if target not in targets()]
        found += [place for place in PLACE.findall(text) if not (ROOT / place).exists()]
        asked = {name for group in EXTRAS.findall(text) for name in group.split(",")} | set(
            EXTRA.findall(text)
        )
        found += [f"extra {name}" for name in sorted(asked - extras())]
    return found


def read(file: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_everything_a_workflow_names_exists(file: Path) -> None:
    assert not problems(read(file))


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_a_workflow_may_only_read_and_says_whether_it_was_ever_run(file: Path) -> None:
    workflow = read(file)
    assert workflow["permissions"] == {"contents": "read"}
    assert True in workflow, "`on:` is read as the truth value"
    opening = " ".join(itertools.takewhile(lambda line: line.startswith("#"), file.read_text().splitlines()))
    assert "Unverified: nobody has run this" in opening
    assert all("timeout-minutes" in job for job in workflow["jobs"].values()), "a job that hangs costs hours"


def test_the_core_is_tested_on_every_python_that_is_declared() -> None:
    declared = re.findall(
        r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text()
    )
    job = read(ROOT / ".github" / "workflows" / "checks.yml")["jobs"]["core"]
    assert job["strategy"]["matrix"]["python"] == declared


def test_the_night_runs_what_the_day_leaves_out() -> None:
    text = " ".join(commands(read(ROOT / ".github" / "workflows" / "nightly.yml")))
    for target in ("test-slow", "test-load", "colcon", "soak"):
        assert f"make {target}" in text


def test_the_check_can_fail() -> None:
    steps = [
        {"run": "make nonsense lint"},
        {"run": "python -m pytest test/no_such_folder test/unit"},
        {"run": 'pip install -e ".[dev,ghost]" --extra phantom'},
        {"run": "echo ${{ matrix.missing }} ${{ matrix.python }}"},
    ]
    job = {"strategy": {"matrix": {"python": ["3.10"]}}, "steps": steps}
    assert problems({"jobs": {"one": job}}) == [
        "make nonsense",
        "test/no_such_folder",
        "extra ghost",
        "extra phantom",
        "a value that the matrix does not have: echo ${{ matrix.missing }} 3.10",
    ]


def test_hooks_before_a_commit_use_the_tools_of_the_set_up() -> None:
    wanted = (ROOT / "requirements" / "dev.in").read_text(encoding="utf-8")
    hooks = [hook for repo in read(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    assert {hook["id"] for hook in hooks} == {"ruff", "ruff-format", "mypy"}
    for hook in hooks:
        program = hook["entry"].split()[0]
        assert program.startswith(".venv/bin/") and f"\n{Path(program).name}>=" in wanted


def test_templates_have_a_name_and_an_explanation() -> None:
    templates = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))
    assert {file.stem for file in templates} == {"bug", "security", "wish"}
    for file in templates:
        front = yaml.safe_load(file.read_text(encoding="utf-8").split("---")[1])
        assert front["name"] and front["about"], file.name
    asked = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## Reporting")[2]
    security = yaml.safe_load((templates[1]).read_text(encoding="utf-8").split("---")[1])
    assert security["name"] in " ".join(asked.split()), "SECURITY.md names the template"


def test_the_citation_is_complete() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(citation)
