"""Has any pinned dependency a known vulnerability? `python -m tests.dependencies` asks pip-audit's service.

Without the network nobody knows: that is said, and is no fault. What was found and does not concern us is excused
here, with the reason.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"
EXCUSED: dict[str, str] = {}
"""Vulnerabilities by id that do not reach us, and why."""
SECONDS = 120.0


def ask() -> str:
    """What pip-audit says about the pinned versions, as JSON; nothing if it could not find out."""
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--requirement",
        str(CONSTRAINTS),
        "--no-deps",
        "--disable-pip",
    ]
    try:
        done = subprocess.run(
            [*command, "--format", "json", "--progress-spinner", "off"],
            check=False,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def judge(said: str) -> tuple[int, list[str]]:
    """The exit code, and what to tell people."""
    try:
        audited: list[dict[str, Any]] = json.loads(said)["dependencies"]
    except (ValueError, KeyError):
        return 0, [
            "pip-audit: its service cannot be reached. NOTHING WAS AUDITED; try again with the network."
        ]
    known = [each for each in audited if "vulns" in each]
    if not known:
        return 0, ["pip-audit: its service knows none of the packages here. NOTHING WAS AUDITED."]
    found = [(each, one) for each in known for one in each["vulns"] if one["id"] not in EXCUSED]
    lines = [
        f"{each['name']} {each['version']}: {one['id']}, mended in {one['fix_versions']}"
        for each, one in found
    ]
    unknown = len(audited) - len(known)
    lines.append(
        f"pip-audit: {len(known)} packages audited, {unknown} unknown there, {len(found)} vulnerabilities."
    )
    return (1 if found else 0), lines


if __name__ == "__main__":
    code, lines = judge(ask())
    print("\n".join(lines))
    sys.exit(code)
