"""The measured figures of docs/guarantees.md: each program that measures keeps its last ones in docs/measured/."""

import json
import os
import platform
import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
PLACE = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.S)


def record(program: str, figures: Mapping[str, str], docs: Path = DOCS) -> None:
    """Keep what `make PROGRAM` has measured just now, and show it on the page."""
    kept = docs / "measured" / f"{program}.json"
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps({"on": here(), "figures": dict(figures)}, indent=1, ensure_ascii=False) + "\n")
    page = docs / "guarantees.md"
    page.write_text(with_figures(page.read_text(), docs))


def here() -> dict[str, Any]:
    """When and where."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=DOCS, capture_output=True, text=True, check=False
    )
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": commit.stdout.strip(),
        "processors": os.cpu_count(),
        "machine": platform.machine(),
    }


def with_figures(page: str, docs: Path = DOCS) -> str:
    """The page with the last figures of each program in its place."""
    return PLACE.sub(lambda place: f"{place[1]}{table(place[2], docs)}\n{place[3]}", page)


def table(program: str, docs: Path) -> str:
    kept = docs / "measured" / f"{program}.json"
    if not kept.exists():
        return f"Not yet measured by `make {program}`."
    measured = json.loads(kept.read_text())
    on = measured["on"]
    rows = [f"| {name} | {figure} |" for name, figure in measured["figures"].items()]
    where = f"{on['processors']} processors ({on['machine']})"
    return "\n".join(
        [
            f"Measured by `make {program}` on {on['date']} at commit {on['commit']}, {where}:",
            "",
            "| | |",
            "| --- | --- |",
            *rows,
        ]
    )


if __name__ == "__main__":
    PAGE = DOCS / "guarantees.md"
    PAGE.write_text(with_figures(PAGE.read_text()))
