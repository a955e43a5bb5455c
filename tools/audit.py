"""Known vulnerabilities and licences of what is installed, and whether it is what the lock says.

Exit codes: 0 nothing known; 1 a vulnerability, a licence that needs a decision, or a version that is not the
locked one; 3 the vulnerability service could not be asked about some or all packages, which is not the same
as nothing known and is said so. Licences and versions need no network. `--bill FILE` writes a bill of
materials (CycloneDX, JSON): every package with version and licence.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from importlib.metadata import Distribution, distributions
from pathlib import Path

# Obligations beyond naming the authors. Fine for tools that run beside us; to be decided for what we import.
COPYLEFT = ("GPL", "AGPL", "GNU GENERAL PUBLIC", "EUPL", "SSPL")
WEAK = ("LGPL", "LESSER", "MPL", "MOZILLA", "EPL")
# Looked at: public domain and BSD but for an editor mode, and a tool beside us rather than a part of us.
DECIDED = ("docutils",)
# A service that does not know these does not know anything.
WELL_KNOWN = ("numpy", "pydantic", "pyyaml")
# Built from this tree.
OURS = {"uav-testgen", "uav_testgen"}
# What makes a virtual environment brings pip along.
NOT_LOCKED = {"uav-testgen", "pip"}
LOCKS = sorted((Path(__file__).resolve().parents[1] / "requirements").glob("*.txt"))


def main() -> int:
    """All parts; the worst exit code wins."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bill", type=Path, metavar="FILE", help="write a bill of materials there")
    arguments = parser.parse_args()
    codes = {
        "licences": audit_licences(),
        "locked versions": audit_versions(),
        "known vulnerabilities": audit_vulnerabilities(),
    }
    if arguments.bill is not None:
        arguments.bill.write_text(json.dumps(bill_of_materials(), indent=2) + "\n", encoding="utf-8")
        print(f"\nBill of materials: {arguments.bill}")
    words = {0: "checked, nothing found", 1: "checked, SOMETHING FOUND", 3: "NOT (COMPLETELY) CHECKED"}
    print("\nResult")
    for name, code in codes.items():
        print(f"  {name}: {words[code]}")
    return max(codes.values())


def audit_versions() -> int:
    """Is what is installed what the locks name? The lock's hashes were checked when it was installed."""
    locked: dict[str, set[str]] = {}
    for lock in LOCKS:
        text = lock.read_text(encoding="utf-8")
        for name, version in re.findall(r"^([a-z0-9._-]+)==([^ \n]+)", text, re.MULTILINE):
            locked.setdefault(_normal(name), set()).add(version)
    print("\nVersions")
    wrong, unknown = [], []
    for package in distributions():
        name = _normal(str(package.metadata["Name"]))
        # Without an installer it is a part of another package (the ROS wheels) or was built here.
        if name in NOT_LOCKED or package.read_text("INSTALLER") is None:
            continue
        if name not in locked:
            unknown.append(f"{name} {package.version}")
        elif package.version not in locked[name]:
            wrong.append(f"{name} {package.version} (locked: {', '.join(sorted(locked[name]))})")
    for text in sorted(wrong):
        print(f"  not the locked version: {text}")
    if unknown:
        print(f"  not in the lock, so NOT CHECKED by hash: {', '.join(sorted(unknown))}")
    if not wrong and not unknown:
        print("  every installed package has the locked version")
    return 1 if wrong else 3 if unknown else 0


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def bill_of_materials() -> dict[str, object]:
    """The packages as CycloneDX 1.5."""
    found = sorted(distributions(), key=lambda package: str(package.metadata["Name"]).lower())
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "components": [
            {
                "type": "library",
                "name": str(package.metadata["Name"]),
                "version": package.version,
                "purl": f"pkg:pypi/{_normal(str(package.metadata['Name']))}@{package.version}",
                "licenses": [{"license": {"name": licence_of(package)}}],
            }
            for package in found
        ],
    }


def audit_vulnerabilities() -> int:
    """Ask the vulnerability service about every pinned version."""
    print("\nKnown vulnerabilities")
    words = [sys.executable, "-m", "pip_audit", "--local", "--progress-spinner", "off", "--format", "json",
             "--timeout", "15"]  # fmt: skip
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        return unreachable("no answer within 15 minutes")
    try:
        data = json.loads(done.stdout)
    except ValueError:
        lines = [line for line in done.stderr.strip().splitlines() if line.strip()]
        return unreachable(lines[-1][:300] if lines else f"pip-audit ended with {done.returncode}")
    entries = data["dependencies"]
    skipped = [entry["name"] for entry in entries if "skip_reason" in entry]
    if any(name in skipped for name in WELL_KNOWN):
        asked = len(entries) - len(skipped)
        return unreachable(f"it knows {asked} of {len(entries)} packages, not even {WELL_KNOWN[0]}")
    bad = [entry for entry in entries if entry.get("vulns")]
    for entry in bad:
        for found in entry["vulns"]:
            fixed = ", ".join(found.get("fix_versions", [])) or "no version yet"
            print(f"  {entry['name']} {entry['version']}: {found['id']}, fixed in {fixed}")
    print(f"  {len(entries) - len(skipped)} packages asked about, {len(bad)} with known vulnerabilities")
    if skipped:
        print(f"  NOT CHECKED, because the service does not know them: {', '.join(sorted(skipped))}")
    foreign = sorted(set(skipped) - OURS)
    return 1 if bad else 3 if foreign else 0


def unreachable(reason: str) -> int:
    """Say clearly that nothing was checked."""
    print(f"  NOT CHECKED: the vulnerability service could not be asked ({reason}).")
    print("  Run `make audit` on a machine with access to it before a release.")
    return 3


def licence_of(package: Distribution) -> str:
    """The licence a package states: expression, classifier or text, in this order."""
    meta = package.metadata
    if expression := meta.get("License-Expression"):
        return str(expression)
    classifiers = [
        line.rsplit("::", 1)[-1].strip()
        for line in meta.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    named = [text for text in classifiers if text != "OSI Approved"]
    if named:
        return " / ".join(sorted(set(named)))
    text = str(meta.get("License") or "").strip().splitlines()
    return text[0][:60] if text else licence_in_ros(str(meta["Name"]))


def licence_in_ros(name: str) -> str:
    """What the package.xml of a ROS package says; the metadata of the wheels says nothing."""
    stem = re.sub(r"^ros-(jazzy-)?", "", name).replace("-", "_")
    file = Path(sys.prefix) / "share" / stem / "package.xml"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    found = re.findall(r"<license[^>]*>([^<]+)</license>", text)
    return " / ".join(sorted(set(found))) or "not stated"


def audit_licences() -> int:
    """The list, and what needs a decision."""
    found = {
        str(package.metadata["Name"]): (package.version, licence_of(package)) for package in distributions()
    }
    print(f"Licences of {len(found)} installed packages")
    for name, (version, licence) in sorted(found.items(), key=lambda item: item[0].lower()):
        print(f"  {name} {version}: {licence}")
    counted = Counter(licence for _, licence in found.values())
    print("\nSummary: " + ", ".join(f"{licence} {count}" for licence, count in counted.most_common()))
    strong = {name: text for name, (_, text) in found.items() if is_strong(text) and name not in DECIDED}
    silent = sorted(name for name, (_, text) in found.items() if text == "not stated")
    weak = sorted(name for name, (_, text) in found.items() if any(word in text.upper() for word in WEAK))
    if weak:
        print(f"Weak copyleft, used unchanged as libraries: {', '.join(weak)}")
    if silent:
        print(f"No licence in the metadata, to be read in the package itself: {', '.join(silent)}")
    for name, text in strong.items():
        print(f"NEEDS A DECISION: {name}: {text}")
    return 1 if strong else 0


def is_strong(text: str) -> bool:
    """True for a copyleft licence that reaches beyond its own files."""
    upper = text.upper()
    if any(word in upper for word in WEAK):
        return False
    return any(word in upper for word in COPYLEFT)


if __name__ == "__main__":
    sys.exit(main())
