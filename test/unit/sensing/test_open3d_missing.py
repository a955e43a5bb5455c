"""What a user reads where Open3D or its system library is not installed."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest

from uav_testgen.core.errors import MissingDependency
from uav_testgen.sensing import open3d_renderer


def failing_import(message: str) -> Any:
    def fail(name: str, *arguments: Any) -> Any:
        raise ImportError(message)

    return fail


def test_missing_open3d_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib, "import_module", failing_import("No module named 'open3d'"))
    with pytest.raises(MissingDependency, match=r"No module named 'open3d'.*make setup.*analytic renderer"):
        open3d_renderer.Open3DRenderer()


def test_missing_libusb_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    message = "libusb-1.0.so.0: cannot open shared object file"
    monkeypatch.setattr(importlib, "import_module", failing_import(message))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDependency, match=r"libusb-1\.0\.so\.0.*apt install libusb-1\.0-0"):
        open3d_renderer.Open3DRenderer()


def test_carried_libusb_that_does_not_help_is_reported_too(monkeypatch: pytest.MonkeyPatch) -> None:
    message = "libusb-1.0.so.0: cannot open shared object file"
    monkeypatch.setattr(importlib, "import_module", failing_import(message))
    with pytest.raises(MissingDependency, match="Open3D cannot be loaded"):
        open3d_renderer.Open3DRenderer()
