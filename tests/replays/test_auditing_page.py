"""What docs/auditing.md tells an auditor is what the log holds and what the verifiers do."""

from pathlib import Path

import pytest

from events.entries import DATA_TYPES, Entry
from replays.audit.verify import CHECKS
from services.cli import main

PAGE = (Path(__file__).parents[2] / "docs/auditing.md").read_text(encoding="utf-8")


def rows() -> dict[str, str]:
    """The rows of its tables, by what stands first."""
    lines = (line.strip("| ").split(" | ", 1) for line in PAGE.splitlines() if line.startswith("| `"))
    return {first.strip("`"): rest for first, rest in lines}


@pytest.mark.parametrize("kind", DATA_TYPES)
def test_every_type_of_entry_is_told_with_all_it_carries(kind: str) -> None:
    for member in DATA_TYPES[kind].__struct_fields__:
        assert f"`{member}`" in rows()[kind]


def test_every_member_of_an_entry_is_told() -> None:
    names = {name.strip("`") for first in rows() for name in first.split(", ")}
    assert set(Entry.__struct_fields__) <= names


def test_every_check_is_told_in_its_order() -> None:
    newer = ("clocks", "settlement", "signatures", "logged")
    older = [check for check in CHECKS if check not in newer]
    names = enumerate([*older, "witness", *newer, "parent"], 1)
    places = [PAGE.index(f"{number}. **{check}**") for number, check in names]
    assert places == sorted(places)


def test_the_commands_it_names_are_there() -> None:
    for command in ("audit", "export", "import", "forget"):
        assert f"stele {command}" in PAGE
        assert command in main.commands


@pytest.mark.parametrize(
    "place", ["replays/audit/verify.py", "replays/audit/verify.mjs", "docs/test-vectors/README.md"]
)
def test_what_it_points_to_is_there(place: str) -> None:
    root = Path(__file__).parents[2]
    assert (root / place).exists()
    assert Path(place).name in PAGE
