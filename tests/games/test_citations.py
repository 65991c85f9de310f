"""The rules cite their specification: every number leads to its place in `docs/rules/`."""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games import RULESETS

ROOT = Path(__file__).parents[2]
GAMES = sorted({ruleset.name for ruleset in RULESETS})
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
CITATION = re.compile(r"\b(?:[QEV]\d+[a-z]?|\d+\.\d+(?:\.\d+)?)\b")
VECTORS = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(game: str) -> str:
    return (ROOT / f"docs/rules/{game}.md").read_text(encoding="utf-8")


def prose(source: str) -> Iterator[str]:
    """What a module says to people: its comments, and the docstrings of everything in it."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value.value


def citations(folder: Path) -> dict[str, str]:
    """Every number cited under a folder, and a module that cites it."""
    return {
        citation: str(module.relative_to(ROOT))
        for module in sorted((*folder.rglob("*.py"), *folder.parent.glob(f"{folder.name}.py")))
        for text in prose(module.read_text(encoding="utf-8"))
        for citation in CITATION.findall(text)
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("folder", ["games", "tests/games"])
def test_every_citation_is_an_anchor_of_the_game_s_page(game: str, folder: str) -> None:
    anchors = set(ANCHOR.findall(page(game)))
    lost = {
        number: where
        for number, where in citations(ROOT / folder / game).items()
        if number.lower() not in anchors
    }
    assert not lost


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_cite_their_page(game: str) -> None:
    assert citations(ROOT / "games" / game)


@pytest.mark.parametrize("game", GAMES)
def test_no_anchor_is_given_twice(game: str) -> None:
    anchors = ANCHOR.findall(page(game))
    assert sorted(anchors) == sorted(set(anchors))


@pytest.mark.parametrize("game", GAMES)
def test_links_of_the_page_lead_somewhere(game: str) -> None:
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page(game)):
        assert (ROOT / "docs/rules" / link).exists(), link


def played_parts(scenarios: list[Any]) -> list[Any]:
    """What is played of test vectors: all but the reason they give."""
    return [{name: value for name, value in scenario.items() if name != "why"} for scenario in scenarios]


def printed(game: str) -> list[Any]:
    """The test vectors on a game's page."""
    blocks = [json.loads(block) for block in VECTORS.findall(page(game)) if "…" not in block]
    flat = [scenario for block in blocks for scenario in (block if isinstance(block, list) else [block])]
    return [scenario for scenario in flat if "steps" in scenario]


@pytest.mark.parametrize("game", GAMES)
def test_the_vectors_of_the_page_are_those_that_are_played(game: str) -> None:
    played = played_parts(json.loads((ROOT / "tests/games" / game / "vectors.json").read_bytes()))
    of_the_page = played_parts(printed(game))
    assert of_the_page
    assert [scenario["name"] for scenario in of_the_page if scenario not in played] == []
