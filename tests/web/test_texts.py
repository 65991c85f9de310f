"""The page's own words: the same in both languages, with the same blanks, and each said in one place."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from games.kernel import BOT_LEVELS
from tests.node import node

WEB = Path(__file__).parents[2] / "web"
PARTS = sorted(path.name for path in WEB.glob("*_texts.js"))
READ = """
const [page, ...parts] = process.argv.slice(1);
const { ALL_TEXTS } = await import(page);
const own = structuredClone(ALL_TEXTS);
const others = await Promise.all(parts.map(async (part) => (await import(part)).TEXTS));
console.log(JSON.stringify([own, ...others]));
"""


@pytest.fixture(scope="module")
def texts() -> list[Any]:
    """The words of the frame, and of each view that has words of its own."""
    files = [(WEB / name).as_uri() for name in ("texts.js", *PARTS)]
    command = [node(), "--input-type=module", "-e", READ, *files]
    ran = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr.decode()
    return list(json.loads(ran.stdout))


def test_everything_is_said_in_both_languages_with_the_same_blanks(texts: list[Any]) -> None:
    for part in texts:
        assert part["en"].keys() == part["fr"].keys()
        for key, text in part["en"].items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", part["fr"][key])), key


def test_no_word_of_a_view_takes_the_place_of_another(texts: list[Any]) -> None:
    keys = [key for part in texts for key in part["en"]]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("level", BOT_LEVELS)
def test_every_level_of_bots_can_be_chosen_by_words(texts: list[Any], level: str) -> None:
    assert {f"bot_{level}", f"bot_{level}_what"} <= texts[0]["en"].keys()
