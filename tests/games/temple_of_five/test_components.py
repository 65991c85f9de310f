"""Component sets: the published one, another one dropped in, and sets that break a constraint (1.1)."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.canonical import canonical
from games.components import InvalidComponentSet, load_component_sets
from games.kernel import InvalidSetup
from games.temple_of_five import temple_of_five
from games.temple_of_five.box import COMPONENT_SETS, Box
from games.temple_of_five.contents import COLOURS, GODS
from tests.games.temple_of_five.tables import RULESET, build, crown, lay, play_quietly, use
from tests.games.temple_of_five.tiny import TINY_RULESET, read, tiny_data
from tests.rulesets.story import Story, builtins

TINY = {"component_set": "tiny"}
BOX = COMPONENT_SETS["reconstructed_1"].box


def test_the_published_set_says_that_it_is_reconstructed() -> None:
    assert COMPONENT_SETS["reconstructed_1"].data["provenance"]["status"].startswith("reconstructed")


def test_the_published_set_has_the_printed_quantities() -> None:
    assert (len(BOX.boards), len(BOX.tiles), len(BOX.cards), BOX.priests_per_player) == (4, 52, 50, 10)
    assert Counter(tile.kind for tile in BOX.special_tiles) == {"single_colour": 8, "effect": 8}
    assert Counter((piece.colour, piece.size) for piece in BOX.bonus_decorations) == {
        **{(colour, 2): 7 for colour in COLOURS},
        **{(colour, 3): 6 for colour in COLOURS},
    }
    assert Counter(card.god for card in BOX.cards) == dict.fromkeys(GODS, 10)


def test_the_published_tiles_favour_no_colour() -> None:
    shown = Counter(space for tile in BOX.tiles for space in tile.spaces)
    assert shown == {"red": 37, "gold": 37, "blue": 37, "green": 37, None: 60}


def test_the_published_boards_differ_however_they_are_turned() -> None:
    def turned(rows: tuple[str, ...]) -> tuple[str, ...]:
        return tuple("".join(column) for column in zip(*rows[::-1], strict=True))

    looks = []
    for board in BOX.boards:
        rows, forms = board.printed, set()
        for _ in range(4):
            rows = turned(rows)
            forms |= {rows, rows[::-1]}
        looks.append(forms)
        assert Counter("".join(board.printed)) == {".": 52, "r": 3, "y": 3, "b": 3, "g": 3}
    assert len(frozenset().union(*looks)) == sum(len(forms) for forms in looks)


def test_a_rotation_is_clockwise() -> None:
    assert BOX.faces["d31"] == {0: "rr.g", 90: ".rgr", 180: "g.rr", 270: "rgr."}


def test_another_set_is_played_from_its_data_alone() -> None:
    story = Story(TINY_RULESET).given(seats=2, options=TINY)
    story.stands({"/players/0/priests_reserve": 4, "/players/0/surface": ["______"] * 6, "/deck_red": []})
    play_quietly(story).stands({"/phase": "ended"})


def test_another_set_has_its_own_letters_slots_cards_and_pieces() -> None:
    own = {"hand": ["t04", "t08", "t12"], "bonus_3": ["p3_red"]}
    position = {"phase": "build", "players": [own, {"hand": []}]}
    story = Story(TINY_RULESET).given(position, seats=2, options=TINY)
    story.when(0, build("t04", 0)).stands({"/players/0/surface/0": "RR____", "/players/0/levels/1": "110000"})
    story.when(0, lay("p3_red", (0, 2), (0, 3), (0, 4))).stands({"/players/0/surface/0": "RRRRR_"})
    story.when(0, build("t08", 8)).when(0, build("t12", 7))
    story.when(0, use((0, 0), "red", 0, 1)).happened(
        {"type": "chain_used", "length": 5},
        {"type": "card_completed", "card": "only_red"},
        {"type": "card_revealed", "card": None},
    )


def test_another_set_crowns_with_its_own_special_tiles() -> None:
    hand = ["top_extra_chain_1", "top_two_bonus_1"]
    position = {"phase": "build", "round": 6, "players": [{"hand": hand}, {}]}
    options = {**TINY, "special_tiles": "effect"}
    story = Story(TINY_RULESET).given(position, seats=2, options=options)
    story.when(0, crown("top_extra_chain_1", face_up=True))
    assert story.state.players[0].surface[2][2:4] == "XX"


def test_a_file_dropped_into_a_folder_is_a_set(tmp_path: Path) -> None:
    (tmp_path / "tiny.json").write_bytes(canonical(tiny_data()))
    ruleset = temple_of_five(load_component_sets(tmp_path, Box))
    assert set(ruleset.component_sets) == {"reconstructed_1", "tiny"}
    story = Story(ruleset).given(seats=4, options=TINY)
    assert builtins(story.state)["options"]["component_set"] == "tiny"


def test_a_ruleset_plays_with_its_own_sets_only() -> None:
    with pytest.raises(InvalidSetup, match="no component set"):
        RULESET.read_options(TINY)


def test_a_name_never_means_two_different_sets() -> None:
    other = read({**tiny_data(), "priests_per_player": 5})
    with pytest.raises(InvalidComponentSet, match="another component set has this name"):
        temple_of_five({"tiny": other})


Change = Callable[[dict[str, Any]], object]
"""What makes a sound set faulty."""


def spoil(change: Change) -> dict[str, Any]:
    data = tiny_data()
    change(data)
    return data


def printed(*rows: str) -> Change:
    """The first board with these rows at its top."""
    return lambda data: data["boards"][0].update(printed=[*rows, *["______"] * (6 - len(rows))])


FAULTS: list[tuple[str, Change]] = [
    ("51 decoration tiles are listed where `counts` says 52", lambda data: data["tiles"].pop()),
    ("51 decoration tiles are too few", lambda data: (data["tiles"].pop(), data["counts"].update(tiles=51))),
    ("0 cards of the god `red`", lambda data: data["cards"].pop(0)),
    ("3 boards", lambda data: data["boards"].pop()),
    ("single-colour tiles", lambda data: data["special_tiles"].pop(0)),
    ("effect tiles", lambda data: data["special_tiles"].pop()),
    ("0 red pieces of 2 spaces", lambda data: data["bonus_decorations"].pop(0)),
    ("`t01` is used twice", lambda data: data["tiles"][1].update(id="t01")),
    ("t01 has 3 spaces: a tile is 2×2", lambda data: data["tiles"][0]["spaces"].pop()),
    ("t01 shows the unknown colour `pink`", lambda data: data["tiles"][0].update(spaces=["pink"] * 4)),
    (
        "top_red_1 is not of one colour",
        lambda data: data["special_tiles"][0]["spaces"].__setitem__(1, "blue"),
    ),
    ("not of one colour", lambda data: data["special_tiles"][0].update(colour="blue")),
    ("a colour and an effect", lambda data: data["special_tiles"][0].update(effect="two_bonus")),
    ("effect", lambda data: data["special_tiles"][4].update(effect="fly")),
    ("without an effect", lambda data: data["special_tiles"][4].pop("effect")),
    ("an effect and decorations", lambda data: data["special_tiles"][4].update(colour="red")),
    (
        "no special tile for `reuse_chain`",
        lambda data: [
            tile.update(effect="two_bonus")
            for tile in data["special_tiles"]
            if tile.get("effect") == "reuse_chain"
        ],
    ),
    (
        "unknown colour `pink`",
        lambda data: data["bonus_decorations"].append({"id": "x", "colour": "pink", "size": 2}),
    ),
    ("not 2 or 3", lambda data: data["bonus_decorations"].append({"id": "x", "colour": "red", "size": 4})),
    ("unknown god `moon`", lambda data: data["cards"].append({**data["cards"][0], "id": "x", "god": "moon"})),
    ("without a value", lambda data: data["cards"][0].update(values=[0, 4])),
    ("one entry of `bonus` for each space", lambda data: data["cards"][0].update(bonus=[2])),
    ("bonus", lambda data: data["cards"][0].update(bonus=[4, None])),
    ("says 5 where its values add up to 4", lambda data: data["cards"][0].update(sum=5)),
    ("worth no less while it is incomplete", lambda data: data["cards"][0].update(points_incomplete=5)),
    ("plain_1 is not 6 by 6", printed("_____")),
    ("plain_1 shows `Z`, which is no colour", printed("_Z____")),
    ("side by side", printed("__RR__")),
    ("side by side", printed("___R__", "___R__")),
    ("decoration in a corner", printed("R_____")),
    ("matching colours beside a corner", printed("_R____", "R_____")),
    ("matching colours beside a corner", printed("____R_", "_____R")),
    ("level 2 has 3 slots, not 4", lambda data: data["levels"]["2"]["slots"].pop()),
    ("two slots of level 1 overlap", lambda data: data["levels"]["1"]["slots"].__setitem__(1, [0, 1])),
    ("level 1 reaches beyond", lambda data: data["levels"]["1"]["slots"].__setitem__(8, [4, 5])),
    ("level 3 reaches beyond", lambda data: data["levels"]["3"].update(slots=[[0, 0]])),
    ("levels 1, 2 and 3", lambda data: data["levels"].pop("3")),
    ("the colours are", lambda data: data["colours"].reverse()),
    ("the gods are", lambda data: data["gods"].pop()),
    ("nw, ne, sw, se", lambda data: data["space_order"].reverse()),
    ("straight", lambda data: data["bonus_shapes"].update({"3": "bent"})),
    ("has a letter", lambda data: data["surface_letters"].pop("red")),
    ("all different", lambda data: data["surface_letters"].update(red="B")),
    ("2 priests", lambda data: data.update(priests_per_player=1)),
    ("made for the ruleset `aton`", lambda data: data.update(ruleset="aton")),
    ("provenance", lambda data: data.update(provenance={})),
    ("sides a and b", lambda data: data["ultimate_goal_card"].pop("b")),
    ("measure", lambda data: data["ultimate_goal_card"]["a"][0].update(measure="height")),
    ("unknown field `weather`", lambda data: data.update(weather="fine")),
]


@pytest.mark.parametrize(
    ("fault", "change"), FAULTS, ids=[f"{n} {fault}" for n, (fault, _) in enumerate(FAULTS)]
)
def test_a_set_that_breaks_a_constraint_is_refused_by_name(fault: str, change: Change) -> None:
    with pytest.raises(InvalidComponentSet) as refusal:
        read(spoil(change))
    assert str(refusal.value).startswith("tiny.json: ")
    assert fault in str(refusal.value)


def test_a_decoration_on_a_path_is_refused() -> None:
    data = {**COMPONENT_SETS["reconstructed_1"].data}
    rows = [".rg...b.", *data["boards"][0]["printed"][1:]]
    data["boards"] = [{"id": "board_a", "printed": rows}, *data["boards"][1:]]
    with pytest.raises(InvalidComponentSet, match="board_a has a decoration on a path"):
        read(data)
