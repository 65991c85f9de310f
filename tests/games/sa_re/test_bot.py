"""The greedy bot plays with sense (15)."""

from typing import Any

import pytest

from games.chance import Stream
from games.sa_re import SA_RE
from services.cli.selfplay import play_game
from tests.games.sa_re.table import POWERS, city, in_construction, in_season, in_sites, site
from tests.rulesets.story import SEED, Story, builtins


def choice(story: Story, seat: int = 0) -> Any:
    """What the bot does, seeing what its seat sees."""
    view = SA_RE.view(story.state, seat)
    return builtins(SA_RE.bot("greedy").choose(view, seat, Stream(SEED, "bot")))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_finishes_a_scribe_game_in_about_five_rounds(seats: int) -> None:
    for number in range(3):
        result = play_game(SA_RE, {"max_rounds": 8}, seats, ("greedy",) * seats, number.to_bytes(32, "big"))
        assert result.outcome.reason == "directive_fulfilled"


@pytest.mark.parametrize("mode", ["architect", "priest", "pharaoh"])
def test_it_fulfils_every_directive(mode: str) -> None:
    result = play_game(SA_RE, {"mode": mode, "max_rounds": 20}, 2, ("greedy",) * 2, SEED)
    assert result.outcome.reason == "directive_fulfilled"


def test_it_beats_the_random_bot() -> None:
    for number in range(4):
        levels = ("greedy", "random") if number % 2 else ("random", "greedy")
        result = play_game(SA_RE, {"max_rounds": 10}, 2, levels, number.to_bytes(32, "big"))
        assert result.outcome.winners == (levels.index("greedy"),)


def test_it_begins_with_crafts_where_they_touch_many_free_spaces() -> None:
    first = choice(in_sites({}, {}))
    assert first["building"] in ("carpenter", "goldsmith", "stonecutter")
    assert first["space"] in (5, 6)


def test_it_keeps_a_bank_space_for_the_port_that_its_directive_needs() -> None:
    crowded = city(
        {"3": ["warehouse"], "7": ["carpenter"], **{str(s): t for s, t in POWERS.items() if s != "10"}}
    )
    story = in_sites({"spaces": {**crowded, "5": ["goldsmith"], "6": ["stonecutter"]}}, {}, mode="pharaoh")
    while (action := choice(story))["type"] == "launch_site":
        assert action["space"] != 11 or action["building"] == "port"
        story.when(0, action)


def test_it_stops_before_a_double_that_would_topple_it_and_draws_a_single() -> None:
    assert choice(in_season({"revolt": 6}, {}, deck=["gold_wood", "wood_1"])) == {"type": "stop"}
    assert choice(in_season({"revolt": 6}, {}, deck=["wood_1", "gold_wood"])) == {"type": "draw"}


def test_it_reacts_by_stopping_on_the_verge_of_revolt() -> None:
    sequence = {"drawn": 1, "pending": ["gold_wood"]}
    story = in_season({}, {"revolt": 5}, {"revolt": 2}, deck=["wood_1", "gold_1"], sequence=sequence)
    assert (choice(story, 1), choice(story, 2)) == ({"type": "stop"}, {"type": "stay"})


def test_it_passes_troubles_to_whoever_stands_nearest_to_revolt() -> None:
    sequence = {"drawn": 2, "troubles": 1, "pending": ["trouble_2"]}
    story = in_season({}, {"revolt": 2}, {"revolt": 5}, {"revolt": 6}, deck=["wood_1"], sequence=sequence)
    assert choice(story) == {"type": "pass_trouble", "card": "trouble_2", "to": 2}


def test_it_sends_a_step_of_revolt_to_the_highest_gauge() -> None:
    me = {"spaces": city({"1": ["barracks"]}), "revolt": 2}
    story = in_season(
        me, {"revolt": 3}, {"revolt": 5}, deck=["wood_1"], sequence={"drawn": 1, "produced": True}
    )
    assert choice(story) == {"type": "use_barracks", "target": 2}


def test_it_builds_the_dearest_site_and_pays_without_waste() -> None:
    spaces = city({"5": site("warehouse"), "6": site("barracks")})
    cards = ["stone_stone", "gold_stone", "gold_1", "wood_1", "wood_wood"]
    story = in_construction({"spaces": spaces, "cards": cards, "stock": {}}, {})
    assert choice(story) == {"type": "start_work", "kind": "build", "space": 6}
    while (action := choice(story))["type"] in ("start_work", "pay"):
        story.when(0, action)
    assert story.state.players[0].built_this_round == 1
    story.stands({"/players/0/cards/0/id": "wood_wood"})


def old_site(building: str, **members: Any) -> list[Any]:
    """A site that was launched in an earlier round."""
    return site(building, new=False, **members)


def test_it_moves_an_older_site_to_where_crafts_make_it_cheaper() -> None:
    crafts = {"1": ["stonecutter"], "4": ["carpenter"], "6": ["goldsmith"]}
    story = in_sites({"spaces": city({**crafts, "10": old_site("pyramid", number=1, steps=1)})}, {})
    assert choice(story) == {"type": "move_site", "from": 10, "to": 5}


def test_it_demolishes_what_it_can_spare_on_the_bank_when_the_port_has_no_place() -> None:
    full = {
        **city(POWERS),
        "3": ["warehouse"],
        "5": ["carpenter"],
        "6": ["stonecutter"],
        "7": ["goldsmith"],
        "11": [{"building": "pyramid", "built": True, "number": 1}],
    }
    story = in_sites({"spaces": full}, {}, mode="pharaoh")
    assert choice(story) == {"type": "demolish", "space": 3, "building": "warehouse"}
    story.when(0, choice(story))
    assert choice(story) == {"type": "launch_site", "building": "port", "space": 3}


def test_it_throws_troubles_away_with_its_palace_while_there_is_room_yet() -> None:
    me = {"spaces": city({"1": ["palace"]}), "revolt": 1}
    story = in_season(
        me, {}, deck=["wood_1", "gold_1"], sequence={"drawn": 1, "pending": ["double_trouble_1"]}
    )
    assert choice(story) == {"type": "use_palace", "card": "double_trouble_1"}


def test_it_passes_troubles_to_whoever_is_furthest() -> None:
    leader = {"revolt": 3, "spaces": city({"5": old_site("pyramid", number=1, steps=2)})}
    sequence = {"drawn": 2, "troubles": 1, "pending": ["trouble_2"]}
    story = in_season({}, leader, {"revolt": 5}, deck=["wood_1"], sequence=sequence)
    assert choice(story) == {"type": "pass_trouble", "card": "trouble_2", "to": 1}


def test_in_the_dark_it_draws_by_what_may_still_come() -> None:
    dangers = ["double_trouble_1", "double_trouble_2", "horus_1", "horus_2"]
    deck = ["wood_1", "wood_2", "gold_1"]
    calm = in_season({"revolt": 5}, {}, deck=deck, discard=["hoshekh", *dangers])
    assert choice(calm) == {"type": "draw"}
    wild = in_season({"revolt": 5}, {}, deck=[*deck, *dangers], discard=["hoshekh", "wood_3", "stone_1"])
    assert choice(wild) == {"type": "stop"}


def test_a_scribe_builds_a_step_of_the_pyramid_before_anything_dearer() -> None:
    crafts = {"1": ["stonecutter"], "4": ["goldsmith"], "9": ["carpenter"]}
    sites = {"5": old_site("pyramid", number=1), "10": old_site("temple")}
    cards = ["stone_stone", "gold_wood", "wood_1", "gold_1"]
    story = in_construction({"spaces": city({**crafts, **sites}), "cards": cards, "stock": {}}, {})
    assert choice(story) == {"type": "start_work", "kind": "build", "space": 5}
