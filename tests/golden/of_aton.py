"""Games of Aton: every way to win."""

from typing import Any

from events.entries import Clock
from tests.games.aton.kit import BEFORE_A_SCORING
from tests.games.aton.positions import GREEN, TEMPLE_1, YELLOW, pieces
from tests.golden.stories import (
    Golden,
    at_random,
    does,
    forked,
    in_order,
    moves,
    positioned,
    resigns,
    runs_out_of_time,
    to_the_end,
)

RED_PLACES = {"round": 2, "phase": "place", "active_seat": 0}
CARDS = [{"cartouches": [1, 2, 4, 4]}, {"cartouches": [1, 3, 1, 1]}]


def last_space(*held: str) -> Any:
    """Red holds these spaces and is to place."""
    return positioned({**RED_PLACES, "players": CARDS, "board": pieces(red=held)})


FULL_HOUSE = {
    "round": 5,
    "phase": "remove",
    "active_seat": 0,
    "players": [{"cartouches": [1, 3, 4, 4]}, {"cartouches": [2, 4, 1, 1]}],
    "board": pieces(
        red=(
            *(f"t{temple}-{number:02}" for temple in (1, 2) for number in range(1, 12)),
            *(f"t3-{number:02}" for number in range(5, 12)),
        ),
        blue=("t1-12", "t2-12", "t4-05"),
    ),
}
"""All of red's pieces are on the board."""

GOLDEN = (
    Golden("aton", "points_at_scoring", to_the_end(), number=64),
    Golden("aton", "points_at_cartouche_1", to_the_end(at_random), number=217),
    Golden("aton", "temple_filled", to_the_end(at_random), number=167),
    Golden("aton", "shared", to_the_end(at_random), number=413),
    Golden(
        "aton",
        "last_space_of_a_temple",
        does(0, type="place", space="t1-12"),
        origin=last_space(*TEMPLE_1[:11]),
    ),
    Golden("aton", "yellow_filled", does(0, type="place", space=YELLOW[-1]), origin=last_space(*YELLOW[:-1])),
    Golden("aton", "green_filled", does(0, type="place", space=GREEN[-1]), origin=last_space(*GREEN[:-1])),
    Golden(
        "aton",
        "before_a_scoring",
        to_the_end(at_random),
        origin=positioned(BEFORE_A_SCORING, seeded=True),
        number=15,
    ),
    Golden("aton", "resigned_with_cards_face_down", in_order(moves(1), resigns(1))),
    Golden("aton", "timed_out", in_order(moves(25), runs_out_of_time(0)), settings={"clock": Clock(86_400)}),
    Golden(
        "aton",
        "supply_empty",
        in_order(does(0, type="remove", space="t4-05"), moves(6, at_random), resigns(1)),
        origin=positioned(FULL_HOUSE),
    ),
    Golden("aton", "fork", to_the_end(), origin=forked("aton", "points_at_scoring", 40)),
)
