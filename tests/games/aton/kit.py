"""What the generic suite needs to know of Aton."""

from collections import Counter
from random import Random
from typing import Any

from games.aton import Aton
from games.aton.state import SEATS, Player, State, replace
from games.aton.views import lies_face_down
from games.kernel import Viewer
from tests.rulesets.kit import Kit, Perft, Setting

FROM_THE_BOX = Setting(seats=2, options={})
BEFORE_A_SCORING: dict[str, Any] = {
    "phase": "remove",
    "round": 7,
    "active_seat": 0,
    "dead": [0, 1, 0, 1, 0, 1, 0],
    "board": {
        **dict.fromkeys(("t1-01", "t1-02", "t1-03", "t2-05", "t2-08", "t3-04", "t4-05"), 0),
        **dict.fromkeys(("t1-09", "t1-10", "t2-07", "t2-09", "t3-05", "t3-06", "t4-04"), 1),
    },
    "players": [
        {"score": 12, "cartouches": [2, 3, 2, 2], "exchanged": [1, 1, 2, 1], "trade_token": False},
        {"score": 15, "cartouches": [3, 4, 3, 1]},
    ],
}
BEFORE_A_SCORING_SETTING = Setting(seats=2, options={}, position=BEFORE_A_SCORING)


def permute(state: State, viewer: Viewer, random: Random) -> State:
    """Deal anew what a viewer cannot see: its own deck, and of another all that lies face down."""
    red, blue = (
        _own_deck_shuffled(player, random) if player.seat == viewer else _redealt(state, player, random)
        for player in state.players
    )
    return replace(state, players=(red, blue))


def _own_deck_shuffled(player: Player, random: Random) -> Player:
    deck = player.deck or ()
    return replace(player, deck=tuple(random.sample(deck, len(deck))))


def _redealt(state: State, player: Player, random: Random) -> Player:
    zones = ["hand", "deck", "exchanged"]
    if lies_face_down(state, player.seat):
        zones.append("cartouches")
    unseen = [card for zone in zones for card in getattr(player, zone)]
    random.shuffle(unseen)
    dealt = {zone: tuple(unseen.pop() for _ in getattr(player, zone)) for zone in zones}
    return replace(player, **dealt)


def components(state: State) -> list[Any]:
    """Every card and every piece of both seats, wherever they are."""
    return [
        (
            Counter(
                card
                for zone in (player.hand, player.deck, player.discard, player.exchanged, player.cartouches)
                for card in zone or ()
            ),
            player.supply + list(state.board.values()).count(seat) + state.dead.count(seat),
        )
        for seat, player in zip(SEATS, state.players, strict=True)
    ]


KIT = Kit(
    ruleset=Aton(),
    settings=(FROM_THE_BOX, BEFORE_A_SCORING_SETTING),
    permute=permute,
    reveals=frozenset(
        {
            ("cards_drawn", "cards"),
            ("cartouches_revealed", "cartouches"),
            ("order_cards_drawn", "cards"),
        }
    ),
    fleeting=frozenset({("order_cards_drawn", "cards")}),
    components=components,
    perft=(
        Perft("the first cards", FROM_THE_BOX, (20, 200, 5514)),
        Perft("a removal before a scoring", BEFORE_A_SCORING_SETTING, (4, 64, 960, 7680)),
    ),
)
