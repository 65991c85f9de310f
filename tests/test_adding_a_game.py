"""docs/adding-a-game.md builds the toy: piece by piece the very code that the generic suite runs on."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
GAME, KIT = ((ROOT / file).read_text(encoding="utf-8") for file in ("games/toy.py", "tests/toy_kit.py"))


def squeezed(code: str) -> list[str]:
    """Code without the blank lines that part its pieces."""
    return [line for line in code.splitlines() if line]


def test_the_page_shows_the_whole_game_and_its_kit_in_order() -> None:
    assert squeezed("".join(BLOCKS[:-1])) == squeezed(GAME)
    assert squeezed(BLOCKS[-1]) == squeezed(KIT)


def test_the_page_says_how_long_it_is_and_it_is_short() -> None:
    lines = len((GAME + KIT).splitlines())
    assert f"is {lines} lines, tests and words included" in PAGE
    assert lines <= 250


def test_the_generic_suite_runs_on_it() -> None:
    assert "from tests.toy_kit import KIT" in (ROOT / "tests/rulesets/kits.py").read_text(encoding="utf-8")
