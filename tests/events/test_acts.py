"""What can be done to a game: the entries each act writes, and what it refuses while writing nothing."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from events import acts, seeds
from events.acts import Sitter
from events.canonical import canonical, digest
from events.entries import Clock, GameAborted, Request, Sealed, seal
from events.game import fold
from events.scribe import Page
from games.chance import Chance
from games.kernel import IllegalAction, InvalidSetup, Refusal, Registry, UnknownRuleset
from tests.events.logs import (
    SERVER_SEED,
    SITTERS,
    TOYS,
    Log,
    Watch,
    call,
    created,
    head_of,
    named,
    next_action,
    ticking_scribe,
)
from tests.events.puppet import PUPPETS, pull
from tests.toy import BOX

ENTROPY = bytes(range(100, 132))
SEAL = seeds.seal(ENTROPY)
OPERATOR = {"operator": True}


def types(entries: list[Sealed]) -> list[str]:
    return [sealed.entry.type for sealed in entries]


def data_of(sealed: Sealed) -> Any:
    """What an entry carries, as it stands in the log."""
    return json.loads(sealed.raw)["data"]


def refused(log: Log, code: str, write: Callable[[Page], Any], kind: type[Refusal] = Refusal) -> Refusal:
    """The act is refused with this code, and nothing is written."""
    page = Page(log.scribe, log.game, log.game.id)
    with pytest.raises(kind) as refusal:
        write(page)
    assert refusal.value.code == code, refusal.value.message
    assert refusal.value.message
    assert page.seal() == []
    return refusal.value


def ended() -> Log:
    log = Log(created())
    log.plays_on()
    return log


# -- creating -------------------------------------------------------------------------------------------------------


def test_a_game_is_created_with_everything_that_its_play_depends_on() -> None:
    page = created(sitters=(), private=True, clock=Clock(60), host="club")
    [sealed] = page.seal()
    assert sealed.entry.actor == {"host": "club"}
    assert (sealed.seq, sealed.entry.state, sealed.entry.req) == (1, None, None)
    assert data_of(sealed) == {
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
    [sealed] = created(sitters=()).seal()
    assert b"random" not in sealed.raw
    assert b"facts" not in sealed.raw


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
    }
    log.sits(0, Sitter(bot="random"), by={"seat": 1})
    assert log.latest.entry.actor == {"seat": 1}
    assert data_of(log.latest)["player"] == {"name_hash": None, "ref": None}
    assert data_of(log.latest)["bot"] == "random"


def test_without_a_wish_the_first_free_seat_is_taken() -> None:
    log = Log(created(sitters=()))
    assert log.append(lambda page: acts.sit(page, 1, SITTERS[1])) == 1
    assert log.append(lambda page: acts.sit(page, None, SITTERS[0])) == 0
    assert log.append(lambda page: acts.sit(page, None, SITTERS[2])) == 2


@pytest.mark.parametrize("seat", [-1, 3, 64])
def test_a_seat_that_is_not_there_cannot_be_taken(seat: int) -> None:
    log = Log(created(sitters=()))
    refused(log, "invalid_seats", lambda page: acts.sit(page, seat, SITTERS[0]), InvalidSetup)


def test_a_taken_seat_a_full_game_and_a_game_called_off_take_nobody() -> None:
    log = Log(created(sitters=SITTERS[:2]))
    refusal = refused(log, "seat_taken", lambda page: acts.sit(page, 1, SITTERS[2]))
    assert refusal.message.endswith("free: 2.")
    refused(Log(created()), "game_full", lambda page: acts.sit(page, None, SITTERS[2]))
    refused(Log(created()), "game_full", lambda page: acts.sit(page, 0, SITTERS[2]))
    log.is_aborted()
    refused(log, "game_over", lambda page: acts.sit(page, 2, SITTERS[2]))


def test_the_last_to_sit_down_starts_the_game_in_the_same_append() -> None:
    log = Log(created(sitters=SITTERS[:2]))

    def write(page: Page) -> None:
        acts.sit(page, 2, SITTERS[2])
        acts.start_if_ready(page, TOYS, SERVER_SEED)

    log.append(write, call())
    taken, started = log.entries[-2:]
    assert types([taken, started]) == ["seat_taken", "game_started"]
    assert started.entry.actor == taken.entry.actor == {"seat": 2}
    assert started.entry.req == taken.entry.req == Request(*call(), (4, 5))
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
        page = Page(log.scribe, log.game, log.game.id)
        acts.start_if_ready(page, TOYS, SERVER_SEED)
        assert page.seal() == []


# -- entropy --------------------------------------------------------------------------------------------------------


def sealing() -> Log:
    """A game that waits for two seals."""
    sealed = [named(name, entropy_commitment=SEAL) for name in ("Ada", "Cleo")]
    return Log(created(sitters=(sealed[0], SITTERS[1], sealed[1])))


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
    refused(log, "not_sealing", lambda page: acts.open_seal(page, 0, ENTROPY.hex()))


def test_a_seal_is_opened_once_and_only_if_there_is_one() -> None:
    log = sealing()
    refused(log, "not_sealing", lambda page: acts.open_seal(page, 1, ENTROPY.hex()))
    log.opens(0, ENTROPY)
    refused(log, "not_sealing", lambda page: acts.open_seal(page, 0, ENTROPY.hex()))
    log.opens(2, ENTROPY)
    refused(log, "not_sealing", lambda page: acts.open_seal(page, 2, ENTROPY.hex()))


def test_a_seal_is_not_opened_in_a_game_called_off() -> None:
    log = sealing()
    log.is_aborted()
    refused(log, "not_sealing", lambda page: acts.open_seal(page, 0, ENTROPY.hex()))


@pytest.mark.parametrize("entropy", [bytes(32), ENTROPY[::-1], ENTROPY[:-1], b""])
def test_what_the_commitment_was_not_made_of_opens_no_seal(entropy: bytes) -> None:
    refused(sealing(), "seal_mismatch", lambda page: acts.open_seal(page, 0, entropy.hex()))


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
        refused(log, "invalid_request", partial(acts.sit, seat=0, sitter=named("Ada", **brought)))


def test_the_same_seed_gives_the_same_game_to_whoever_plays_it() -> None:
    first, second = (Log(created(origin={"kind": "seeded"})) for _ in range(2))
    other = Log(created())
    for log in (first, second, other):
        log.plays_on()
    assert first.game.id != second.game.id
    assert [data_of(sealed) for sealed in first.entries] == [data_of(sealed) for sealed in second.entries]
    assert first.latest.entry.state == second.latest.entry.state != other.latest.entry.state


# -- tokens ---------------------------------------------------------------------------------------------------------


def test_a_renewed_token_is_the_next_generation() -> None:
    log = Log(created(sitters=(SITTERS[0],)))
    for generation in (1, 2):
        assert log.append(lambda page: acts.renew_token(page, OPERATOR, 0)) == generation
        assert data_of(log.latest) == {"seat": 0, "generation": generation}
        assert log.latest.entry.actor == OPERATOR


def test_a_free_seat_and_a_bot_have_no_token() -> None:
    log = Log(created(sitters=(Sitter(bot="greedy"),)))
    refused(log, "seat_is_bot", lambda page: acts.renew_token(page, OPERATOR, 0))
    refused(log, "invalid_request", lambda page: acts.renew_token(page, OPERATOR, 1))


def test_nothing_follows_a_settlement() -> None:
    log = ended()
    log.append(lambda page: acts.renew_token(page, OPERATOR, 0))
    log.settles()
    refused(log, "game_over", lambda page: acts.renew_token(page, OPERATOR, 0))
    refused(log, "game_over", lambda page: acts.act(page, 0, {"type": "lay", "card": 1}, TOYS, log.seed))
    refused(log, "game_over", lambda page: acts.withdraw(page, 0, "resigned", {"seat": 0}, TOYS))
    refused(log, "game_over", lambda page: acts.abort(page, OPERATOR, "by_operator"))
    refused(log, "game_full", lambda page: acts.sit(page, None, SITTERS[0]))
    refused(log, "not_sealing", lambda page: acts.open_seal(page, 0, ENTROPY.hex()))
    refused(log, "not_settled", lambda page: acts.settle(page, SERVER_SEED, {}))


# -- acting ---------------------------------------------------------------------------------------------------------


def test_an_action_is_kept_as_it_was_sent_with_its_facts_and_chances() -> None:
    log = Log(created(sitters=SITTERS, rulesets=PUPPETS), PUPPETS)
    sent = {"to_act": [2, 1], "type": "pull"}
    log.acts(0, sent)
    assert log.latest.entry.actor == {"seat": 0}
    assert data_of(log.latest) == {
        "action": sent,
        "facts": [{"type": "pulled", "to_act": [2, 1], "phase": "dance", "turn": 1, "round": 1}],
        "random": [],
    }


def test_the_chances_of_an_action_are_recorded_by_label() -> None:
    log = ended()
    drawn = [draw for sealed in log.entries for draw in data_of(sealed).get("random", [])]
    assert [draw["label"] for draw in drawn] == ["deck/0", "deck/1"]
    for draw in drawn:
        assert Chance(log.seed).shuffle(draw["label"], draw["result"]) == tuple(draw["result"])


@pytest.mark.parametrize(
    ("code", "seat", "action"),
    [
        ("malformed_action", 0, [1]),
        ("malformed_action", 0, {"type": "lay"}),
        ("malformed_action", 0, {"type": "lay", "card": True}),
        ("unknown_action", 0, {"type": "sing"}),
        ("unknown_action", 0, {}),
        ("card_not_in_hand", 0, {"type": "lay", "card": 99}),
    ],
)
def test_what_the_rules_refuse_is_not_written(code: str, seat: int, action: Any) -> None:
    log = Log(created())
    refused(log, code, lambda page: acts.act(page, seat, action, TOYS, log.seed), IllegalAction)
    refused(log, code, lambda page: acts.check_action(log.game, seat, action, TOYS), IllegalAction)


def test_a_seat_that_is_not_to_act_is_refused() -> None:
    log = Log(created())
    seat, action = next_action(log.game)
    log.acts(seat, action)
    refused(log, "not_your_turn", lambda page: acts.act(page, seat, action, TOYS, log.seed), IllegalAction)


def test_nobody_acts_or_withdraws_before_the_start_or_after_the_end() -> None:
    aborted = Log(created())
    aborted.is_aborted()
    lay = {"type": "lay", "card": 1}
    for log, code in (
        (Log(created(sitters=SITTERS[:2])), "game_not_started"),
        (sealing(), "game_not_started"),
        (ended(), "game_over"),
        (aborted, "game_over"),
    ):
        refused(log, code, lambda page: acts.act(page, 0, lay, TOYS, SERVER_SEED))
        refused(log, code, lambda page: acts.check_action(page.game, 0, lay, TOYS))
        refused(log, code, lambda page: acts.withdraw(page, 0, "resigned", {"seat": 0}, TOYS))
        refused(log, "unknown_action", lambda page: acts.act(page, 0, {}, TOYS, SERVER_SEED))


def test_trying_an_action_writes_nothing_and_knows_nothing_of_the_games_seed() -> None:
    log = Log(created())
    _, action = next_action(log.game)
    acts.check_action(log.game, 0, action, TOYS)
    assert log.game.version == len(log.entries)


def test_without_the_rules_of_its_version_nobody_acts() -> None:
    log = Log(created())
    refused(
        log,
        "ruleset_version_missing",
        lambda page: acts.act(page, 0, {}, Registry([]), log.seed),
        UnknownRuleset,
    )


# -- several actions ------------------------------------------------------------------------------------------------


def test_several_actions_are_several_entries_of_one_append() -> None:
    log = Log(created(rulesets=PUPPETS), PUPPETS)
    actions = [pull(0, turn=turn) for turn in (2, 3, 4)]
    stopped = log.append(
        lambda page: acts.act_in_order(page, 0, actions, PUPPETS, log.seed), call(body=actions)
    )
    assert stopped is None
    written = log.entries[-3:]
    assert [data_of(sealed)["action"] for sealed in written] == actions
    first = written[0].seq
    assert {sealed.entry.req for sealed in written} == {Request(*call(body=actions), (first, first + 2))}


def test_actions_stop_at_the_first_refusal_and_what_was_accepted_stands() -> None:
    log = Log(created(rulesets=PUPPETS), PUPPETS)
    before = log.game.version
    actions = [pull(0, turn=2), pull(1, turn=3), pull(0, turn=4), pull(0, turn=5)]
    stopped = log.append(lambda page: acts.act_in_order(page, 0, actions, PUPPETS, log.seed))
    assert stopped is not None
    assert (stopped.number, stopped.refusal.code) == (2, "not_your_turn")
    assert (log.game.version, log.game.state.turn) == (before + 2, 3)


def test_a_refusal_of_the_first_action_is_that_refusal() -> None:
    log = Log(created(rulesets=PUPPETS), PUPPETS)
    for actions, code in (
        ([{}, pull(0)], "unknown_action"),
        ([pull(0, phase=1), pull(0)], "malformed_action"),
    ):
        refused(
            log, code, partial(acts.act_in_order, seat=0, actions=actions, rulesets=PUPPETS, seed=log.seed)
        )


def test_actions_stop_where_the_game_ends() -> None:
    log = Log(created())
    log.plays_on(until=lambda game: game.state.round == 4 and len(game.to_act) == 1)
    seat, last = next_action(log.game)
    stopped = log.append(lambda page: acts.act_in_order(page, seat, [last, last], TOYS, log.seed))
    assert stopped is not None
    assert (stopped.number, stopped.refusal.code) == (1, "game_over")
    assert log.game.status == "ended"


# -- withdrawing ----------------------------------------------------------------------------------------------------


def test_a_seat_gives_up_by_itself_and_runs_out_of_time_by_the_clock() -> None:
    log = Log(created(rulesets=PUPPETS, sitters=(*SITTERS, named("Dora")), seats=4), PUPPETS)
    log.resigns(1)
    assert log.latest.entry.actor == {"seat": 1}
    assert data_of(log.latest) == {
        "seat": 1,
        "cause": "resigned",
        "facts": [{"type": "seat_vacated", "seat": 1, "cause": "resigned"}],
        "random": [],
    }
    log.times_out(3)
    assert log.latest.entry.actor == {"system": "clock"}
    assert data_of(log.latest)["cause"] == "timed_out"
    assert log.game.status == "playing"
    log.resigns(0)
    assert [fact["type"] for fact in data_of(log.latest)["facts"]] == ["seat_vacated", "game_ended"]
    assert (log.game.outcome.winners, log.game.outcome.reason) == ((2,), "last_player")


def test_a_seat_withdraws_once() -> None:
    log = Log(created())
    log.resigns(1)
    refused(log, "seat_withdrawn", lambda page: acts.withdraw(page, 1, "timed_out", acts.CLOCK, TOYS))


# -- aborting and settling ------------------------------------------------------------------------------------------


def test_a_game_is_called_off_once_and_not_after_its_end() -> None:
    log = Log(created())
    log.is_aborted("all_timed_out", acts.CLOCK)
    assert log.latest.entry.actor == {"system": "clock"}
    assert data_of(log.latest) == {"reason": "all_timed_out"}
    for over in (log, ended()):
        refused(over, "game_over", lambda page: acts.abort(page, OPERATOR, "by_operator"))


def test_a_settlement_tells_the_outcome_the_seed_and_the_audit_of_the_log_before_it() -> None:
    log = ended()
    outcome, head = log.game.outcome, head_of(log.entries)
    log.settles()
    data = data_of(log.latest)
    assert log.latest.entry.actor == {"system": "worker"}
    assert canonical(data["outcome"]) == canonical(outcome)
    assert data["seed"] == SERVER_SEED.hex()
    assert data["audit"]["head"] == {"seq": head.seq, "hash": head.hash}
    assert (data["audit"]["verdict"], data["audit"]["fairness"]) == ("pass", "server_only")


def test_a_game_called_off_after_its_start_is_settled_without_an_outcome() -> None:
    log = Log(created())
    log.plays_on(until=lambda game: game.state.round == 2)
    log.is_aborted()
    log.settles()
    assert data_of(log.latest)["outcome"] is None


def test_a_game_called_off_has_no_outcome_even_if_its_log_says_that_it_had_ended() -> None:
    log = ended()
    entry = log.latest.entry
    forged = {"data": GameAborted("by_operator"), "type": "game_aborted", "seq": entry.seq + 1}
    abort = seal(msgspec.structs.replace(entry, prev=log.latest.hash, **forged))
    log.game = fold(log.game, abort, TOYS)
    assert log.game.outcome is not None
    log.append(lambda page: acts.settle(page, SERVER_SEED, {}))
    assert data_of(log.latest)["outcome"] is None


def test_a_game_is_settled_once_and_not_before_its_end() -> None:
    settled = ended()
    settled.settles()
    for log in (Log(created(sitters=())), Log(created()), sealing(), settled):
        refused(log, "not_settled", lambda page: acts.settle(page, SERVER_SEED, {}))


# -- what is never in the log ---------------------------------------------------------------------------------------


def test_no_name_is_in_the_log() -> None:
    log = Log(created(sitters=tuple(named(f"Ågnes {n} 🏛") for n in range(3))))
    log.plays_on()
    log.settles()
    raw = b"".join(sealed.raw for sealed in log.entries)
    for trace in ("Ågnes", "gnes", "🏛", "\\ud83c"):
        assert trace.encode() not in raw
    assert b'"name":' not in raw.replace(b'"component_set":{"name":', b"")


def test_the_seed_is_in_the_log_only_once_it_is_settled() -> None:
    log = sealing()
    log.opens(0, ENTROPY)
    log.opens(2, ENTROPY)
    log.plays_on()
    game_seed = log.seed.hex()
    for sealed in log.entries:
        assert SERVER_SEED.hex().encode() not in sealed.raw
        assert game_seed.encode() not in sealed.raw
    log.settles()
    assert SERVER_SEED.hex().encode() in log.latest.raw


def test_every_entry_of_an_append_names_the_request_and_the_span_of_its_entries() -> None:
    log = Log(created(), request=call("creating"))
    assert {sealed.entry.req for sealed in log.entries} == {Request(*call("creating"), (1, 5))}
    seat, action = next_action(log.game)
    log.append(lambda page: acts.act(page, seat, action, TOYS, log.seed), call("acting", action))
    assert log.latest.entry.req == Request(*call("acting", action), (6, 6))
    log.acts(*next_action(log.game))
    assert log.latest.entry.req is None


def test_time_never_goes_back_in_a_log() -> None:
    watch = Watch()
    log = Log(created(scribe=ticking_scribe(watch)))
    latest = log.latest.entry.at
    watch.wind(-3600)
    log.acts(*next_action(log.game))
    assert log.latest.entry.at == latest
    watch.wind(7200)
    log.acts(*next_action(log.game))
    assert log.latest.entry.at > latest
