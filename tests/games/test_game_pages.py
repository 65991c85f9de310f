"""The pages for players: every member of a view, every part of the box, and the first moves as they are really told."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from docs.game_pages import PLACE, SECTIONS, filled
from games import RULESETS
from games.kernel import Ruleset
from games.toy import LANTERNS
from replays.narration import teller_of
from tests.games.test_words import members
from tests.rulesets.story import Story, builtins

PAGES = Path(__file__).parents[2] / "docs/games"
STORIES = Path(__file__).parents[1] / "golden/told"
OPTIONS = {"sa_re": {"divinity": True}}
PLAYERS = ("Ana", "Bo")

each_ruleset = pytest.mark.parametrize("ruleset", list(RULESETS), ids=lambda ruleset: ruleset.name)


def page(game: str) -> str:
    return (PAGES / f"{game}.md").read_text(encoding="utf-8")


def section(game: str, heading: str) -> str:
    """A part of a page, from its heading to the next."""
    return page(game).partition(f"## {heading}")[2].partition("\n## ")[0]


def first_moves(game: str) -> list[Any]:
    """The steps that a page shows as JSON: one list, or one a line."""
    *_, block = re.findall(r"```json\n(.*?)```", section(game, "The first "), re.DOTALL)
    return json.loads(block) if block.startswith("[") else [json.loads(line) for line in block.splitlines()]


def told(ruleset: Ruleset[Any, Any]) -> str:
    """The first moves of a page in sentences."""
    seed = re.search(r"seed `([0-9a-f]{64})`", page(ruleset.name))
    story = Story(ruleset, bytes.fromhex(seed[1])) if seed else Story(ruleset)
    story.given(seats=len(PLAYERS), options=OPTIONS.get(ruleset.name))
    teller = teller_of(ruleset, "en", PLAYERS)
    lines = []
    for step in first_moves(ruleset.name):
        before = builtins(story.state)
        story.when(step["seat"], step["action"])
        data = {"action": step["action"], "facts": builtins(story.facts)}
        event = {"type": "action_taken", "actor": {"seat": step["seat"]}, "data": data}
        lines += teller.event(event, builtins(story.state), before)
    return "\n".join(lines) + "\n"


@each_ruleset
def test_the_page_says_what_the_guide_says(ruleset: Ruleset[Any, Any]) -> None:
    latest, own = RULESETS.latest(ruleset.name), page(ruleset.name)
    assert filled(own, latest) == own, "fill it anew: python -m docs.game_pages"
    if latest.guide("en"):
        assert {section for _, section, _ in PLACE.findall(own)} >= SECTIONS.keys() - {"phases"}


def test_a_page_that_differs_from_the_guide_is_noticed() -> None:
    stale = "<!-- guide: goal -->\nold\n<!-- end -->\nkept\n"
    babel = RULESETS.latest("babel")
    guide = babel.guide("en")
    assert guide
    assert filled(stale, babel) == f"<!-- guide: goal -->\n{guide.goal}\n<!-- end -->\nkept\n"
    assert filled(stale, LANTERNS) == stale


@each_ruleset
def test_the_first_moves_are_told_on_the_page(ruleset: Ruleset[Any, Any]) -> None:
    (block,) = re.findall(r"```text\n(.*?)```", section(ruleset.name, "The first "), re.DOTALL)
    assert block == told(ruleset)


@each_ruleset
def test_the_page_names_every_member_of_a_view(ruleset: Ruleset[Any, Any]) -> None:
    named = set(re.findall(r"`(?:players\[\]\.)?([a-z_0-9]+)`", section(ruleset.name, "The view")))
    counted = {name for name in members(ruleset.state_type) if name.endswith("_count")}
    wanted = {*members(ruleset.state_type), *ruleset.options_type.__struct_fields__} - counted
    assert wanted - named - {"players"} == set()


@each_ruleset
def test_the_page_shows_the_game_at_its_start_middle_and_end(ruleset: Ruleset[Any, Any]) -> None:
    pictures = re.findall(
        r"!\[[^\]]+\]\(\.\./pictures/([a-z_]+)-(start|middle|end)\.png\)", page(ruleset.name)
    )
    assert pictures == [(ruleset.name, moment) for moment in ("start", "middle", "end")]
    assert f"tests/golden/told/{ruleset.name}.en.txt" in page(ruleset.name)


def test_every_cost_of_sa_re_is_on_its_page() -> None:
    box = section("sa_re", "What is in the box")
    (data,) = (component_set.data for component_set in RULESETS.latest("sa_re").component_sets.values())
    for name, building in data["buildings"].items():
        if cost := building.get("cost"):
            assert re.search(
                rf"`{name}`\) \| \w+ \| {cost['wood']} \| {cost['gold']} \| {cost['stone']} \|", box
            )
    for pyramid in data["pyramids"]:
        steps = " | ".join(f"{step['wood']} / {step['gold']} / {step['stone']}" for step in pyramid["steps"])
        assert f"| {pyramid['number']} | {steps} |" in box


def test_every_tile_and_card_of_temple_of_five_is_on_its_page() -> None:
    box = section("temple_of_five", "What is in the box")
    (data,) = (
        component_set.data for component_set in RULESETS.latest("temple_of_five").component_sets.values()
    )
    letters = {**data["surface_letters"], None: "."}
    for tile in data["tiles"]:
        nw, ne, sw, se = (letters[colour] for colour in tile["spaces"])
        assert f"`{tile['id']}` {nw}{ne}/{sw}{se}" in box
    signs = {None: "", 2: "②", 3: "③"}
    for card in data["cards"]:
        spaces = " ".join(
            f"{value}{signs[bonus]}" for value, bonus in zip(card["values"], card["bonus"], strict=True)
        )
        assert f"| {spaces} | {card['points']} | {card['points_incomplete']} |" in box
    for goal in (goal for side in data["ultimate_goal_card"].values() for goal in side):
        assert re.search(rf"`{goal['id']}` \| [^|]+ \| {goal['points']} \|", box)


def test_the_numbers_of_cards_of_babel_and_aton_are_on_their_pages() -> None:
    (babel,) = (component_set.data for component_set in RULESETS.latest("babel").component_sets.values())
    levels = " | ".join(str(number) for number in babel["temple_cards"])
    assert f"| how many | {levels} | 45 |" in section("babel", "What is in the box")
    (aton,) = (component_set.data for component_set in RULESETS.latest("aton").component_sets.values())
    box = section("aton", "What is in the box")
    assert f"| pieces | {aton['pieces_per_player']} |" in box
    for temple in range(1, 5):
        spaces = [space["colour"] for space in aton["spaces"] if space["temple"] == temple]
        counts = " | ".join(str(spaces.count(colour)) for colour in ("yellow", "green", "black", "blue"))
        assert f"| {temple} | {counts} |" in box


def test_what_the_cards_of_babel_and_aton_are_worth_is_on_their_pages() -> None:
    (babel,) = (known.data for known in RULESETS.latest("babel").component_sets.values())
    box = section("babel", "What is in the box")
    for name, nation in babel["nations"].items():
        assert re.search(rf"\(`{name}`\) \| {nation['copies']} \|", box)
    levels = " | ".join(str(level) for level in range(1, len(babel["temple_cards"]) + 1))
    assert f"| points, as the top of a temple | {levels} |" in box
    (aton,) = (known.data for known in RULESETS.latest("aton").component_sets.values())
    box, each = section("aton", "What is in the box"), {*aton["cards_per_value"].values()}
    values, (copies,) = ", ".join(aton["cards_per_value"]), each
    assert f"| cards of value {values} | {copies} each, {4 * copies} together |" in box
    scoring = aton["scoring"]
    for words in (
        f"+1 | {scoring['temple_2']} |",
        f"{scoring['temple_4_per_blue']} for each of their pieces",
    ):
        assert words in box
    assert f"having more pieces on them scores {scoring['black']} |" in box


def test_every_season_card_of_sa_re_is_on_its_page() -> None:
    (data,) = (known.data for known in RULESETS.latest("sa_re").component_sets.values())
    box, named, together = section("sa_re", "What is in the box"), set(), 0
    for ids, count in re.findall(r"^\| [^|]+ \| (`[^|]+) \| (\d+) \|$", box, re.MULTILINE):
        together += int(count)
        for part in ids.split(", "):
            first, *last = part.strip("`").split("` … `")
            kind, _, number = first.rpartition("_")
            until = int(last[0].rpartition("_")[2]) if last else None
            named |= {f"{kind}_{at}" for at in range(int(number), until + 1)} if until else {first}
    assert named == {card["id"] for card in data["season_cards"]}
    assert together == len(named)
