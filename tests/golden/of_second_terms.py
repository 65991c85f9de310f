"""Games of the second terms: seats left, judgements, total clocks, bots with names, every way to be called off."""

from typing import Any

from events import commands, seeds
from events.clocks import Patience
from events.entries import Clock, total_clock
from tests.events.logs import ANYONE, Log, named, person
from tests.golden.stories import (
    BOT,
    SEALED,
    Golden,
    Tell,
    at_random,
    called_off,
    forked,
    in_order,
    moves,
    resigns,
    think,
    to_the_end,
)

CLUB = {"host": "club"}
HOSTED = {"host": "club", "tags": ("spring-2026", "final")}
PATIENCE = Patience(open_game=3600, seal=60, idle_game=86_400, max_entries=30)
ADA, BEN = named("Ada"), named("Ben")
SEALED_BEN = named("Ben", entropy_commitment=seeds.seal(SEALED))


def sits(seat: int, name: str, sitter: commands.Sitter, by: dict[str, Any] | None = None) -> Tell:
    """Somebody whose name is kept sits down."""

    def tell(log: Log) -> None:
        log.sits(seat, sitter, by)
        log.people[seat] = person(name)

    return tell


def leaves(seat: int, by: dict[str, Any] | None = None) -> Tell:
    return lambda log: log.leaves(seat, by)


def gets_a_new_token(seat: int) -> Tell:
    return lambda log: log.append(lambda batch: commands.renew_token(batch, CLUB, seat))


def opens_its_seal(seat: int) -> Tell:
    return lambda log: log.opens(seat, SEALED)


def is_adjudicated(*winners: int, by: dict[str, Any], why: str) -> Tell:
    return lambda log: log.is_adjudicated(*winners, by=by, why=why)


def clock_runs_out(log: Log) -> None:
    log.runs_out(PATIENCE)


def is_called_off_by_its_creator(log: Log) -> None:
    log.append(lambda batch: commands.abort_by_creator(batch, 0))


def thinks(seconds: int) -> Tell:
    return lambda log: think(log, seconds)


GOLDEN = (
    Golden(
        "babel",
        "seats_left_and_taken_again",
        in_order(
            gets_a_new_token(0),
            leaves(0),
            sits(1, "Ben", SEALED_BEN),
            leaves(1, CLUB),
            sits(0, "Dora", named("Dora", entropy="memphis")),
            gets_a_new_token(0),
            sits(1, "Ben", SEALED_BEN),
            opens_its_seal(1),
            to_the_end(),
        ),
        sitters=(named("Ada", entropy="rosetta"),),
        settings=HOSTED,
    ),
    Golden(
        "babel",
        "adjudicated",
        in_order(moves(30), is_adjudicated(1, by=CLUB, why="Ada missed the last round of the cup.")),
        settings=HOSTED,
    ),
    Golden(
        "sa_re",
        "adjudicated_as_shared",
        in_order(moves(20), resigns(1), is_adjudicated(0, 2, by={"operator": True}, why="La salle ferme.")),
        3,
    ),
    Golden(
        "aton",
        "total_clock",
        in_order(moves(12), thinks(200), moves(8), clock_runs_out),
        settings={"clock": total_clock(600, 5)},
    ),
    Golden(
        "temple_of_five",
        "total_clock_to_the_end",
        to_the_end(at_random),
        3,
        settings={"clock": total_clock(6000, 15)},
    ),
    Golden(
        "temple_of_five",
        "the_last_person_goes",
        in_order(
            sits(1, "Rosetta", named("Rosetta", bot="greedy", ref="engine-7"), CLUB),
            sits(2, "Thoth", named("Thoth", bot="random"), CLUB),
            moves(12),
            resigns(0),
        ),
        3,
        sitters=(ADA,),
        settings=HOSTED,
    ),
    Golden(
        "sa_re",
        "out_of_time_and_played_on",
        in_order(moves(20), clock_runs_out, to_the_end()),
        3,
        options={"mode": "scribe", "max_rounds": 2},
        settings={"clock": Clock(300)},
    ),
    Golden(
        "sa_re",
        "fork_with_everybody_back",
        in_order(moves(10), resigns(0), to_the_end()),
        3,
        options={"mode": "scribe", "max_rounds": 2},
        origin=forked("sa_re", "played_on_by_a_bot", 40),
    ),
    Golden("babel", "never_filled_in_time", clock_runs_out, sitters=(ADA,)),
    Golden("babel", "seal_not_opened_in_time", clock_runs_out, sitters=(ADA, SEALED_BEN)),
    Golden("babel", "abandoned", in_order(moves(8), clock_runs_out)),
    Golden("babel", "too_long", in_order(moves(27), clock_runs_out)),
    Golden("aton", "everyone_out_of_time", clock_runs_out, settings={"clock": Clock(60)}),
    Golden(
        "babel",
        "called_off_by_its_creator",
        in_order(sits(0, "Ada", ADA, ANYONE), is_called_off_by_its_creator),
        sitters=(),
    ),
    Golden(
        "aton",
        "called_off_by_its_host",
        in_order(moves(5), called_off("by_host", CLUB)),
        sitters=(ADA, BOT),
        settings=HOSTED,
    ),
    Golden("aton", "called_off_by_an_operator", called_off("by_operator", {"operator": True}), sitters=()),
)
