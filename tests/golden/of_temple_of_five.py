"""Games of Temple of Five: every number of players, every variant, every way to end."""

from typing import Any

from events.entries import Clock
from games.chance import Stream
from games.kernel import Action, Ruleset
from tests.events.logs import named
from tests.games.temple_of_five.kit import LATE_OPTIONS, LATE_POSITION
from tests.games.temple_of_five.tables import QUIET, seats_at
from tests.golden.stories import (
    BOT,
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

PAIRS = [f"b2_{colour}_{number}" for colour in ("red", "gold", "blue", "green") for number in range(1, 8)]
ONE_PIECE_LEFT = {
    "phase": "build",
    "round": 6,
    "players": seats_at(
        2,
        seat_0={"hand": ["e_two_bonus_1", "e_extra_chain_1"]},
        seat_1={"hand": [], "special": {"tile": "e_two_bonus_2", "face_up": False}, "bonus_2": PAIRS[1:]},
    ),
    "bonus_2_pile": PAIRS[:1],
}
LAST_ROUND = {"phase": "build", "round": 6}


def quietly(ruleset: Ruleset[Any, Any], view: Any, seat: int, dice: Stream) -> Action[Any]:
    """Everybody does what must be done, and uses no chain."""
    actions: list[Action[Any]] = ruleset.legal_actions(view, seat)
    return next(action for action in actions if action.__struct_config__.tag in QUIET)


def temple(name: str, tell: Any, seats: int, **more: Any) -> Golden:
    return Golden("temple_of_five", name, tell, seats, **more)


GOLDEN = (
    temple("two_single_colour", to_the_end(), 2, sitters=(named("Ada", entropy="heliopolis"), BOT)),
    temple(
        "three_effect_and_goals", to_the_end(), 3, options={"special_tiles": "effect", "ultimate_goal": True}
    ),
    temple(
        "four_mixed_and_the_will_of_the_gods",
        to_the_end(),
        4,
        options={"special_tiles": "mixed", "will_of_the_gods": True},
    ),
    temple(
        "two_with_everything_at_random",
        to_the_end(at_random),
        2,
        options={"special_tiles": "mixed", "will_of_the_gods": True, "ultimate_goal": True},
    ),
    temple(
        "three_played_on_by_a_bot",
        in_order(moves(12), resigns(1), to_the_end()),
        3,
        options={"will_of_the_gods": True},
        origin=positioned({"phase": "exchange", "round": 5}),
    ),
    temple(
        "last_player",
        in_order(moves(9), runs_out_of_time(2), moves(5), resigns(0)),
        3,
        settings={"clock": Clock(900)},
    ),
    temple("two_resigned", in_order(moves(14), resigns(0)), 2, options={"special_tiles": "effect"}),
    temple(
        "two_timed_out_choosing_goals",
        in_order(moves(1), runs_out_of_time(0)),
        2,
        options={"ultimate_goal": True},
        settings={"clock": Clock(60)},
    ),
    temple("priests_in_reserve", to_the_end(at_random), 2, origin=positioned(LAST_ROUND), number=80),
    temple("shared", to_the_end(quietly), 3, origin=positioned(LAST_ROUND)),
    temple("four_late", to_the_end(), 4, options=LATE_OPTIONS, origin=positioned(LATE_POSITION)),
    temple(
        "tops_of_effect", to_the_end(), 2, options={"special_tiles": "effect"}, origin=positioned(LAST_ROUND)
    ),
    temple(
        "no_piece_left_to_draw",
        in_order(does(0, type="place_special", tile="e_two_bonus_1", face_up=True), to_the_end()),
        2,
        options={"special_tiles": "effect"},
        origin=positioned(ONE_PIECE_LEFT),
    ),
    temple(
        "fork",
        to_the_end(at_random),
        3,
        options={"special_tiles": "effect", "ultimate_goal": True},
        origin=forked("temple_of_five", "three_effect_and_goals", 100),
    ),
)
