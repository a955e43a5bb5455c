"""`uav-testgen doctor --json`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from uav_testgen.cli._answers.base import Answer


class Finding(Answer):
    """One thing that was looked at."""

    topic: str = Field(description="What it belongs to: installation, backend, extra, ...")
    name: str = Field(description="What was looked at")
    status: Literal["ok", "missing", "problem"] = Field(description="missing: not needed for predictions")
    detail: str = Field(description="What was found")
    way_out: str = Field(description="What to do about it; empty where nothing is wrong")


class DoctorAnswer(Answer):
    """What is installed, compiled and reachable."""

    can_predict: bool = Field(description="True if scenes can be predicted here; the exit code says the same")
    findings: list[Finding] = Field(description="Everything that was looked at")
