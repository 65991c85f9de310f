"""The list of legal actions: complete, and in canonical order (13)."""

from math import comb

import pytest

from games.babel.box import NATIONS
from tests.games.babel.laid_out import laid_out, side


def test_legal_actions_come_in_canonical_order() -> None:
    column = ["hittites"] * 3 + ["medes"] * 3 + ["persians"] * 3 + ["sumerians"] * 3 + ["assyrians"] * 3
    me = {
        "pawn": "medes",
        "hand": ["sumerians", "hittites", "medes"],
        "sites": side("medes", column=column),
        "temple_column": [1],
    }
    other = {
        "hand": ["medes", "medes"],
        "sites": side("medes", temple=[1], column=["persians", "assyrians"]),
        "temple_column": [2],
    }
    abilities = [
        {"type": "steal_level", "run": 0},
        {"type": "halve_hand", "run": 0},
        {"type": "expel_nation", "run": 3, "nation": "assyrians"},
        {"type": "expel_nation", "run": 3, "nation": "persians"},
        {"type": "halve_hand", "run": 3},
        {"type": "skip_level", "run": 6, "source": "opponent"},
        {"type": "halve_hand", "run": 6},
        {"type": "change_sides", "run": 9},
        {"type": "halve_hand", "run": 9},
        {"type": "destroy_temple", "run": 12},
        {"type": "halve_hand", "run": 12},
    ]
    assert laid_out(me, other).legal(0) == [
        {"type": "travel", "site": "hittites"},
        {"type": "travel", "site": "sumerians"},
        {"type": "deploy", "nation": "hittites"},
        {"type": "deploy", "nation": "medes"},
        {"type": "deploy", "nation": "sumerians"},
        {"type": "build", "source": "own"},
        *({"type": "migrate", "from": "medes", "to": to} for to in NATIONS if to != "medes"),
        *abilities,
        {"type": "end_turn"},
    ]


@pytest.mark.parametrize(
    ("counts", "choices"),
    [
        ((1, 1, 1, 1, 1), 10),
        ((2, 2, 2, 1, 1), 26),
        ((2, 2, 2, 2, 2), 51),
        ((3, 3, 2, 2, 2), 78),
        ((3, 3, 3, 3, 3), 155),
        ((4, 4, 4, 4, 4), 381),
        ((7, 0, 0, 0, 0), 1),
    ],
)
def test_every_way_to_halve_a_hand_is_listed_once(counts: tuple[int, ...], choices: int) -> None:
    hand = [nation for nation, count in zip(NATIONS, counts, strict=True) for _ in range(count)]
    half = len(hand) // 2
    story = laid_out(other={"hand": hand}, pending={"type": "discard_half", "seat": 1, "count": half})
    listed = [action["nations"] for action in story.legal(1)]
    assert len(listed) == choices <= comb(len(hand), half)
    assert listed == sorted(listed)
    assert all(nations == sorted(nations) for nations in listed)


def test_a_discard_may_name_its_cards_in_any_order() -> None:
    pending = {"type": "discard_half", "seat": 1, "count": 2}
    story = laid_out(other={"hand": ["assyrians", "medes", "persians", "persians"]}, pending=pending)
    sent = story.ruleset.read_action({"type": "discard", "nations": ["persians", "assyrians"]})
    assert story.ruleset.canonical(story.state, 1, sent) in story.ruleset.legal_actions(story.state, 1)
    story.when(1, {"type": "discard", "nations": ["persians", "assyrians"]})
    story.stands({"/nation_discard": ["assyrians", "persians"]})


def test_everyone_may_see_an_action_whole() -> None:
    action = {"type": "discard", "nations": ["medes"]}
    ruleset = laid_out().ruleset
    assert [ruleset.redact_action(action, 0, viewer) for viewer in (0, 1, None)] == [action] * 3
