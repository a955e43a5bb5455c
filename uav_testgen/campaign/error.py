"""How far the predictions of a campaign may be off, known before anything is flown."""

from __future__ import annotations

from uav_testgen.backend.registry import make_backend
from uav_testgen.campaign.config import ScreeningConfig
from uav_testgen.loop.scatter import ModelError
from uav_testgen.predict.runs import scatter_of


def expected_error(screening: ScreeningConfig) -> ModelError:
    """That of the settings, or of the system the screening backend simulates."""
    if screening.scatter is not None:
        return screening.scatter.error
    return scatter_of(make_backend(screening.backend, screening.settings)).error
