"""A running game may be ended by judgement, one that has not started by who created it; bots do not play for nobody."""

from typing import Any

import pytest

from events import commands
from games.canonical import canonical
from games.kernel import IllegalAction, InvalidSetup
from tests.events.acting import OPERATOR, data_of, ended, refused, sealing
from tests.events.logs import ANYONE, NAMES, SITTERS, TOYS, Log, created, named
from tests.events.puppet import PUPPETS

BOT = commands.Sitter(bot="random")
WHY = "Ben had to leave for the night train."


def puppets(*sitters: commands.Sitter, **settings: Any) -> Log:
    return Log(created(sitters=sitters, seats=len(sitters), rulesets=PUPPETS, **settings), PUPPETS)


# -- adjudication -----------------------------------------------------------------------------------------------------


def test_a_judgement_ends_the_game_with_these_winners_and_says_why() -> None:
    log = Log(created(host="club"))
    log.is_adjudicated(0, 2, by={"host": "club"}, why=WHY)
    data, outcome = data_of(log.latest), log.game.outcome
    assert (outcome.winners, outcome.reason) == ((0, 2), "adjudicated")
    assert (data["why"], data["random"]) == (WHY, [])
    assert canonical(data["outcome"]) == canonical(outcome)
    assert [(fact["type"], fact["outcome"]) for fact in data["facts"]] == [("game_ended", data["outcome"])]
    assert log.game.status == "ended"
    log.settles()
    assert data_of(log.latest)["audit"]["verdict"] == "pass"


@pytest.mark.parametrize("winners", [(), (1, 0), (1, 1), (3,), (-1,)])
def test_winners_are_seats_of_the_game_each_once_in_order(winners: tuple[int, ...]) -> None:
    log = Log(created())
    refused(log, "invalid_request", lambda batch: commands.adjudicate(batch, OPERATOR, winners, WHY, TOYS))


def test_a_seat_that_has_withdrawn_cannot_be_given_the_win() -> None:
    log = Log(created())
    log.resigns(1)
    refused(log, "invalid_request", lambda batch: commands.adjudicate(batch, OPERATOR, (0, 1), WHY, TOYS))
    log.is_adjudicated(0)


@pytest.mark.parametrize(
    "why", ["", "x" * 201, "a\nb", "a\x00", "\x7f", "\x85", "\u061c", "\u200e", "\u2028", "\u202e", "\u2069"]
)
def test_why_is_a_line_that_people_can_read(why: str) -> None:
    log = Log(created())
    refused(log, "invalid_request", lambda batch: commands.adjudicate(batch, OPERATOR, (0,), why, TOYS))


def test_why_may_have_two_hundred_characters_of_any_script() -> None:
    log = Log(created())
    log.is_adjudicated(0, why="𓂀" * 200)


def test_only_a_running_game_is_adjudicated() -> None:
    refused(
        sealing(), "game_not_started", lambda batch: commands.adjudicate(batch, OPERATOR, (0,), WHY, TOYS)
    )
    refused(
        ended(),
        "game_over",
        lambda batch: commands.adjudicate(batch, OPERATOR, (0,), WHY, TOYS),
        IllegalAction,
    )
    old = Log(created(first_terms=True))
    refused(
        old,
        "old_terms",
        lambda batch: commands.adjudicate(batch, OPERATOR, (0,), WHY, TOYS),
        commands.OldTerms,
    )


# -- the last person --------------------------------------------------------------------------------------------------


def test_when_the_last_person_goes_the_game_ends_and_the_bots_that_stay_have_won() -> None:
    log = puppets(named("Ada"), BOT, named("Cleo"), BOT)
    log.resigns(2)
    assert log.game.status == "playing"
    log.resigns(0)
    assert [fact["type"] for fact in data_of(log.latest)["facts"]] == ["seat_vacated", "game_ended"]
    assert (log.game.outcome.winners, log.game.outcome.reason) == ((1, 3), "last_player")


def test_a_seat_that_stays_alone_has_won_person_or_bot() -> None:
    log = puppets(*(named(name) for name in NAMES[:3]))
    log.resigns(0)
    log.resigns(2)
    assert log.game.outcome.winners == (1,)


def test_of_two_the_other_has_won_for_the_cause_itself() -> None:
    log = puppets(named("Ada"), BOT)
    log.resigns(0)
    assert (log.game.outcome.winners, log.game.outcome.reason) == ((1,), "resigned")
    assert [fact["type"] for fact in data_of(log.latest)["facts"]] == ["game_ended"]


def test_by_the_first_terms_bots_play_on() -> None:
    log = puppets(named("Ada"), BOT, BOT, first_terms=True)
    log.resigns(0)
    assert log.game.status == "playing"


# -- called off by its creator ----------------------------------------------------------------------------------------


def seated_by_its_creator(*sitters: commands.Sitter, **settings: Any) -> Log:
    log = Log(created(sitters=(), **settings))
    for seat, sitter in enumerate(sitters):
        log.sits(seat, sitter, ANYONE)
    return log


def test_who_created_a_game_and_sits_in_it_calls_it_off_before_the_start() -> None:
    log = seated_by_its_creator(SITTERS[0])
    log.append(lambda batch: commands.abort_by_creator(batch, 0))
    assert (log.latest.entry.actor, data_of(log.latest)) == ({"seat": 0}, {"reason": "by_creator"})
    assert log.game.status == "aborted"
    refused(log, "game_over", lambda batch: commands.abort_by_creator(batch, 0))


def test_who_joined_a_bot_and_who_took_the_creators_seat_do_not() -> None:
    log = seated_by_its_creator(SITTERS[0], BOT)
    refused(log, "forbidden", lambda batch: commands.abort_by_creator(batch, 1))
    log.leaves(0)
    log.sits(0, SITTERS[0])
    refused(log, "forbidden", lambda batch: commands.abort_by_creator(batch, 0))


def test_nobody_calls_a_game_off_that_way_once_it_has_started_or_by_the_first_terms() -> None:
    log = seated_by_its_creator(*SITTERS)
    refused(log, "forbidden", lambda batch: commands.abort_by_creator(batch, 0))
    old = seated_by_its_creator(SITTERS[0], first_terms=True)
    refused(old, "old_terms", lambda batch: commands.abort_by_creator(batch, 0), commands.OldTerms)


# -- positions --------------------------------------------------------------------------------------------------------


def test_a_game_begins_with_all_its_players() -> None:
    for vacated in ("resigned", "timed_out", ""):
        origin = {"kind": "position", "position": {"players": [{}, {"vacated": vacated}]}, "seeded": False}
        with pytest.raises(InvalidSetup) as refusal:
            created(sitters=(), rulesets=PUPPETS, origin=origin)
        assert refusal.value.code == "invalid_position"
    position = {"players": [{"vacated": None}, {}]}
    created(sitters=(), rulesets=PUPPETS, origin={"kind": "position", "position": position, "seeded": False})


def test_tags_stand_in_the_creation_if_there_are_any() -> None:
    log = Log(created(sitters=(), host="club", tags=("spring", "final")))
    assert data_of(log.latest)["tags"] == ["spring", "final"]
    assert "tags" not in data_of(Log(created(sitters=())).latest)
