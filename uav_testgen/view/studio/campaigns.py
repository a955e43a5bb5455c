"""Campaigns of the folder: started as the command line starts them, watched by reading what they write.

A campaign is a process of its own that outlives page and server. Whether it runs is told by the lock on its folder,
which the kernel drops when the process ends, however it ends.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

from uav_testgen.campaign.config import CampaignConfig, load_campaign
from uav_testgen.campaign.runner import FINISHED, HEADER, check_harmless
from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError, InputFileError, StoreError
from uav_testgen.core.files import write_text, yaml_text
from uav_testgen.core.own_python import module_words
from uav_testgen.generator.registry import GENERATORS
from uav_testgen.scenario.formats.missions import mission_names
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.studio.choices import read_settings
from uav_testgen.view.studio.folder import StudioFolder
from uav_testgen.view.studio.store_reader import StoreReader
from uav_testgen.work import lock

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}")
_LOG_END_BYTES = 2000
MOST_POINTS = 1500
MOST_LISTED = 200


class Campaigns:
    """All campaigns below the studio's folder."""

    def __init__(self, folder: StudioFolder) -> None:
        self._folder = folder
        self._readers: dict[Path, StoreReader] = {}
        self._started: dict[Path, subprocess.Popen[bytes]] = {}

    def overview(self) -> list[dict[str, Any]]:
        """Every campaign in a few numbers."""
        folders = {*self._folder.campaigns(), *self._started}
        return [self._summary(folder) for folder in sorted(folders)]

    def start(self, name: str, settings: dict[str, Any]) -> str:
        """Write the settings beside the campaign's folder and start it; returns its path."""
        if not _NAME.fullmatch(name):
            raise ConfigError("name: letters, digits, spaces, dots, dashes and underscores, at most 80")
        folder = self._folder.inside(name)
        if folder.exists():
            raise ConfigError(f"{name}: exists already; resume it or choose another name")
        self._check(parse_config(CampaignConfig, {"name": name, **settings}, source="campaign"))
        write_text(self._config_of(folder), yaml_text({"name": name, **settings}))
        self._spawn(folder)
        return self._folder.relative(folder)

    def resume(self, given: str) -> None:
        """Go on with what is in the folder, by the settings it was started with."""
        folder = self._existing(given)
        if self.is_running(folder):
            raise ConfigError(f"{given}: is running already")
        path = self._config_of(folder)
        if not path.is_file():
            # Started from the command line: the settings are in the store.
            stored = self._reader(folder).header.get("config")
            if not stored:
                raise StoreError(f"{given}: its settings cannot be read; resume it from the command line")
            self._check_foreign(parse_config(CampaignConfig, stored, source=given), given)
            write_text(path, yaml_text(stored))
        self._check_foreign(load_campaign(path), given)
        self._spawn(folder)

    def stop(self, given: str) -> None:
        """Ask it to stop, as Ctrl-C does: what was flown is safe and can be resumed."""
        folder = self._existing(given)
        pid = holder_of(folder)
        if pid is None:
            raise ConfigError(f"{given}: is not running")
        os.kill(pid, signal.SIGINT)

    def is_running(self, folder: Path) -> bool:
        """Does a process work on it?"""
        started = self._started.get(folder)
        if started is not None and started.poll() is None:
            return True
        return holder_of(folder) is not None

    def watch(self, given: str) -> dict[str, Any]:
        """Everything the campaign view shows."""
        folder = self._existing(given)
        reader = self._reader(folder)
        listed = sorted(
            reader.evaluations, key=lambda one: (one["distance_m"] is None, one["distance_m"] or 0.0)
        )
        return {
            **self._summary(folder),
            "progress": reader.progress(MOST_POINTS),
            "tests": listed[:MOST_LISTED],
            "scene": reader.header.get("base_scenario"),
            "settings": reader.header.get("config"),
            "has_report": (folder / "report.html").is_file(),
        }

    def scene(self, given: str, number: int) -> Scenario:
        """The scenario of one evaluation."""
        body = self._reader(self._existing(given)).body_of(number)
        if body is None:
            raise InputFileError(f"{given}: has no evaluation {number}")
        scenario = parse_config(Scenario, body["scenario"], source=f"evaluation {number}")
        base = self._reader(self._existing(given)).header.get("base_scenario") or {}
        update: dict[str, Any] = {"name": f"{Path(given).name} {number}"}
        if "arena" in base:
            update["arena"] = parse_config(Scenario, base, source="case study").arena
        return scenario.model_copy(update=update)

    def _check(self, config: CampaignConfig) -> None:
        """A page chooses among what ships and what is in the folder; it names no code and no other file."""
        if config.screening.backend != "lfs" or config.confirmation.backend != "none":
            raise ConfigError(
                "campaign: the studio searches with backend lfs; use the command line for others"
            )
        read_settings(config.screening.settings)
        if config.generator not in GENERATORS.names() or config.generator_settings:
            raise ConfigError(
                f"generator: choose one of {', '.join(GENERATORS.names())}; settings of generators and generators of "
                "your own need the command line"
            )
        if config.case not in mission_names():
            self._folder.inside(config.case)

    def _check_foreign(self, config: CampaignConfig, given: str) -> None:
        """Files of the folder may be somebody else's: they cause no code to be loaded and no program to be started."""
        check_harmless(
            config, given, "If you trust it, resume it with the command that began it and --resume"
        )

    def _existing(self, given: str) -> Path:
        folder = self._folder.inside(given)
        if folder not in self._started and not folder.is_dir():
            raise InputFileError(f"{given[:200]}: no such campaign in this folder")
        return folder

    def _config_of(self, folder: Path) -> Path:
        return folder.with_name(f"{folder.name}.campaign.yaml")

    def _reader(self, folder: Path) -> StoreReader:
        reader = self._readers.setdefault(folder, StoreReader(folder))
        reader.read_on()
        return reader

    def _spawn(self, folder: Path) -> None:
        log_path = folder.with_name(f"{folder.name}.log")
        if log_path.is_symlink() or (log_path.exists() and not log_path.is_file()):
            raise StoreError(f"{log_path.name}: is a link or no file; remove it, then start again")
        command = module_words(
            "uav_testgen.cli.main", "campaign", str(self._config_of(folder)), "--out", str(folder), "--resume"
        )
        with log_path.open("ab") as output:
            # A session of its own: Ctrl-C in the studio's terminal does not reach it.
            self._started[folder] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )

    def _summary(self, folder: Path) -> dict[str, Any]:
        reader = self._reader(folder)
        running = self.is_running(folder)
        state = "running" if running else "finished" if FINISHED in reader.kinds else "stopped"
        started = self._started.get(folder)
        trouble = ""
        if not running and started is not None and started.returncode not in (0, 130, -signal.SIGINT):
            trouble = _last_line(folder.with_name(f"{folder.name}.log"))
        if not running and HEADER not in reader.kinds and not trouble:
            trouble = (
                "not a campaign: its first record is missing" if reader.kinds else "nothing was flown yet"
            )
        return {
            "path": self._folder.relative(folder),
            "state": state,
            "trouble": trouble or reader.trouble,
            "budget": ((reader.header.get("config") or {}).get("budget") or {}).get("simulations"),
            "generator": (reader.header.get("config") or {}).get("generator"),
            "case": (reader.header.get("config") or {}).get("case"),
            **reader.counts(),
        }


def holder_of(folder: Path) -> int | None:
    """The process that holds the lock of a campaign folder, by the kernel's own list; None if nobody does."""
    path = folder / lock.FILE_NAME
    try:
        inode = path.stat().st_ino
        held = Path("/proc/locks").read_text(encoding="ascii")
    except OSError:
        return _claimed_holder(path)
    for line in held.splitlines():
        parts = line.split()
        # "1: FLOCK ADVISORY WRITE 4711 fe:00:1234 0 EOF"
        if len(parts) >= 6 and parts[1] == "FLOCK" and parts[5].rsplit(":", 1)[-1] == str(inode):
            pid = int(parts[4])
            return pid if pid > 0 and pid == _claimed_holder(path) else None
    return None


def _claimed_holder(path: Path) -> int | None:
    """Who wrote its name into the lock file, if that process lives."""
    try:
        pid = int(json.loads(path.read_text(encoding="utf-8"))["pid"])
        os.kill(pid, 0)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return pid if pid > 1 else None


def _last_line(path: Path) -> str:
    try:
        with path.open("rb") as source:
            source.seek(max(0, path.stat().st_size - _LOG_END_BYTES))
            lines = source.read().decode("utf-8", "replace").strip().splitlines()
    except OSError:
        return "it ended without a word"
    return lines[-1][:500] if lines else "it ended without a word"
