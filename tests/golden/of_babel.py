"""Games of Babel: both editions, and every way to end."""

from typing import Any

from events import commands, seeds
from events.entries import Clock
from tests.events.logs import Log, call, named, next_action
from tests.games.babel.kit import CLOSE_FIGHT
from tests.games.babel.laid_out import pile_without, side, spare_temples
from tests.golden.stories import (
    BOT,
    SEALED,
    Golden,
    at_random,
    called_off,
    does,
    forked,
    in_order,
    moves,
    positioned,
    resigns,
    runs_out_of_time,
    seeded,
    to_the_end,
)

MIXED = ["assyrians", "hittites", "medes", "persians", "sumerians", "assyrians"]
BUILD = does(0, type="build", source="own")
END_TURN = does(0, type="end_turn")
NEWER, OLDER = {"edition": "2013"}, {"edition": "2000"}


def builder(total: int, **zones: Any) -> dict[str, Any]:
    """A player who needs one more level at the Hittites' site; the temples elsewhere add up to a total."""
    here = side("hittites", temple=[1, 2], column=MIXED)
    return {"pawn": "hittites", "sites": spare_temples(total=total) | here, "temple_column": [3], **zones}


def at_turn_3(me: dict[str, Any], other: dict[str, Any], **zones: Any) -> Any:
    return positioned({"turn": 3, "players": [me, other], **zones})


def last_card(me: list[str], other: list[str]) -> Any:
    """One card is left in the temple pile; nobody has built."""
    column = pile_without(1)
    return at_turn_3({"temple_column": column, "hand": me}, {"hand": other}, temple_pile=[1])


def asked_twice(log: Log) -> None:
    """An action that names the request it came of."""
    seat, action = next_action(log.game, log.rulesets)
    request = call("0d3bbb6e-0d0c-4b4c-9c5f-5a3f1c1f9b1e", action)
    log.append(lambda batch: commands.act(batch, seat, action, log.rulesets, log.seed), request)


def opens_its_seal(log: Log) -> None:
    log.opens(1, SEALED)


def gets_a_new_token(log: Log) -> None:
    log.append(lambda batch: commands.renew_token(batch, {"host": "club"}, 1))


ADA, BEN = named("Ada", entropy="rosetta"), named("Ben", entropy="thebes")
SEALED_BEN = named("Ben", entropy_commitment=seeds.seal(SEALED))
REFS = (named("Ada", ref="player-17"), named("Ben", ref="player-4"))

GOLDEN = (
    Golden("babel", "fifteen_to_nine_2013", to_the_end(), options=NEWER, sitters=(ADA, BEN), number=10),
    Golden("babel", "below_ten_2000", to_the_end(), options=OLDER, number=18),
    Golden("babel", "temple_pile_empty_2000", to_the_end(at_random), options=OLDER, number=20),
    Golden("babel", "hand_count_2013", to_the_end(at_random), options=NEWER, number=77),
    Golden(
        "babel",
        "close_fight_2000",
        to_the_end(at_random),
        options=OLDER,
        origin=positioned(CLOSE_FIGHT),
        number=39,
    ),
    Golden(
        "babel",
        "fifteen_to_nine_2000",
        BUILD,
        options=OLDER,
        origin=at_turn_3(builder(12), {"sites": spare_temples(total=9)}),
    ),
    Golden(
        "babel",
        "twenty_2013",
        BUILD,
        options=NEWER,
        origin=at_turn_3(builder(17), {"sites": spare_temples(total=17)}, endgame=True),
    ),
    Golden(
        "babel",
        "twenty_2000_by_theft",
        does(0, type="steal_level", run=0),
        options=OLDER,
        origin=at_turn_3(
            {
                "pawn": "hittites",
                "sites": spare_temples(total=14) | side("hittites", column=["hittites"] * 3 + MIXED[2:5]),
            },
            {"sites": spare_temples(total=8) | side("hittites", temple=[5, 6])},
        ),
    ),
    Golden(
        "babel",
        "below_ten_2013",
        does(0, type="destroy_temple", run=0),
        options=NEWER,
        origin=at_turn_3(
            {
                "pawn": "hittites",
                "sites": spare_temples(total=10) | side("hittites", column=["assyrians"] * 3),
            },
            {"sites": spare_temples(total=9) | side("hittites", temple=[1, 2])},
            endgame=True,
        ),
    ),
    Golden(
        "babel",
        "temple_pile_empty_2013",
        to_the_end(at_random),
        options=NEWER,
        origin=at_turn_3(
            {"sites": spare_temples(total=3), "temple_column": pile_without(3, 1, 1, 2, 4)},
            {},
            temple_pile=[4, 2, 1, 1],
        ),
    ),
    Golden("babel", "hand_count_2000", END_TURN, options=OLDER, origin=last_card(["medes"], MIXED[:4])),
    Golden("babel", "shared_2013", END_TURN, options=NEWER, origin=last_card(["medes"], ["persians"])),
    Golden(
        "babel",
        "medes_expelled_then_resigned",
        in_order(does(0, type="expel_nation", run=0, nation="persians"), resigns(1)),
        options=OLDER,
        origin=at_turn_3(
            {"pawn": "medes", "sites": side("medes", column=["medes"] * 3)},
            {"sites": side("medes", column=["persians", "medes", "persians"])},
        ),
    ),
    Golden(
        "babel",
        "resigned",
        in_order(moves(30), resigns(1)),
        options=NEWER,
        settings={"host": "club"},
        sitters=REFS,
    ),
    Golden(
        "babel",
        "timed_out",
        in_order(moves(30), runs_out_of_time(0)),
        options=OLDER,
        settings={"clock": Clock(600)},
    ),
    Golden(
        "babel",
        "sealed_entropy",
        in_order(opens_its_seal, moves(12), resigns(0)),
        options=NEWER,
        sitters=(ADA, SEALED_BEN),
    ),
    Golden(
        "babel",
        "seal_never_opened",
        called_off("entropy_withheld", commands.CLOCK_ACTOR),
        sitters=(ADA, SEALED_BEN),
    ),
    Golden("babel", "never_filled", called_off("never_filled", commands.CLOCK_ACTOR), sitters=(ADA,)),
    Golden(
        "babel",
        "called_off_by_its_host",
        called_off("by_host", {"host": "club"}),
        sitters=(),
        settings={"host": "club", "private": True},
    ),
    Golden(
        "babel",
        "called_off_by_an_operator",
        in_order(moves(20), called_off("by_operator", {"operator": True})),
        options=NEWER,
        sitters=(ADA, BOT),
    ),
    Golden(
        "babel",
        "all_timed_out",
        called_off("all_timed_out", commands.CLOCK_ACTOR),
        settings={"clock": Clock(60)},
    ),
    Golden(
        "babel",
        "seeded_with_a_new_token",
        in_order(asked_twice, gets_a_new_token, moves(20, at_random), resigns(1)),
        options=NEWER,
        origin=seeded,
        settings={"host": "club", "private": True},
    ),
    Golden("babel", "fork", to_the_end(), options=NEWER, origin=forked("babel", "fifteen_to_nine_2013", 60)),
)
