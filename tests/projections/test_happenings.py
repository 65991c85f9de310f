"""What happens is told from the logs: nothing twice, nothing skipped, whose turn it is for the latest version alone."""

from typing import Any, cast

import msgspec
import pytest

from events import acts
from projections import catch_up
from projections.happenings import (
    TYPES,
    Cursor,
    CursorExpired,
    Happening,
    Interest,
    check_kept,
    present,
    stream_key,
)
from projections.rebuild import Rebuild
from tests.projections.test_filters import create, finish
from tests.worker.house import House

EVERYTHING = Interest(None, None, frozenset(TYPES))


def told(house: House, interest: Interest = EVERYTHING) -> list[Happening]:
    """Everything in the streams that was asked for, stream by stream."""
    return [
        msgspec.json.decode(fields[b"event"], type=Happening)
        for stream in interest.streams
        for _, fields in cast(Any, house.client.xrange(stream))
        if interest.wants(fields)
    ]


def of(game: str, *happenings: str) -> list[str]:
    return [f"{game}.{each}" for each in happenings]


def test_a_game_is_told_from_its_creation_to_its_settlement(house: House) -> None:
    game = create(house, tags=["cup"])
    beginning = ["1.game_created", "2.seat_taken", "3.seat_taken", "4.game_started", "4.turn"]
    assert [one.id for one in told(house)] == of(game, *beginning)
    finish(house, game)
    assert [one.id for one in told(house)] == of(game, *beginning, "5.game_ended", "6.game_settled")
    first, *_, last = told(house)
    assert (first.status, first.to_act, first.tags, [each.ref for each in first.seats]) == (
        "open",
        (),
        ("cup",),
        [None, None],
    )
    assert (last.type, last.status, [each.ref for each in last.seats]) == (
        "game_settled",
        "ended",
        ["ada", "ben"],
    )


def test_entries_between_two_projections_are_told_each_but_turns_only_for_the_latest(house: House) -> None:
    game = create(house)
    before = len(told(house))
    for _ in range(3):
        house.act(game, house.game(game).to_act[0])
    house.workshop.project([game])
    assert [one.id for one in told(house)[before:]] == of(game, "7.turn")
    for _ in range(2):
        house.workshop.project([game])
    assert len(told(house)) == before + 1


def test_an_aborted_game_is_told(house: House) -> None:
    game = house.create("babel", (None, None), seated=1)
    house.ledger.change(game, lambda page, _: acts.abort(page, {"operator": True}, "by_operator"))
    house.workshop.project([game])
    assert [one.type for one in told(house)] == ["game_created", "seat_taken", "game_aborted"]


def test_a_projection_that_is_killed_and_done_again_tells_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = house.create("babel", (None, None), host="club")

    class Killed(BaseException):
        pass

    def kill(*_: Any) -> bool:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(house.projections, "save", kill)
        with pytest.raises(Killed):
            house.workshop.project([game])
    assert told(house) == []
    for _ in range(2):
        catch_up.catch_up(house.ledger.store, house.projections, house.rulesets, game)
    assert len({one.id for one in told(house)}) == len(told(house)) == 5


def test_a_rebuild_tells_nothing_again(house: House) -> None:
    finish(house, create(house))
    before = told(house)
    run = Rebuild(house.ledger.store, house.projections)
    assert all(problem is None for _, problem in run.run(run.survey()))
    assert told(house) == before


def test_what_a_failover_lost_and_is_played_again_is_told_again(house: House) -> None:
    game = create(house)
    house.act(game, house.game(game).to_act[0])
    house.workshop.project([game])
    house.rewrite(game, lambda fields: None if b'"seq":5' in fields[b"e"] else fields)
    house.ledger._cache.forget(game)
    house.workshop.project([game])
    before = len(told(house))
    house.act(game, house.game(game).to_act[0])
    house.workshop.project([game])
    assert [one.id for one in told(house)[before:]] == of(game, "5.turn")


def test_a_host_hears_of_its_own_games_alone(house: House) -> None:
    club, private = create(house, tags=["cup"]), create(house, private=True)
    school, nobodys = create(house, "school", tags=["cup"]), create(house, None)
    types = frozenset(["game_started"])
    assert {one.game for one in told(house, Interest("club", None, types))} == {club, private}
    assert {one.game for one in told(house, Interest("club", "cup", types))} == {club}
    assert {one.game for one in told(house, Interest(None, "cup", types))} == {club, school}
    assert {one.game for one in told(house, Interest(None, None, types))} == {club, private, school, nobodys}


def test_a_cursor_expires_after_a_day_and_where_something_was_dropped(house: House) -> None:
    interest = Interest("club", None, frozenset(TYPES))
    begun = present(house.client, interest)
    game = create(house)
    now = present(house.client, interest)
    for cursor in (begun, now):
        check_kept(house.client, interest, cursor)
    with pytest.raises(CursorExpired):
        check_kept(house.client, interest, Cursor(now.at - 24 * 3600 * 1000 - 1, now.seen))
    house.client.xtrim(stream_key(game[:2], "hosted"), maxlen=1, approximate=False)
    check_kept(house.client, interest, now)
    check_kept(house.client, interest, present(house.client, interest))
    with pytest.raises(CursorExpired):
        check_kept(house.client, interest, begun)
    house.client.delete(stream_key(game[:2], "hosted"))
    with pytest.raises(CursorExpired):
        check_kept(house.client, interest, now)
    with pytest.raises(ValueError, match="another feed"):
        check_kept(house.client, EVERYTHING, now)
