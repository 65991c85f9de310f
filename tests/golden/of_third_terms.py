"""Games of the third terms: take-backs, hand-overs, pauses, added time, reserves, and seats that sign."""

from collections.abc import Mapping
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.entries import Clock, total_clock
from events.takebacks import lowest_takeback
from tests.events.logs import Log, named, person
from tests.golden.of_second_terms import CLUB, HOSTED, clock_runs_out, thinks
from tests.golden.stories import Golden, Tell, at_random, in_order, moves, play, resigns, to_the_end

KEYS = {
    name: Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest()) for name in ("Ada", "Dora")
}
ADA = named("Ada", public_key=KEYS["Ada"].public_key().public_bytes_raw().hex())


def takes_back_when_it_can(log: Log, seats: tuple[int, ...] = (0, 1)) -> None:
    """The game goes on until one of them may take something back, who then goes back as far as possible."""
    while True:
        play(log, 1, at_random)
        for seat in seats:
            lowest = lowest_takeback(log.game, seat, log.rulesets)
            if lowest is not None:
                log.takes_back(seat, lowest)
                return


def ada_takes_back(log: Log) -> None:
    takes_back_when_it_can(log, (0,))


def signs(seat: int, name: str) -> Tell:
    """From now on a seat signs with this key."""
    return lambda log: log.keys.update({seat: KEYS[name]})


def is_handed_over(seat: int, name: str, **brought: str) -> Tell:
    def tell(log: Log) -> None:
        log.is_handed_over(seat, named(name, **brought), CLUB)
        log.people[seat] = person(name)
        log.keys.pop(seat, None)

    return tell


def gets_time(seat: int, seconds: int) -> Tell:
    return lambda log: log.gets_time(seat, seconds, CLUB)


def agree_to_pause(*seats: int) -> Tell:
    return lambda log: log.agrees_to_pause(*seats)


def is_paused(log: Log) -> None:
    log.is_paused(CLUB)


def is_resumed(by: Mapping[str, object]) -> Tell:
    return lambda log: log.is_resumed(by)


GOLDEN = (
    Golden(
        "babel",
        "taken_back",
        in_order(moves(4), *([takes_back_when_it_can] * 3), to_the_end()),
    ),
    Golden(
        "sa_re",
        "taken_back_on_the_clock",
        in_order(*([takes_back_when_it_can] * 4), moves(6), clock_runs_out),
        settings={"clock": total_clock(900, 10)},
    ),
    Golden(
        "temple_of_five",
        "a_substitute_and_pauses",
        in_order(
            moves(6),
            is_handed_over(1, "Dora", public_key=KEYS["Dora"].public_key().public_bytes_raw().hex()),
            signs(1, "Dora"),
            moves(6),
            agree_to_pause(0, 2),
            moves(1),
            agree_to_pause(2, 0, 1),
            thinks(5000),
            is_resumed({"seat": 2}),
            moves(4),
            is_paused,
            thinks(5000),
            resigns(0),
            is_resumed(CLUB),
            to_the_end(at_random),
        ),
        3,
        settings=HOSTED | {"takebacks": True, "clock": Clock(turn_seconds=60, reserve_seconds=3000)},
    ),
    Golden(
        "aton",
        "added_time_runs_out",
        in_order(
            moves(10),
            gets_time(0, 90),
            gets_time(1, 30),
            is_paused,
            thinks(300),
            is_resumed(CLUB),
            clock_runs_out,
        ),
        settings=HOSTED | {"takebacks": False, "clock": Clock(turn_seconds=60, reserve_seconds=120)},
    ),
    Golden(
        "babel",
        "signed_seat",
        in_order(signs(0, "Ada"), moves(4), *([ada_takes_back] * 2), moves(3), resigns(0)),
        sitters=(ADA, named("Ben")),
    ),
)
