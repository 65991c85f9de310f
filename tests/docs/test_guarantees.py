"""docs/guarantees.md names tests that exist, settings that exist, and figures that were measured."""

import ast
import re
from pathlib import Path

import pytest

from services.core.settings import ROWS, variable
from tests.docs.blocks import PAGES, ROOT
from tests.docs.guarantees import record, with_figures

PAGE = PAGES["docs/guarantees.md"]
PROMISE = re.compile(r"^\*\*(.+?)\*\*(.*?)(?=^\*\*|^## )", re.MULTILINE | re.DOTALL)
TEST = re.compile(r"`(tests/\S+\.py)::(test_\w+)`")


def promises() -> list[tuple[str, str]]:
    return PROMISE.findall(PAGE)


def test_there_are_promises() -> None:
    assert len(promises()) > 15


@pytest.mark.parametrize(("promise", "text"), promises())
def test_a_promise_has_a_setting_and_a_test_that_tries_to_break_it(promise: str, text: str) -> None:
    assert "*Needs*: " in text
    assert "*Tried by*" in text
    assert TEST.search(text), promise


@pytest.mark.parametrize(("path", "name"), sorted(set(TEST.findall(PAGE))))
def test_every_test_that_is_named_exists(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_setting_that_is_named_exists() -> None:
    assert set(re.findall(r"STELE_[A-Z_]+", PAGE)) <= {variable(name) for name in ROWS}


def test_the_figures_are_the_last_that_were_measured() -> None:
    assert with_figures(PAGE) == PAGE, "run `python -m tests.docs.guarantees`"


def test_what_was_not_measured_has_no_figures_and_what_was_is_shown(tmp_path: Path) -> None:
    page = tmp_path / "guarantees.md"
    page.write_text("<!-- measured: soak -->\nold\n<!-- end -->\n\n<!-- measured: chaos -->\n<!-- end -->\n")
    record("soak", {"acknowledged actions": "12,000; lost 0"}, tmp_path)
    assert "old" not in page.read_text()
    assert "| acknowledged actions | 12,000; lost 0 |" in page.read_text()
    assert "Not yet measured by `make chaos`." in page.read_text()
    assert with_figures(page.read_text(), tmp_path) == page.read_text()
