"""Known vulnerabilities and licences of what is installed.

Exit codes: 0 nothing known; 1 a vulnerability or a licence that needs a decision; 3 the vulnerability service
could not be asked, which is not the same as nothing known and is said so. Licences need no network.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from importlib.metadata import Distribution, distributions

# Obligations beyond naming the authors. Fine for tools that run beside us; to be decided for what we import.
COPYLEFT = ("GPL", "AGPL", "GNU GENERAL PUBLIC", "EUPL", "SSPL")
WEAK = ("LGPL", "LESSER", "MPL", "MOZILLA", "EPL")
# Looked at: public domain and BSD but for an editor mode, and a tool beside us rather than a part of us.
DECIDED = ("docutils",)
# A service that does not know these does not know anything.
WELL_KNOWN = ("numpy", "pydantic", "pyyaml")


def main() -> int:
    """Both parts; the worst exit code wins."""
    licences = audit_licences()
    vulnerabilities = audit_vulnerabilities()
    return max(licences, vulnerabilities)


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
        print(f"  not known to the service: {', '.join(sorted(skipped))}")
    return 1 if bad else 0


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
    return text[0][:60] if text else "not stated"


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
