"""What is done to a game that has begun, up to its settlement: the entries each act writes, and what it refuses."""

from functools import partial
from typing import Any

import msgspec
import pytest

from events import commands
from events.canonical import canonical
from events.entries import Clock, GameAborted, RequestReference, carve
from events.game import fold
from games.chance import Chance
from games.kernel import IllegalAction, Registry, UnknownRuleset
from tests.events.acting import OPERATOR, data_of, ended, refused, sealing
from tests.events.logs import (
    SERVER_SEED,
    SITTERS,
    TOYS,
    Log,
    call,
    created,
    head_of,
    named,
    next_action,
)
from tests.events.puppet import PUPPETS, pull

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
        "signed": None,
    }


def test_the_chances_of_an_action_are_recorded_by_label() -> None:
    log = ended()
    drawn = [draw for carved in log.entries for draw in data_of(carved).get("random", [])]
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
    refused(log, code, lambda batch: commands.act(batch, seat, action, TOYS, log.seed), IllegalAction)
    refused(log, code, lambda batch: commands.check_action(log.game, seat, action, TOYS), IllegalAction)


def test_a_seat_that_is_not_to_act_is_refused() -> None:
    log = Log(created())
    seat, action = next_action(log.game)
    log.acts(seat, action)
    refused(
        log, "not_your_turn", lambda batch: commands.act(batch, seat, action, TOYS, log.seed), IllegalAction
    )


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
        refused(log, code, lambda batch: commands.act(batch, 0, lay, TOYS, SERVER_SEED))
        refused(log, code, lambda batch: commands.check_action(batch.game, 0, lay, TOYS))
        refused(log, code, lambda batch: commands.withdraw(batch, 0, "resigned", {"seat": 0}, TOYS))
        refused(log, "unknown_action", lambda batch: commands.act(batch, 0, {}, TOYS, SERVER_SEED))


def test_trying_an_action_writes_nothing_and_knows_nothing_of_the_games_seed() -> None:
    log = Log(created())
    _, action = next_action(log.game)
    commands.check_action(log.game, 0, action, TOYS)
    assert log.game.version == len(log.entries)


def test_without_the_rules_of_its_version_nobody_acts() -> None:
    log = Log(created())
    refused(
        log,
        "ruleset_version_missing",
        lambda batch: commands.act(batch, 0, {}, Registry([]), log.seed),
        UnknownRuleset,
    )


# -- several actions ------------------------------------------------------------------------------------------------


def test_several_actions_are_several_entries_of_one_append() -> None:
    log = Log(created(rulesets=PUPPETS), PUPPETS)
    actions = [pull(0, turn=turn) for turn in (2, 3, 4)]
    log.append(lambda batch: commands.act_in_order(batch, 0, actions, PUPPETS, log.seed), call(body=actions))
    written = log.entries[-3:]
    assert [data_of(carved)["action"] for carved in written] == actions
    first = written[0].seq
    assert {carved.entry.req for carved in written} == {
        RequestReference(*call(body=actions), (first, first + 2))
    }


def test_actions_stop_at_the_first_refusal_and_what_was_accepted_stands() -> None:
    log = Log(created(rulesets=PUPPETS), PUPPETS)
    before = log.game.version
    actions = [pull(0, turn=2), pull(1, turn=3), pull(0, turn=4), pull(0, turn=5)]
    log.append(lambda batch: commands.act_in_order(batch, 0, actions, PUPPETS, log.seed))
    assert (log.game.version, log.game.state.turn) == (before + 2, 3)


def test_a_refusal_of_the_first_action_is_that_refusal() -> None:
    log = Log(created(rulesets=PUPPETS), PUPPETS)
    for actions, code in (
        ([{}, pull(0)], "unknown_action"),
        ([pull(0, phase=1), pull(0)], "malformed_action"),
    ):
        refused(
            log,
            code,
            partial(commands.act_in_order, seat=0, actions=actions, rulesets=PUPPETS, seed=log.seed),
        )


def test_actions_stop_where_the_game_ends() -> None:
    log = Log(created())
    log.plays_on(until=lambda game: game.state.round == 4 and len(game.to_act) == 1)
    seat, last = next_action(log.game)
    before = log.game.version
    log.append(lambda batch: commands.act_in_order(batch, seat, [last, last], TOYS, log.seed))
    assert (log.game.version, log.game.status) == (before + 1, "ended")


# -- withdrawing ----------------------------------------------------------------------------------------------------


def test_a_seat_gives_up_by_itself_and_runs_out_of_time_by_the_clock() -> None:
    batch = created(rulesets=PUPPETS, sitters=(*SITTERS, named("Dora")), seats=4, clock=Clock(60))
    log = Log(batch, PUPPETS)
    log.acts(0, pull(0, 3))
    log.resigns(1)
    assert log.latest.entry.actor == {"seat": 1}
    assert data_of(log.latest) == {
        "seat": 1,
        "cause": "resigned",
        "facts": [{"type": "seat_vacated", "seat": 1, "cause": "resigned"}],
        "random": [],
        "signed": None,
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
    refused(
        log,
        "seat_withdrawn",
        lambda batch: commands.withdraw(batch, 1, "timed_out", commands.CLOCK_ACTOR, TOYS),
    )


# -- aborting and settling ------------------------------------------------------------------------------------------


def test_a_game_is_called_off_once_and_not_after_its_end() -> None:
    log = Log(created())
    log.is_aborted("all_timed_out", commands.CLOCK_ACTOR)
    assert log.latest.entry.actor == {"system": "clock"}
    assert data_of(log.latest) == {"reason": "all_timed_out"}
    for over in (log, ended()):
        refused(over, "game_over", lambda batch: commands.abort(batch, OPERATOR, "by_operator"))


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
    abort = carve(msgspec.structs.replace(entry, prev=log.latest.hash, **forged))
    log.game = fold(log.game, abort, TOYS)
    assert log.game.outcome is not None
    log.append(lambda batch: commands.settle(batch, SERVER_SEED, {}))
    assert data_of(log.latest)["outcome"] is None


def test_a_game_is_settled_once_and_not_before_its_end() -> None:
    settled = ended()
    settled.settles()
    for log in (Log(created(sitters=())), Log(created()), sealing(), settled):
        refused(log, "not_settled", lambda batch: commands.settle(batch, SERVER_SEED, {}))
