"""A seat may be given up while the game is open: whoever sits there next has nothing of whoever sat there before."""

import pytest

from events import commands, seeds
from events.game import Game
from events.store import EMPTY_LOG, Appended, EventStore, SideData
from games.kernel import InvalidSetup
from tests.events.acting import ENTROPY, OPERATOR, SEAL, data_of, refused, sealing
from tests.events.logs import ANYONE, PEOPLE, SERVER_SEED, SITTERS, Log, created, head_of, named

CLUB = {"host": "club"}
BOT = commands.Sitter(bot="random")


def open_game(*sitters: commands.Sitter) -> Log:
    return Log(created(sitters=sitters, host="club"))


def entropy_of(game: Game) -> list[bytes]:
    return [chair.entropy_bytes for chair in game.chairs]


def test_a_seat_is_left_by_itself_its_host_or_an_operator() -> None:
    for by in ({"seat": 0}, CLUB, OPERATOR):
        log = open_game(SITTERS[0])
        log.leaves(0, by)
        assert (log.latest.entry.type, log.latest.entry.actor) == ("seat_left", by)
        assert data_of(log.latest) == {"seat": 0, "generation": 1}
        assert not log.game.chairs[0].taken


def test_another_seat_and_the_seat_of_a_bot_itself_give_nothing_up() -> None:
    log = open_game(SITTERS[0], BOT)
    refused(log, "forbidden", lambda batch: commands.leave(batch, {"seat": 1}, 0))
    refused(log, "forbidden", lambda batch: commands.leave(batch, {"seat": 1}, 1))
    refused(log, "forbidden", lambda batch: commands.leave(batch, {"seat": 0}, 1))
    log.leaves(1, CLUB)
    assert log.game.chairs[1].bot is None


def test_only_a_taken_seat_of_an_open_game_can_be_left() -> None:
    log = open_game(SITTERS[0])
    refused(log, "invalid_request", lambda batch: commands.leave(batch, OPERATOR, 1))
    refused(log, "invalid_seats", lambda batch: commands.leave(batch, OPERATOR, 3), InvalidSetup)
    for other in (sealing(), Log(created())):
        refused(other, "not_open", lambda batch: commands.leave(batch, {"seat": 0}, 0))
    log.is_aborted()
    refused(log, "not_open", lambda batch: commands.leave(batch, {"seat": 0}, 0))


def test_leaving_and_new_tokens_count_the_generations_of_a_seat_together() -> None:
    log = open_game(SITTERS[0])
    log.append(lambda batch: commands.renew_token(batch, CLUB, 0))
    log.leaves(0)
    log.sits(0, named("Ben"))
    assert log.game.chairs[0].generation == 2
    log.append(lambda batch: commands.renew_token(batch, CLUB, 0))
    log.leaves(0)
    assert log.game.chairs[0].leavings == (2, 4)


def test_a_request_names_who_sits_there_apart_from_whoever_sat_there_before() -> None:
    log = open_game(SITTERS[0])
    assert log.game.caller_at(0) == "0"
    log.leaves(0)
    log.sits(0, named("Ben"))
    log.append(lambda batch: commands.renew_token(batch, CLUB, 0))
    assert log.game.caller_at(0) == "0~1"
    log.leaves(0)
    assert [log.game.caller_at(0, generation) for generation in range(4)] == ["0", "0~1", "0~1", "0~2"]
    assert log.game.caller_at(1) == "1"


def test_what_a_seat_brought_goes_with_it() -> None:
    log = open_game(named("Ada", entropy="rosetta", ref="a-1"), named("Ben", entropy_commitment=SEAL))
    log.leaves(0)
    log.leaves(1)
    assert log.game.chairs[0].ref is None
    assert entropy_of(log.game) == [b"", b"", b""]
    for seat in range(3):
        log.sits(seat, SITTERS[seat])
    assert log.game.status == "playing", "a seal that was taken away need not be opened"
    assert log.game.fairness == "server_only"
    assert log.seed == seeds.game_seed(SERVER_SEED, log.game.id, [b"", b"", b""])


def test_fairness_counts_what_those_brought_who_sit_there_in_the_end() -> None:
    log = open_game(named("Ada", entropy_commitment=SEAL))
    assert log.game.fairness == "sealed"
    log.leaves(0)
    assert log.game.fairness == "server_only"
    log.sits(0, named("Ada", entropy="thebes"))
    assert log.game.fairness == "open"


def test_a_game_is_full_since_its_last_seat_was_taken() -> None:
    log = open_game(*SITTERS[:2])
    log.leaves(1)
    log.sits(1, named("Ben", entropy_commitment=SEAL))
    log.sits(2, SITTERS[2])
    assert log.game.full_since == log.latest.entry.at
    log.opens(1, ENTROPY)
    assert log.game.status == "playing"


def test_the_name_of_a_seat_that_is_left_is_erased_in_the_same_append(store: EventStore) -> None:
    log = open_game(*SITTERS[:2])
    people = {str(seat): PEOPLE[seat].decode() for seat in range(2)}
    store.append(EMPTY_LOG, log.entries, side_data=SideData(people=people))
    head = head_of(log.entries)
    log.leaves(1)
    assert store.append(head, log.entries[head.seq :]) == Appended()
    assert store.people(log.game.id) == {0: PEOPLE[0]}


def test_a_game_of_the_first_terms_lets_nobody_go() -> None:
    log = Log(created(sitters=SITTERS[:1], first_terms=True))
    refused(log, "old_terms", lambda batch: commands.leave(batch, {"seat": 0}, 0), commands.OldTerms)


# -- bots with names --------------------------------------------------------------------------------------------------


def test_a_bot_may_have_a_name_and_from_a_host_or_an_operator_a_ref() -> None:
    bot = named("Rosetta", bot="greedy")
    for by in (CLUB, OPERATOR):
        log = open_game()
        log.sits(0, bot._replace(ref="engine-7"), by)
        assert data_of(log.latest)["player"] == {"name_hash": bot.name_hash, "ref": "engine-7"}
    log.sits(1, bot, ANYONE)
    refused(log, "forbidden", lambda batch: commands.sit(batch, 2, bot._replace(ref="engine-7"), {"seat": 0}))


@pytest.mark.parametrize(
    "bot", [named("Rosetta", bot="greedy"), commands.Sitter(bot="greedy", ref="engine-7")]
)
def test_a_bot_has_no_name_by_the_first_terms(bot: commands.Sitter) -> None:
    log = Log(created(sitters=(), first_terms=True))
    refused(log, "old_terms", lambda batch: commands.sit(batch, 0, bot, OPERATOR), commands.OldTerms)
    log.sits(0, BOT, OPERATOR)
