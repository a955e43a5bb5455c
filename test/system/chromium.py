"""Headless Chromium for tests of pages; where tests must not be left out (CI=true) its absence is a failure."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@contextmanager
def headless_chromium(in_ci: bool) -> Iterator[Any]:
    """One browser, driven by playwright; give it back before other tests use asyncio."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        reason = "pages are tested with Chromium and playwright; install Debian's 'chromium'"
        pytest.fail(reason, pytrace=False) if in_ci else pytest.skip(reason)
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()
