"""A game is what its log tells: status, chairs, who is asked by which entry, what its chances are worth."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events import commands, seeds
from events.canonical import digest
from events.entries import (
    ActionTaken,
    Carved,
    Clock,
    GameAborted,
    GameStarted,
    SeatTaken,
    SeatWithdrawn,
    carve,
)
from events.game import BrokenLog, Game, fold, unfold
from games.kernel import Registry, UnknownRuleset
from tests.events.logs import ANYONE, SERVER_SEED, SITTERS, TOYS, Log, created, named
from tests.events.puppet import PUPPETS, pull

replace = msgspec.structs.replace
ENTROPY = bytes(range(32))
SEAL = seeds.seal(ENTROPY)


def games(log: Log) -> list[Game]:
    """The game after each entry, as a reader folds it from the bytes."""
    return [game for _, game in unfold(log.entries, log.rulesets)]


def builtins(game: Game) -> Any:
    return msgspec.json.decode(msgspec.json.encode(game))


def puppets(seats: int = 3, **settings: Any) -> Log:
    sitters = tuple(named(name) for name in ("Ada", "Ben", "Cleo", "Dora")[:seats])
    return Log(created(sitters=sitters, seats=seats, rulesets=PUPPETS, **settings), PUPPETS)


# -- status ---------------------------------------------------------------------------------------------------------


def test_a_game_is_open_until_every_seat_is_taken_and_then_played_until_its_end() -> None:
    log = Log(created(sitters=()))
    for seat, sitter in enumerate(SITTERS):
        assert (log.game.status, log.game.started, log.game.to_act) == ("open", False, ())
        log.sits(seat, sitter)
    assert (log.game.status, log.game.started) == ("playing", True)
    log.plays_on()
    assert (log.game.status, log.game.to_act, log.game.settled) == ("ended", (), None)
    log.settles()
    assert log.game.status == "ended"
    assert log.game.settled is not None
    assert log.game.settled.seed == SERVER_SEED.hex()


def test_a_game_waits_in_sealing_while_a_seal_is_closed() -> None:
    log = Log(created(sitters=(named("Ada", entropy_commitment=SEAL), SITTERS[1])))
    assert log.game.status == "open"
    log.sits(2, named("Cleo", entropy_commitment=SEAL))
    assert (log.game.status, log.game.state) == ("sealing", None)
    log.opens(2, ENTROPY)
    assert (log.game.status, log.game.state) == ("sealing", None)
    log.opens(0, ENTROPY)
    assert log.game.status == "playing"


def test_a_game_can_be_called_off_at_any_time_and_nobody_is_to_act_then() -> None:
    unfilled = Log(created(sitters=()))
    sealing = Log(created(sitters=(*SITTERS[:2], named("Cleo", entropy_commitment=SEAL))))
    playing = Log(created())
    for log in (unfilled, sealing, playing):
        log.is_aborted()
        assert (log.game.status, log.game.aborted) == ("aborted", "by_operator")
        assert (log.game.to_act, log.game.decisions, log.game.asked_at) == ((), {}, {})
        log.settles()
        assert log.game.status == "aborted"
        assert log.game.settled is not None
        assert log.game.settled.outcome is None


def test_the_outcome_is_that_of_the_state() -> None:
    log = puppets(seats=2)
    log.acts(0, pull(1))
    assert msgspec.to_builtins(log.game.outcome) is None
    log.resigns(0)
    assert log.game.status == "ended"
    assert (log.game.outcome.winners, log.game.outcome.reason) == ((1,), "resigned")


# -- chairs ---------------------------------------------------------------------------------------------------------


def test_a_chair_tells_who_sits_there_and_what_they_brought() -> None:
    log = Log(created(sitters=(), host="club"))
    log.sits(1, named("Ben", ref="b-1", entropy="tea leaves"))
    log.sits(0, commands.Sitter(bot="greedy"), by={"seat": 1})
    log.sits(2, named("Cleo", entropy_commitment=SEAL), by={"host": "club"})
    bot, ben, cleo = log.game.chairs
    assert (bot.bot, bot.named, bot.ref, bot.seated_by) == ("greedy", False, None, {"seat": 1})
    assert (ben.bot, ben.named, ben.ref, ben.seated_by) == (None, True, "b-1", {"seat": 1})
    assert (ben.entropy_bytes, ben.sealed) == (b"tea leaves", False)
    assert (cleo.sealed, cleo.seated_by, cleo.revealed) == (True, {"host": "club"}, None)
    log.opens(2, ENTROPY)
    assert log.game.chairs[2].entropy_bytes == ENTROPY
    assert not log.game.chairs[2].sealed


def test_a_renewed_token_raises_the_generation_of_its_seat_alone() -> None:
    log = Log(created())
    for _ in range(2):
        log.append(lambda batch: commands.renew_token(batch, {"operator": True}, 1))
    assert [chair.generation for chair in log.game.chairs] == [0, 2, 0]


def test_a_withdrawn_chair_tells_the_cause() -> None:
    log = puppets(seats=4, clock=Clock(60))
    log.resigns(2)
    log.times_out(0)
    assert [chair.withdrawn for chair in log.game.chairs] == ["timed_out", None, "resigned", None]


# -- decisions ------------------------------------------------------------------------------------------------------


def test_the_start_asks_whoever_begins() -> None:
    log = Log(created())
    assert log.game.decisions == dict.fromkeys(range(3), log.game.version)


def test_an_action_of_another_seat_leaves_a_decision_as_it_is() -> None:
    log = Log(created())
    start = log.game.version
    log.acts(1, {"type": "lay", "card": log.game.state.players[1].hand[0]})
    assert log.game.decisions == {0: start, 2: start}


def test_a_seat_that_acts_and_is_to_act_again_has_a_new_decision() -> None:
    log = puppets()
    log.acts(0, pull(0, 1))
    first = log.game.version
    log.acts(0, pull(0, 1))
    assert log.game.decisions == {0: first + 1, 1: first}


def test_a_seat_that_left_and_came_back_has_a_new_decision() -> None:
    log = puppets()
    log.acts(0, pull(1, 2))
    log.acts(1, pull(2))
    log.acts(2, pull(1, 2))
    assert log.game.decisions == {1: log.game.version, 2: log.game.version}


def test_a_new_turn_is_no_new_decision_for_a_seat_that_stays_asked() -> None:
    log = puppets()
    log.acts(0, pull(1, 2))
    asked = log.game.version
    log.acts(1, pull(2, turn=2, phase="rest", round=2))
    assert log.game.decisions == {2: asked}


def test_entries_that_are_no_actions_ask_nobody_anew() -> None:
    log = puppets(seats=4, host="club")
    log.acts(0, pull(1, 2))
    asked = log.game.decisions
    log.append(lambda batch: commands.renew_token(batch, {"host": "club"}, 1))
    log.resigns(1)
    log.resigns(3)
    assert log.game.decisions == asked


strings = st.tuples(
    st.sets(st.integers(0, 2), min_size=1),
    st.integers(0, 2),
    st.sampled_from(["dance", "rest"]),
    st.integers(1, 2),
    st.integers(1, 2),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(strings, max_size=8))
def test_decisions_and_clocks_are_what_their_definitions_say(pulls: list[Any]) -> None:
    log = puppets()
    for to_act, choice, phase, turn, round_ in pulls:
        seat = log.game.to_act[choice % len(log.game.to_act)]
        log.acts(seat, pull(*sorted(to_act), phase=phase, turn=turn, round=round_))
    history = list(zip(log.entries, games(log), strict=True))
    for length in range(1, len(history) + 1):
        past = history[:length]
        game = past[-1][1]
        assert game.decisions == {seat: decision_of(seat, past) for seat in game.to_act}
        assert game.asked_at == {seat: clock_of(seat, past) for seat in game.to_act}


def decision_of(seat: int, past: list[tuple[Carved, Game]]) -> int:
    """The latest entry after which the seat is to act and that either put it there or was its own action."""
    found = 0
    for (_, before), (carved, after) in pairwise(past):
        own = carved.entry.type == "action_taken" and carved.entry.actor == {"seat": seat}
        if seat in after.to_act and (seat not in before.to_act or own):
            found = carved.seq
    return found


def clock_of(seat: int, past: list[tuple[Carved, Game]]) -> str:
    """When the latest entry was that put the seat there, or changed phase, turn or round while it stayed."""
    found = ""
    for (_, before), (carved, after) in pairwise(past):
        if seat in after.to_act and (
            seat not in before.to_act
            or before.state.phase != after.state.phase
            or before.state.turn != after.state.turn
            or before.state.round != after.state.round
        ):
            found = carved.entry.at
    return found


# -- seed and fairness ----------------------------------------------------------------------------------------------


def fairness(*sitters: commands.Sitter, by: dict[str, Any] | None = None, **settings: Any) -> str | None:
    log = Log(created(sitters=(), **settings))
    for seat, sitter in enumerate(sitters):
        log.sits(seat, sitter, by)
    return log.game.fairness


def test_without_entropy_the_server_alone_chose_the_deal() -> None:
    assert fairness(*SITTERS) == "server_only"
    bot = commands.Sitter(bot="greedy", entropy_commitment="f" * 64)
    assert fairness(*SITTERS[:2], bot) == "server_only", "whatever a bot brings, the server brings"
    assert fairness(named("Ada", entropy=""), *SITTERS[1:]) == "server_only"


def test_one_seat_that_brings_entropy_openly_makes_it_open() -> None:
    assert fairness(*SITTERS[:2], named("Cleo", entropy="tea leaves")) == "open"


def test_one_seat_that_brings_entropy_sealed_makes_it_sealed() -> None:
    sealed = named("Ada", entropy_commitment=SEAL)
    assert fairness(sealed, *SITTERS[1:]) == "sealed"
    assert fairness(sealed, named("Ben", entropy="tea leaves"), SITTERS[2]) == "sealed"


def test_only_what_a_player_brings_itself_is_worth_anything() -> None:
    sitters = [named(name, entropy="tea leaves") for name in ("Ada", "Ben", "Cleo")]
    assert fairness(*sitters, by=ANYONE) == "server_only"
    for by in ({"host": "club"}, {"operator": True}):
        assert fairness(*sitters, by=by, host="club") == "server_only"
    assert fairness(*sitters, host="club") == "open"


def test_by_the_first_terms_only_what_the_creator_brings_is_worth_nothing() -> None:
    sitters = [named(name, entropy="tea leaves") for name in ("Ada", "Ben", "Cleo")]
    assert fairness(*sitters, by=ANYONE, first_terms=True) == "server_only"
    assert fairness(*sitters, by={"host": "club"}, first_terms=True) == "open"


def test_a_seeded_game_says_so_and_a_positioned_one_says_nothing() -> None:
    assert fairness(*SITTERS, origin={"kind": "seeded"}) == "seeded"
    for origin in (
        {"kind": "position", "position": {}, "seeded": False},
        {"kind": "position", "position": {}, "seeded": True},
        {"kind": "fork", "game": "07-0", "version": 5, "position": {}},
    ):
        assert fairness(*SITTERS, origin=origin) is None


def test_the_seed_is_mixed_of_what_every_seat_brought() -> None:
    log = Log(created(sitters=(named("Ada", entropy="é"), SITTERS[1]), game="07-" + "0" * 26))
    log.sits(2, named("Cleo", entropy_commitment=SEAL))
    log.opens(2, ENTROPY)
    assert log.game.seed(SERVER_SEED) == seeds.game_seed(
        SERVER_SEED, log.game.id, ["é".encode(), b"", ENTROPY]
    )


@pytest.mark.parametrize(
    "origin", [{"kind": "seeded"}, {"kind": "position", "position": {}, "seeded": True}], ids=str
)
def test_in_a_seeded_game_the_seed_is_the_one_given(origin: dict[str, Any]) -> None:
    assert Log(created(origin=origin)).seed == SERVER_SEED


def test_a_position_without_a_seed_is_dealt_from_the_mixed_seed() -> None:
    log = Log(created(origin={"kind": "position", "position": {}, "seeded": False}))
    assert log.seed == seeds.game_seed(SERVER_SEED, log.game.id, [b"", b"", b""])


# -- the hash of the state ------------------------------------------------------------------------------------------


def test_every_entry_carries_the_hash_of_the_state_after_it() -> None:
    log = Log(created(sitters=SITTERS[:2], host="club"))
    log.sits(2, SITTERS[2])
    log.append(lambda batch: commands.renew_token(batch, {"host": "club"}, 1))
    log.plays_on(until=lambda game: game.state.round == 3)
    log.resigns(1)
    log.is_aborted()
    log.settles()
    for carved, game in unfold(log.entries, TOYS):
        expected = digest(game.state) if game.started else None
        assert (carved.entry.state, game.state_hash) == (expected, expected), carved.entry.type


def test_the_writer_and_a_reader_of_the_log_see_the_same_game() -> None:
    log = Log(created(sitters=SITTERS[:2], host="club"))
    steps: list[Callable[[], None]] = [
        lambda: log.sits(2, SITTERS[2]),
        lambda: log.plays_on(until=lambda game: game.state.round == 2),
        lambda: log.resigns(0),
        log.plays_on,
        log.settles,
    ]
    for step in steps:
        step()
        assert builtins(games(log)[-1]) == builtins(log.game)


# -- broken logs ----------------------------------------------------------------------------------------------------


def forged(after: Carved, data: Any, kind: str, **members: Any) -> Carved:
    """An entry that claims to follow another one."""
    given = {"data": data, "type": kind, "seq": after.seq + 1, "prev": after.hash, **members}
    return carve(replace(after.entry, **given))


def test_a_log_begins_with_the_creation_of_its_game() -> None:
    log = Log(created())
    with pytest.raises(BrokenLog):
        fold(None, log.entries[1], TOYS)
    other = replace(log.entries[1].entry, seq=1, prev="0" * 64)
    with pytest.raises(BrokenLog, match="begins with seat_taken"):
        fold(None, carve(other), TOYS)


def test_an_entry_follows_the_one_before_it_by_number_and_by_hash() -> None:
    log = Log(created())
    game = games(log)[2]
    assert fold(game, log.entries[3], TOYS).version == 4
    for wrong in (
        log.entries[2],
        log.entries[4],
        carve(replace(log.entries[3].entry, prev="0" * 64)),
        carve(replace(log.entries[3].entry, seq=5)),
    ):
        with pytest.raises(BrokenLog, match="does not follow entry 3"):
            fold(game, wrong, TOYS)


def test_a_game_is_created_once() -> None:
    log = Log(created(sitters=()))
    again = forged(log.latest, log.latest.data, "game_created")
    with pytest.raises(BrokenLog, match="cannot stand there"):
        fold(log.game, again, TOYS)


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_the_game_does_not_have_cannot_be_taken(seat: int) -> None:
    log = Log(created())
    taken = next(carved for carved in log.entries if isinstance(carved.data, SeatTaken))
    with pytest.raises(BrokenLog, match="no seat"):
        fold(log.game, forged(log.latest, replace(taken.data, seat=seat), "seat_taken"), TOYS)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("action_taken", ActionTaken({"type": "lay", "card": 1}, [{"type": "card_laid", "seat": 0, "card": 1}], [])),
        ("seat_withdrawn", SeatWithdrawn(0, "resigned", [{"type": "seat_vacated", "seat": 0, "cause": "x"}], [])),
    ],
)  # fmt: skip
def test_nothing_is_played_before_the_start(kind: str, data: Any) -> None:
    log = Log(created(sitters=SITTERS[:2]))
    with pytest.raises(BrokenLog, match="before the start"):
        fold(log.game, forged(log.latest, data, kind), TOYS)


def test_a_start_without_facts_is_no_start() -> None:
    log = Log(created(sitters=(*SITTERS[:2], named("Cleo", entropy_commitment=SEAL))))
    with pytest.raises(ValueError, match="no facts, no state"):
        fold(log.game, forged(log.latest, GameStarted([], []), "game_started"), TOYS)


def test_without_the_rules_of_its_version_a_game_cannot_be_folded_past_its_start() -> None:
    log = Log(created())
    with pytest.raises(UnknownRuleset):
        list(unfold(log.entries, Registry([])))
    before = [game for _, game in unfold(log.entries[:-1], Registry([]))][-1]
    assert before.full
    aborted = forged(log.entries[-2], GameAborted("by_operator"), "game_aborted")
    assert fold(before, aborted, Registry([])).status == "aborted"
