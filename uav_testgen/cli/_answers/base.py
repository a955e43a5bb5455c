"""What all answers of `--json` have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """One JSON object on stdout. Every field is named and described; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class OpenAnswer(BaseModel):
    """An object whose further fields depend on what ran; the named ones are always there."""

    model_config = ConfigDict(extra="allow", frozen=True)
