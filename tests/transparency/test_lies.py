"""The table of lies in docs/auditing.md: each cell is a real forgery, put before whoever may catch it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import commands
from events.entries import Clock, SeatWithdrawn
from events.origins import position_of
from replays.audit.verify import LogTrust, check_proof, leaves_of, read_proof
from replays.record import Record
from tests.events.logs import SERVER_SEED, SITTERS, TOYS, Log, created, game_at, named
from tests.replays.forging import chained, entry_of, reread
from tests.transparency.lies import CATCHERS, OTHER_GAMES, SIGNER, Operator, World

PAGE = Path(__file__).parents[2] / "docs/auditing.md"
OTHER_SEED = bytes(reversed(SERVER_SEED))


def public_key(private: Ed25519PrivateKey) -> str:
    return private.public_key().public_bytes_raw().hex()


def playing(**settings: Any) -> Log:
    return Log(created(**settings))


def settled(log: Log) -> Record:
    log.plays_on()
    log.settles()
    return reread(log.record)


@cache
def _honest() -> str:
    return json.dumps(settled(playing()))


def honest() -> Record:
    record: Record = json.loads(_honest())
    return record


def rewritten() -> Record:
    """The same game, played otherwise: another line of play, with every hash made anew."""
    record = honest()
    log = playing(game=record["game"])
    log.resigns(log.game.to_act[0])
    return settled(log)


def downgraded() -> Record:
    """The same game, made anew as one of the first terms, which are asked less."""
    log = playing(game=honest()["game"], first_terms=True)
    return settled(log)


def with_forged_seat() -> Record:
    """The operator plays for a seat that signs, and has to sign with a key of its own."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    log = playing(sitters=(named("Ada", public_key=public_key(private)), *SITTERS[1:]))
    log.keys[0] = Ed25519PrivateKey.from_private_bytes(bytes(32))
    return settled(log)


def with_forged_chance() -> Record:
    """The operator deals with another seed than the one that it had committed to."""
    log = playing(sitters=SITTERS[:2])
    log.server_seed = OTHER_SEED
    log.sits(2, SITTERS[2])
    log.plays_on()
    log.server_seed = SERVER_SEED
    return settled(log)


def with_forged_clock() -> Record:
    """The operator withdraws a seat for time an hour before its time is up."""
    log = playing(clock=Clock(3600))
    seat = log.game.to_act[0]
    ruleset = TOYS.latest("lanterns")
    facts = ruleset.withdraw(log.game.state, seat, "timed_out")
    line = SeatWithdrawn(seat, "timed_out", list(facts), [])
    state = ruleset.fold(log.game.state, facts)
    log.append(lambda batch: batch.write(commands.CLOCK_ACTOR, line, state))
    return settled(log)


def with_false_outcome() -> Record:
    """The settlement names another winner than the game had."""
    record = honest()
    outcome = entry_of(record, "game_settled")["data"]["outcome"]
    outcome["winners"] = [seat for seat in range(3) if seat not in outcome["winners"]][:1]
    return chained(record)


def with_false_audit() -> Record:
    """The settlement says that players brought the chances, which were the server's alone."""
    record = honest()
    entry_of(record, "game_settled")["data"]["audit"]["fairness"] = "sealed"
    return chained(record)


@cache
def parent() -> Log:
    log = playing()
    log.plays_on()
    log.settles()
    return log


def with_forged_parent() -> Record:
    """A fork that says it began at an earlier moment of its parent than it did."""
    entries = parent().entries
    origin = {"kind": "fork", "game": parent().game.id, "version": 6, "redeal": "none"}
    position = position_of(game_at(entries, 8).state)
    return settled(playing(origin=origin | {"position": position}))


# -- the table --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lie:
    """What the operator shows, and what of it the log it publishes is made to hold."""

    forged: Callable[[], Record]
    log: str = "goes on"
    """`goes on`: the log holds the forged game from the first. `stands`: it holds the honest one, and nothing else is
    done. `anew`: it is made anew, to fit."""
    more: int = 0
    """By how many games a log that is made anew has grown meanwhile."""


def world_of(lie: Lie, folder: Path) -> World:
    operator = Operator(folder)
    record = logged = lie.forged()
    if lie.log == "goes on":
        before = operator.publishes()
        now = operator.publishes(record)
    elif lie.log == "stands":
        before = now = operator.publishes(logged := honest())
    else:
        before = operator.publishes(honest())
        now = operator.publishes(record, others=OTHER_GAMES + lie.more)
    return World(before, now, operator.hands_out(record, now, logged), parent=reread(parent().record))


def vanished(folder: Path, *, anew: bool) -> World:
    """A game that started is never settled nor shown again."""
    operator = Operator(folder)
    before = operator.publishes(started=[honest()])
    now = operator.publishes() if anew else before
    return World(before, now, None)


LIES: dict[str, Callable[[Path], World]] = {
    "a settled game is rewritten": lambda folder: world_of(Lie(rewritten, "stands"), folder),
    "… and the log with it": lambda folder: world_of(Lie(rewritten, "anew"), folder),
    "two people are shown two logs": lambda folder: world_of(Lie(rewritten, "anew", more=3), folder),
    "a game vanishes": lambda folder: vanished(folder, anew=False),
    "… and its leaf with it": lambda folder: vanished(folder, anew=True),
    "the server plays for a seat that signs": lambda folder: world_of(Lie(with_forged_seat), folder),
    "the deal is not that of the seed": lambda folder: world_of(Lie(with_forged_chance), folder),
    "a seat loses on time too early": lambda folder: world_of(Lie(with_forged_clock), folder),
    "a fork names a false parent": lambda folder: world_of(Lie(with_forged_parent), folder),
    "a settled game gets older terms": lambda folder: world_of(Lie(downgraded, "stands"), folder),
    "… and the log is made to fit": lambda folder: world_of(Lie(downgraded, "anew"), folder),
    "the settlement names another winner": lambda folder: world_of(Lie(with_false_outcome), folder),
    "the settlement praises the game's fairness": lambda folder: world_of(Lie(with_false_audit), folder),
}


def table() -> dict[str, list[str]]:
    """The table of the page: who catches which lie, and by what."""
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("|")]
    heading = next(number for number, line in enumerate(lines) if line.startswith("| what the operator does"))
    assert cells_of(lines[heading])[1:] == list(CATCHERS)
    rows = [cells_of(line) for line in lines[heading + 2 :]]
    return {row[0]: row[1:] for row in rows if row[0] in LIES}


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_page_tells_of_every_lie() -> None:
    assert list(table()) == list(LIES)


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_caught_by_whom_the_page_names(name: str, tmp_path: Path) -> None:
    world = LIES[name](tmp_path)
    found = [catch(world, tmp_path) for catch in CATCHERS.values()]
    assert found == [cell.replace("–", "no") for cell in table()[name]]


def test_the_truth_is_caught_by_nobody(tmp_path: Path) -> None:
    world = world_of(Lie(honest), tmp_path)
    assert [catch(world, tmp_path) for catch in CATCHERS.values()] == ["no"] * len(CATCHERS)


def test_a_game_that_vanished_is_proved_by_the_leaf_of_its_start(tmp_path: Path) -> None:
    operator, game = Operator(tmp_path), honest()
    kept = operator.publishes(started=[game]).files.proof(leaves_of(game)["created"])
    now = operator.publishes(started=[game], others=OTHER_GAMES)
    trust = LogTrust({SIGNER.name: SIGNER.public})
    check_proof(leaves_of(game)["created"], read_proof(kept), trust)
    assert now.files.proof(leaves_of(game)["created"]), "the log still says that it started"
    assert now.files.proof(leaves_of(game)["settled"]) is None, "and not that it was settled"
