"""What the generic suite needs to know of Sa-Ré."""

from collections import Counter
from random import Random
from typing import Any

from games.kernel import Viewer
from games.sa_re import SaRe
from games.sa_re.city import tiles_of
from games.sa_re.position.piles import placed_cards
from games.sa_re.state import State, replace
from tests.rulesets.kit import Kit, Perft, Setting

GREAT_CITY = {
    "0": ["warehouse", "master_builder"],
    "1": ["temple"],
    "2": ["gardens"],
    "4": ["barracks"],
    "5": ["carpenter"],
    "6": [{"building": "pyramid", "built": False}],
    "8": ["palace"],
    "9": ["market"],
    "10": ["library"],
}
"""All six powers, and a pyramid to build."""

GREAT_CITIES = Setting(
    seats=3,
    options={"mode": "pharaoh", "max_rounds": 4},
    position={
        "phase": "season",
        "round": 3,
        "players": [
            {"spaces": GREAT_CITY, "caravans": 2, "cards": ["wood_wood", "stone_1"], "revolt": 1},
            {"spaces": GREAT_CITY, "caravans": 1, "cards": ["gold_1"]},
            {"spaces": GREAT_CITY, "cards": ["gold_gold", "stone_2"], "revolt": 2},
        ],
    },
)

A_PAIR_FROM_HORUS = Setting(
    seats=3,
    options={},
    position={
        "phase": "season",
        "active_seat": 1,
        "players": [
            {"revolt": 5},
            {"spaces": GREAT_CITY, "cards": ["wood_1"], "revolt": 3},
            {"cards": ["gold_1"]},
        ],
        "sequence": {"drawn": 4, "troubles": 1, "pending": ["double_trouble_1", "gold_wood"]},
    },
)

A_TROUBLE_TOO_MANY = Setting(
    seats=2,
    options={"max_rounds": 1},
    position={
        "phase": "season",
        "sequence": {"drawn": 4, "troubles": 1, "passed_to": [1], "pending": ["trouble_2", "wood_4"]},
    },
)
"""Nobody is left to pass it to: it must be thrown away."""

A_TEMPLE_TO_PAY = Setting(
    seats=2,
    options={},
    position={
        "phase": "construction",
        "players": [
            {
                "spaces": {
                    "0": ["warehouse", "master_builder"],
                    "3": ["port"],
                    "6": ["carpenter"],
                    "7": [{"building": "temple", "built": False}],
                },
                "caravans": 1,
                "cards": ["gold_wood", "stone_stone", "wood_1", {"id": "trouble_1", "joker": True}],
            },
            {"cards": ["stone_1"]},
        ],
    },
)

FIRST_SITES = Setting(seats=2, options={"divinity": True, "max_rounds": 3})


def permute(state: State, viewer: Viewer, random: Random) -> State:
    """Deal anew what a viewer cannot see: the deck but for a top it knows, the card set aside, another's dark Temple."""
    deck, aside = state.deck or (), state.set_aside or ()
    knows_top = state.deck_face_up or (viewer is not None and viewer == state.top_known_to)
    known = deck[:1] if knows_top else ()
    temple = state.sequence.temple if state.sequence and state.sequence.seat != viewer else ()
    secret = [card.id for card in temple if card.dark and card.id]
    unseen = [*deck[len(known) :], *aside, *secret]
    random.shuffle(unseen)
    dealt = tuple(replace(card, id=unseen.pop()) if card.dark else card for card in temple)
    aside = tuple(unseen.pop() for _ in aside)
    deck = (*known, *unseen)
    return replace(
        state,
        deck=deck,
        set_aside=aside,
        top_card=deck[0] if state.top_card is not None else None,
        sequence=replace(state.sequence, temple=dealt) if state.sequence and temple else state.sequence,
    )


def components(state: State) -> Any:
    """Every season card and every tile, wherever they are."""
    tiles = Counter(tile.building for player in state.players for _, tile in tiles_of(player))
    tiles.update(building for player in state.players for building in player.to_place)
    tiles.update(state.supply)
    tiles["pyramid"] += len(state.pyramids)
    numbers = [
        tile.number
        for player in state.players
        for _, tile in tiles_of(player)
        if isinstance(tile.number, int)
    ]
    return Counter(placed_cards(state)), dict(tiles), sorted((*state.pyramids, *numbers))


KIT = Kit(
    ruleset=SaRe(),
    settings=(
        Setting(seats=2, options={"mode": "scribe", "max_rounds": 6}),
        Setting(seats=3, options={"mode": "architect", "divinity": True, "max_rounds": 3}),
        Setting(seats=4, options={"mode": "priest", "quick_start": True, "max_rounds": 3}),
        Setting(seats=2, options={"mode": "pharaoh", "divinity": True, "quick_start": True, "max_rounds": 4}),
        GREAT_CITIES,
        A_TROUBLE_TOO_MANY,
    ),
    permute=permute,
    reveals=frozenset(
        {
            ("card_drawn", "card"),
            ("top_revealed", "card"),
            ("hoshekh_appeared", "type"),
        }
    ),
    components=components,
    perft=(
        Perft("the first sites under Divinity", FIRST_SITES, (26, 387)),
        Perft("a Horus pair with every power at hand", A_PAIR_FROM_HORUS, (9, 43, 168)),
        Perft("a Temple to pay for", A_TEMPLE_TO_PAY, (9, 42, 2146)),
    ),
)
