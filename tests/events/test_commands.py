"""What is done to a game before it begins: the entries each act writes, and what it refuses while writing nothing."""

from functools import partial
from typing import Any

import pytest

from events import commands, seeds
from events.batch import EntryBatch
from events.canonical import canonical, digest
from events.commands import Sitter
from events.entries import Clock, RequestReference
from games.kernel import InvalidSetup
from games.toy import BOX
from tests.events.acting import ENTROPY, OPERATOR, SEAL, data_of, ended, refused, sealing, types
from tests.events.logs import (
    SERVER_SEED,
    SITTERS,
    TOYS,
    Log,
    Watch,
    call,
    created,
    named,
    next_action,
    ticking_scribe,
)

# -- creating -------------------------------------------------------------------------------------------------------


def test_a_game_is_created_with_everything_that_its_play_depends_on() -> None:
    batch = created(sitters=(), private=True, clock=Clock(60), host="club")
    [carved] = batch.carve()
    assert carved.entry.actor == {"host": "club"}
    assert (carved.seq, carved.entry.state, carved.entry.req) == (1, None, None)
    assert data_of(carved) == {
        "ruleset": "lanterns",
        "ruleset_version": 1,
        "component_set": {"name": "lanterns", "sha256": BOX.sha256},
        "options": {"component_set": "lanterns"},
        "seats": 3,
        "seed_commitment": seeds.commitment(SERVER_SEED),
        "private": True,
        "clock": {"turn_seconds": 60},
        "host": "club",
        "origin": {"kind": "fresh"},
        "terms": 3,
        "takebacks": True,
        "rematch_of": None,
    }


@pytest.mark.parametrize(
    ("code", "settings"),
    [
        ("invalid_options", {"options": {"colour": "red"}}),
        ("invalid_options", {"options": {"component_set": "candles"}}),
        ("invalid_seats", {"seats": 4}),
        ("invalid_position", {"origin": {"kind": "position", "position": {"round": 2}, "seeded": False}}),
    ],
)
def test_options_seats_and_position_are_tried_at_creation(code: str, settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetup) as refusal:
        created(sitters=(), **settings)
    assert refusal.value.code == code


def test_what_is_tried_at_creation_draws_nothing_from_the_games_seed() -> None:
    [carved] = created(sitters=()).carve()
    assert b"random" not in carved.raw
    assert b"facts" not in carved.raw


# -- sitting down ---------------------------------------------------------------------------------------------------


def test_who_sits_down_is_the_actor_unless_another_names_them() -> None:
    log = Log(created(sitters=()))
    log.sits(1, named("Ben", ref="b-1", entropy="tea leaves"))
    assert log.latest.entry.actor == {"seat": 1}
    assert data_of(log.latest) == {
        "seat": 1,
        "player": {"name_hash": SITTERS[1].name_hash, "ref": "b-1"},
        "bot": None,
        "entropy": "tea leaves",
        "entropy_commitment": None,
        "public_key": None,
        "bot_version": None,
    }
    log.sits(0, Sitter(bot="random"), by={"seat": 1})
    assert log.latest.entry.actor == {"seat": 1}
    assert data_of(log.latest)["player"] == {"name_hash": None, "ref": None}
    assert data_of(log.latest)["bot"] == "random"


def test_without_a_wish_the_first_free_seat_is_taken() -> None:
    log = Log(created(sitters=()))
    for wish, taken in ((1, 1), (None, 0), (None, 2)):
        log.append(partial(commands.sit, seat=wish, sitter=SITTERS[taken]))
        assert log.latest.data.seat == taken


@pytest.mark.parametrize("seat", [-1, 3, 64])
def test_a_seat_that_is_not_there_cannot_be_taken(seat: int) -> None:
    log = Log(created(sitters=()))
    refused(log, "invalid_seats", lambda batch: commands.sit(batch, seat, SITTERS[0]), InvalidSetup)


def test_a_taken_seat_a_full_game_and_a_game_called_off_take_nobody() -> None:
    log = Log(created(sitters=SITTERS[:2]))
    refusal = refused(log, "seat_taken", lambda batch: commands.sit(batch, 1, SITTERS[2]))
    assert refusal.message.endswith("free: 2.")
    refused(Log(created()), "game_full", lambda batch: commands.sit(batch, None, SITTERS[2]))
    refused(Log(created()), "game_full", lambda batch: commands.sit(batch, 0, SITTERS[2]))
    log.is_aborted()
    refused(log, "game_over", lambda batch: commands.sit(batch, 2, SITTERS[2]))


def test_the_last_to_sit_down_starts_the_game_in_the_same_append() -> None:
    log = Log(created(sitters=SITTERS[:2]))

    def write(batch: EntryBatch) -> None:
        commands.sit(batch, 2, SITTERS[2])
        commands.start_if_ready(batch, TOYS, SERVER_SEED)

    log.append(write, call())
    taken, started = log.entries[-2:]
    assert types([taken, started]) == ["seat_taken", "game_started"]
    assert started.entry.actor == taken.entry.actor == {"seat": 2}
    assert started.entry.req == taken.entry.req == RequestReference(*call(), (4, 5))
    assert [draw["label"] for draw in data_of(started)["random"]] == ["deck/0"]
    assert data_of(started)["facts"][0]["type"] == "game_set_up"
    assert started.entry.state == digest(data_of(started)["facts"][0]["state"])


def test_a_start_is_named_after_whoever_did_the_last_thing_before_it() -> None:
    log = Log(created(sitters=SITTERS[:2], host="club"))
    log.sits(2, SITTERS[2], by={"host": "club"})
    assert types(log.entries)[-1] == "game_started"
    assert log.latest.entry.actor == {"host": "club"}


def test_a_game_does_not_start_before_it_is_full_nor_twice_nor_when_called_off() -> None:
    open_game, started, called_off = (
        Log(created(sitters=SITTERS[:2])),
        Log(created()),
        Log(created(sitters=())),
    )
    called_off.is_aborted()
    for log in (open_game, started, called_off):
        batch = EntryBatch(log.entry_factory, log.game, log.game.id)
        commands.start_if_ready(batch, TOYS, SERVER_SEED)
        assert batch.carve() == []


# -- entropy --------------------------------------------------------------------------------------------------------


def test_the_last_seal_to_be_opened_starts_the_game_in_the_same_append() -> None:
    log = sealing()
    log.opens(2, ENTROPY)
    assert types(log.entries)[-1] == "entropy_revealed"
    assert data_of(log.latest) == {"seat": 2, "entropy": ENTROPY.hex()}
    log.opens(0, ENTROPY)
    revealed, started = log.entries[-2:]
    assert types([revealed, started]) == ["entropy_revealed", "game_started"]
    assert started.entry.actor == revealed.entry.actor == {"seat": 0}


def test_a_seal_is_not_opened_before_every_seat_is_taken() -> None:
    log = Log(created(sitters=(named("Ada", entropy_commitment=SEAL), SITTERS[1])))
    refused(log, "not_sealing", lambda batch: commands.open_seal(batch, 0, ENTROPY.hex()))


def test_a_seal_is_opened_once_and_only_if_there_is_one() -> None:
    log = sealing()
    refused(log, "not_sealing", lambda batch: commands.open_seal(batch, 1, ENTROPY.hex()))
    log.opens(0, ENTROPY)
    refused(log, "not_sealing", lambda batch: commands.open_seal(batch, 0, ENTROPY.hex()))
    log.opens(2, ENTROPY)
    refused(log, "not_sealing", lambda batch: commands.open_seal(batch, 2, ENTROPY.hex()))


def test_a_seal_is_not_opened_in_a_game_called_off() -> None:
    log = sealing()
    log.is_aborted()
    refused(log, "not_sealing", lambda batch: commands.open_seal(batch, 0, ENTROPY.hex()))


@pytest.mark.parametrize("entropy", [bytes(32), ENTROPY[::-1], ENTROPY[:-1], b""])
def test_what_the_commitment_was_not_made_of_opens_no_seal(entropy: bytes) -> None:
    refused(sealing(), "seal_mismatch", lambda batch: commands.open_seal(batch, 0, entropy.hex()))


def test_each_seats_entropy_changes_the_deal() -> None:
    def deal(*brought: str | None) -> Any:
        sitters = tuple(
            named(name, entropy=text) for name, text in zip(("Ada", "Ben", "Cleo"), brought, strict=True)
        )
        return data_of(Log(created(game="07-" + "0" * 26, sitters=sitters)).latest)["random"]

    deals = [deal(None, None, None), deal("x", None, None), deal(None, "x", None), deal("x", "x", None)]
    assert len({canonical(one) for one in deals}) == len(deals)
    assert deal("", None, None) == deal(None, None, None)


@pytest.mark.parametrize(
    "origin", [{"kind": "seeded"}, {"kind": "position", "position": {}, "seeded": True}], ids=str
)
def test_a_seeded_game_refuses_entropy(origin: dict[str, Any]) -> None:
    log = Log(created(sitters=(), origin=origin))
    for brought in ({"entropy": "tea leaves"}, {"entropy_commitment": SEAL}):
        refused(log, "invalid_request", partial(commands.sit, seat=0, sitter=named("Ada", **brought)))


def test_the_same_seed_gives_the_same_game_to_whoever_plays_it() -> None:
    first, second = (Log(created(origin={"kind": "seeded"})) for _ in range(2))
    other = Log(created())
    for log in (first, second, other):
        log.plays_on()
    assert first.game.id != second.game.id
    assert [data_of(carved) for carved in first.entries] == [data_of(carved) for carved in second.entries]
    assert first.latest.entry.state == second.latest.entry.state != other.latest.entry.state


# -- tokens ---------------------------------------------------------------------------------------------------------


def test_a_renewed_token_is_the_next_generation() -> None:
    log = Log(created(sitters=(SITTERS[0],)))
    for generation in (1, 2):
        log.append(lambda batch: commands.renew_token(batch, OPERATOR, 0))
        assert data_of(log.latest) == {"seat": 0, "generation": generation}
        assert log.latest.entry.actor == OPERATOR


def test_a_free_seat_and_a_bot_have_no_token() -> None:
    log = Log(created(sitters=(Sitter(bot="greedy"),)))
    refused(log, "seat_is_bot", lambda batch: commands.renew_token(batch, OPERATOR, 0))
    refused(log, "invalid_request", lambda batch: commands.renew_token(batch, OPERATOR, 1))


def test_nothing_follows_a_settlement() -> None:
    log = ended()
    log.append(lambda batch: commands.renew_token(batch, OPERATOR, 0))
    log.settles()
    refused(log, "game_over", lambda batch: commands.renew_token(batch, OPERATOR, 0))
    refused(
        log, "game_over", lambda batch: commands.act(batch, 0, {"type": "lay", "card": 1}, TOYS, log.seed)
    )
    refused(log, "game_over", lambda batch: commands.withdraw(batch, 0, "resigned", {"seat": 0}, TOYS))
    refused(log, "game_over", lambda batch: commands.abort(batch, OPERATOR, "by_operator"))
    refused(log, "game_full", lambda batch: commands.sit(batch, None, SITTERS[0]))
    refused(log, "not_sealing", lambda batch: commands.open_seal(batch, 0, ENTROPY.hex()))
    refused(log, "not_settled", lambda batch: commands.settle(batch, SERVER_SEED, {}))


# -- what is never in the log ---------------------------------------------------------------------------------------


def test_no_name_is_in_the_log() -> None:
    log = Log(created(sitters=tuple(named(f"Ågnes {n} 🏛") for n in range(3))))
    log.plays_on()
    log.settles()
    raw = b"".join(carved.raw for carved in log.entries)
    for trace in ("Ågnes", "gnes", "🏛", "\\ud83c"):
        assert trace.encode() not in raw
    assert b'"name":' not in raw.replace(b'"component_set":{"name":', b"")


def test_the_seed_is_in_the_log_only_once_it_is_settled() -> None:
    log = sealing()
    log.opens(0, ENTROPY)
    log.opens(2, ENTROPY)
    log.plays_on()
    game_seed = log.seed.hex()
    for carved in log.entries:
        assert SERVER_SEED.hex().encode() not in carved.raw
        assert game_seed.encode() not in carved.raw
    log.settles()
    assert SERVER_SEED.hex().encode() in log.latest.raw


def test_every_entry_of_an_append_names_the_request_and_the_span_of_its_entries() -> None:
    log = Log(created(), request=call("creating"))
    assert {carved.entry.req for carved in log.entries} == {RequestReference(*call("creating"), (1, 5))}
    seat, action = next_action(log.game)
    log.append(lambda batch: commands.act(batch, seat, action, TOYS, log.seed), call("acting", action))
    assert log.latest.entry.req == RequestReference(*call("acting", action), (6, 6))
    log.acts(*next_action(log.game))
    assert log.latest.entry.req is None


def test_time_never_goes_back_in_a_log() -> None:
    watch = Watch()
    log = Log(created(entry_factory=ticking_scribe(watch)))
    latest = log.latest.entry.at
    watch.wind(-3600)
    log.acts(*next_action(log.game))
    assert log.latest.entry.at == latest
    watch.wind(7200)
    log.acts(*next_action(log.game))
    assert log.latest.entry.at > latest
