"""What is shipped for clusters is well-formed, names commands that exist, and leaves no door open."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from uav_testgen.cli.main import build_parser

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))


def documents() -> Iterator[dict[str, Any]]:
    for path in MANIFESTS:
        yield from yaml.safe_load_all(path.read_text(encoding="utf-8"))


def containers() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """(pod, container)."""
    for document in documents():
        pod = document.get("spec", {}).get("template", {}).get("spec")
        if pod:
            for container in pod["containers"]:
                yield pod, container


def commands() -> list[list[str]]:
    """Every uav-testgen command line in the manifests."""
    found = []
    for _, container in containers():
        words = [*container["command"], *container["args"]]
        if words[0] == "uav-testgen":
            found.append(words[1:])
        text = " ".join(words).replace("\\\n", " ")
        found += [match.split() for match in re.findall(r"exec uav-testgen ([^\n]+)", text)]
    return found


def test_every_document_is_of_a_known_kind() -> None:
    kinds = [(document["apiVersion"], document["kind"]) for document in documents()]
    assert ("batch/v1", "Job") in kinds
    assert set(kinds) <= {
        ("v1", "Service"),
        ("v1", "PersistentVolumeClaim"),
        ("networking.k8s.io/v1", "NetworkPolicy"),
        ("batch/v1", "Job"),
    }
    names = [(document["kind"], document["metadata"]["name"]) for document in documents()]
    assert len(names) == len(set(names))


def test_the_commands_are_ours() -> None:
    found = commands()
    assert {words[0] for words in found} == {"campaign", "worker"}
    for words in found:
        build_parser(words[0]).parse_args(words)


def test_containers_are_pinned_bounded_and_confined() -> None:
    for pod, container in containers():
        assert not container["image"].endswith(":latest") and ":" in container["image"]
        assert "memory" in container["resources"]["limits"] and "cpu" in container["resources"]["requests"]
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert pod["automountServiceAccountToken"] is False
        mounted = {mount["name"] for mount in container.get("volumeMounts", [])}
        assert mounted <= {volume["name"] for volume in pod.get("volumes", [])}


def test_ray_is_started_closed() -> None:
    texts = [path.read_text(encoding="utf-8") for path in [*MANIFESTS, *(DEPLOY / "ray").glob("*.sh")]]
    starts = [text for text in texts if "ray start" in text or "command: [ray]" in text]
    assert len(starts) == 3
    for text in starts:
        assert "RAY_AUTH_TOKEN" in text and "--disable-usage-stats" in text
        assert "--head" not in text or "--include-dashboard=false" in text
    image = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    assert "RAY_AUTH_MODE=token" in image and "\nUSER flyer\n" in image


def test_what_the_image_copies_exists() -> None:
    root = DEPLOY.parent
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    for name in ("requirements/container.txt",):
        assert name in text and (root / name).is_file()


@pytest.mark.parametrize("script", sorted((DEPLOY / "ray").glob("*.sh")), ids=lambda path: path.name)
def test_scripts_are_shell_and_want_a_token(script: Path) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    assert subprocess.run([shell, "-n", script]).returncode == 0
    done = subprocess.run([shell, script], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode != 0 and "RAY_AUTH_TOKEN" in done.stderr
