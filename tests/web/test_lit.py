"""What is lit on a board stands out by its rim, in both themes and on every surface."""

import re
from pathlib import Path

import pytest

from games.pictures import THEMES, contrast

STYLE = (Path(__file__).parents[2] / "web" / "board.css").read_text(encoding="utf-8")


@pytest.mark.parametrize(("theme", "place"), [("light", 0), ("dark", 1)])
def test_the_rim_of_what_is_lit_is_seen_on_every_surface(theme: str, place: int) -> None:
    gold, edge = (re.findall(rf"--{name}: (#[0-9a-f]{{6}});", STYLE)[place] for name in ("lamp", "lamp-edge"))
    assert contrast(gold, edge) >= 3
    colours = THEMES[theme]
    for surface in (colours.ground, colours.panel, colours.raised, *colours.hues.values(), *colours.seats):
        assert max(contrast(gold, surface), contrast(edge, surface)) >= 3, surface


def test_what_is_lit_keeps_its_own_face() -> None:
    rules = [line for line in STYLE.splitlines() if line.startswith(".lamps")]
    assert len(rules) >= 4
    assert not [rule for rule in rules if re.search(r"fill:(?! none)|dasharray", rule)]
