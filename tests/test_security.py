"""docs/security.md names a test for each line: they exist, and every line has one."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LINES = [
    line
    for line in (ROOT / "docs" / "security.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith(("| it might", "| ---"))
]


@cache
def every_test() -> frozenset[str]:
    """The names of all tests there are."""
    return frozenset(
        node.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    )


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.split("|")[1].strip()[:60])
def test_what_is_promised_is_tested(line: str) -> None:
    named = re.findall(r"`(test_\w+)`", line)
    assert named
    assert [name for name in named if name not in every_test()] == []


def test_there_are_lines_to_look_at() -> None:
    assert len(LINES) > 25
