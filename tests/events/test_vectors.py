"""The log of the second terms, held against vectors that were made apart from it."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from events import commands, seeds
from events.batch import EntryBatch, EntryFactory
from events.clocks import deadlines, time_left
from events.entries import Clock, MalformedEntry, read_carved, request_key
from events.game import Game
from tests.events.logs import ANYONE, NAMES, TOYS, Log, created, named
from tests.events.puppet import PUPPETS, pull

HERE = Path(__file__).parents[2] / "docs/test-vectors"
VECTORS = json.loads((HERE / "terms.json").read_text(encoding="utf-8"))


def test_the_vectors_are_what_their_own_program_makes() -> None:
    made = runpy.run_path(str(HERE / "make.py"))
    assert made["document"](made["terms"]()) == (HERE / "terms.json").read_text(encoding="utf-8")


def test_the_first_entry_of_a_game_is_written_to_the_byte() -> None:
    (vector,) = VECTORS["created"]
    carved = read_carved(vector["canonical"].encode(), vector["hash"])
    assert carved.laid_open() == vector["entry"] | {"hash": vector["hash"]}
    assert carved.data.tags == ("spring-2026", "final")
    with pytest.raises(MalformedEntry):
        read_carved(vector["canonical"].replace('"terms":2', '"terms":"2"').encode(), vector["hash"])


@pytest.mark.parametrize("vector", VECTORS["callers"], ids=lambda each: each["caller"])
def test_a_caller_is_named_by_its_seat_and_how_often_it_was_left(vector: dict[str, Any]) -> None:
    log = Log(created(sitters=(), seats=4, rulesets=PUPPETS), PUPPETS)
    for _ in range(vector["left"]):
        log.sits(vector["seat"], named("Ada"))
        log.leaves(vector["seat"])
    assert log.game.caller_at(vector["seat"]) == vector["caller"]
    assert request_key(vector["caller"], vector["key"]) == vector["key_hash"]


@pytest.mark.parametrize("vector", VECTORS["seatings"], ids=lambda each: each["name"])
def test_what_seats_bring_and_take_along(vector: dict[str, Any]) -> None:
    log = Log(created(vector["game"], sitters=()), TOYS, server_seed=bytes.fromhex(vector["server_seed"]))
    opened: dict[int, bytes] = {}
    for step in vector["steps"]:
        if step["type"] == "seat_left":
            log.leaves(step["seat"])
            opened.pop(step["seat"], None)
            continue
        brought = {"entropy": step.get("entropy"), "bot": "greedy" if step["bot"] else None}
        if "sealed_hex" in step:
            opened[step["seat"]] = bytes.fromhex(step["sealed_hex"])
            brought["entropy_commitment"] = seeds.seal(opened[step["seat"]])
        log.sits(step["seat"], named("Ada", **brought), None if step["by"] == "itself" else ANYONE)
    for seat, entropy in opened.items():
        log.opens(seat, entropy)
    assert log.game.status == "playing"
    assert log.seed.hex() == vector["game_seed"]
    assert log.game.fairness == vector["fairness"]
    assert [chair.generation for chair in log.game.chairs] == vector["generations"]


@pytest.mark.parametrize("vector", VECTORS["clocks"], ids=lambda each: str(each["clock"]))
def test_clocks_run_as_they_should(vector: dict[str, Any]) -> None:
    begin, *entries = vector["entries"]
    batch = created(
        entry_factory=scribe_at(begin["at"]),
        sitters=tuple(map(named, NAMES[:3])),
        rulesets=PUPPETS,
        clock=Clock(**vector["clock"]),
    )
    game = batch.game
    assert told(game) == (begin["left"], begin["deadlines"])
    for entry in entries:
        batch = EntryBatch(scribe_at(entry["at"]), game, game.id)
        write(batch, entry)
        game = batch.game
        assert told(game) == (entry["left"], entry["deadlines"]), entry


def scribe_at(time: str) -> EntryFactory:
    return EntryFactory(now=lambda: time)


def write(batch: EntryBatch, entry: dict[str, Any]) -> None:
    match entry["type"]:
        case "action_taken":
            commands.act(
                batch, entry["actor"], pull(*entry["to_act"], turn=entry["turn"]), PUPPETS, bytes(32)
            )
        case "seat_withdrawn":
            commands.withdraw(batch, entry["actor"], "resigned", {"seat": entry["actor"]}, PUPPETS)
        case _:
            commands.renew_token(batch, {"operator": True}, 0)


def told(game: Game) -> tuple[dict[str, int], dict[str, str]]:
    return (
        {str(seat): left for seat, left in time_left(game).items()},
        {str(seat): due for seat, due in deadlines(game).items()},
    )
