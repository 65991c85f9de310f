"""Games of Sa-Ré: every mode, both variants, a revolt, the round limit, every tie-break and every way to end."""

from typing import Any

from events.entries import Clock
from tests.events.logs import named
from tests.games.sa_re.kit import GREAT_CITY
from tests.games.sa_re.table import POWERS, city, site
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

PYRAMID = {"5": ["pyramid"]}
BUILT = {
    "1": ["temple"],
    "2": ["gardens"],
    "4": ["barracks"],
    "5": ["carpenter"],
    "6": ["goldsmith"],
    "7": ["stonecutter"],
    "8": ["palace"],
    "9": ["market"],
    "10": ["library"],
    "11": ["warehouse"],
}
"""Ten spaces of a city; there is room for a pyramid at the third."""
PRIEST_CITY = {
    "1": ["temple"],
    "2": ["market"],
    "3": ["port"],
    "5": site("pyramid", number=1, steps=2),
    "9": ["palace"],
}
PHARAOH_CITY = {**POWERS, "3": ["port"], "5": site("pyramid"), "6": ["carpenter"], "7": ["stonecutter"]}


def sa_re(name: str, tell: Any, seats: int = 2, **more: Any) -> Golden:
    return Golden("sa_re", name, tell, seats, **more)


def ready_to_end(*cities: Any, **zones: Any) -> Any:
    """Every seat is about to end its construction."""
    return positioned(
        {"phase": "construction", "players": [{"spaces": city(each)} for each in cities], **zones}
    )


def all_end(seats: int) -> Any:
    return in_order(*(does(seat, type="end_construction", keep=[]) for seat in range(seats)))


def tie(name: str, first: Any, second: Any, **options: Any) -> Golden:
    return sa_re(name, all_end(2), options=options, origin=ready_to_end(first, second))


def with_pyramid(*pyramid: Any) -> Any:
    return {**BUILT, "3": list(pyramid)}


def in_season(*players: Any, **zones: Any) -> Any:
    return positioned({"phase": "season", "players": list(players), **zones})


GOLDEN = (
    sa_re(
        "scribe",
        to_the_end(),
        options={"mode": "scribe"},
        sitters=(named("Ada", entropy="memphis"), BOT),
        number=27,
    ),
    sa_re(
        "divinity_and_quick_start",
        to_the_end(),
        3,
        options={"mode": "scribe", "divinity": True, "quick_start": True, "max_rounds": 2},
    ),
    sa_re(
        "architect",
        to_the_end(),
        options={"mode": "architect"},
        origin=in_season(
            {"spaces": city({**BUILT, "11": site("carpenter"), "3": site("pyramid")})},
            {"spaces": city({"4": ["barracks"]})},
        ),
    ),
    sa_re(
        "priest",
        to_the_end(),
        3,
        options={"mode": "priest"},
        origin=in_season(*({"spaces": city({**PRIEST_CITY, "5": site("pyramid")})} for _ in range(3))),
        number=24,
    ),
    sa_re(
        "pharaoh",
        to_the_end(),
        4,
        options={"mode": "pharaoh", "divinity": True},
        origin=in_season(*({"spaces": city(PHARAOH_CITY)} for _ in range(4))),
        number=38,
    ),
    sa_re(
        "revolt",
        to_the_end(at_random),
        3,
        options={"max_rounds": 3},
        origin=in_season(
            {"spaces": city(), "revolt": 5}, {"spaces": city(), "revolt": 4}, {"spaces": city(), "revolt": 4}
        ),
        number=37,
    ),
    sa_re("round_limit", to_the_end(), options={"mode": "priest", "max_rounds": 2}),
    sa_re(
        "round_limit_of_four_at_random",
        to_the_end(at_random),
        4,
        options={"mode": "architect", "max_rounds": 2, "divinity": True, "quick_start": True},
    ),
    sa_re(
        "played_on_by_a_bot",
        in_order(moves(20), runs_out_of_time(1), to_the_end()),
        3,
        options={"mode": "scribe", "max_rounds": 2},
        settings={"clock": Clock(300)},
    ),
    sa_re(
        "last_player",
        in_order(moves(6), resigns(0), moves(4), resigns(3), moves(4), runs_out_of_time(2)),
        4,
        options={"quick_start": True},
    ),
    sa_re("resigned", in_order(moves(15), resigns(1)), options={"mode": "pharaoh"}),
    sa_re(
        "timed_out",
        in_order(moves(15), runs_out_of_time(0)),
        options={"mode": "architect"},
        settings={"clock": Clock(300)},
    ),
    tie("administrative_buildings", PYRAMID, {**PYRAMID, "1": ["temple"]}),
    tie(
        "pyramid_completed",
        with_pyramid({"building": "pyramid", "built": False, "number": 1, "steps": 2}),
        with_pyramid({"building": "pyramid", "number": 2}),
        mode="architect",
    ),
    tie(
        "pyramid_steps",
        with_pyramid({"building": "pyramid", "built": False, "number": 1, "steps": 1}),
        with_pyramid({"building": "pyramid", "built": False, "number": 2, "steps": 2}),
        mode="architect",
    ),
    tie(
        "pyramid_number",
        {"5": [{"building": "pyramid", "number": 2}]},
        {"5": [{"building": "pyramid", "number": 1}]},
    ),
    tie(
        "round_limit_pyramid_completed",
        {"5": site("pyramid", number=1, steps=1)},
        {"5": [{"building": "pyramid", "number": 2}]},
        mode="architect",
        max_rounds=1,
    ),
    tie(
        "round_limit_pyramid_steps",
        {"5": site("pyramid", number=1)},
        {"5": site("pyramid", number=2, steps=1)},
        mode="architect",
        max_rounds=1,
    ),
    sa_re(
        "shared_round_limit",
        all_end(3),
        3,
        options={"max_rounds": 1},
        origin=ready_to_end({}, {"1": ["temple"]}, {"1": ["market"]}),
    ),
    sa_re(
        "without_limit",
        in_order(moves(10, at_random), resigns(0)),
        options={"max_rounds": None},
        origin=positioned({"phase": "construction", "round": 400}),
    ),
    sa_re(
        "all_powers",
        to_the_end(at_random),
        3,
        options={"mode": "pharaoh", "max_rounds": 4},
        origin=in_season(
            {"spaces": GREAT_CITY, "caravans": 2, "cards": ["wood_wood", "stone_1"], "revolt": 1},
            {"spaces": GREAT_CITY, "caravans": 1, "cards": ["gold_1"]},
            {"spaces": GREAT_CITY, "cards": ["gold_gold", "stone_2"], "revolt": 2},
            round=3,
        ),
    ),
    sa_re(
        "fork",
        in_order(moves(20), resigns(0)),
        options={"mode": "scribe"},
        origin=forked("sa_re", "scribe", 50),
    ),
)
