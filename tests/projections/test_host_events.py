"""What happens is told from the logs: nothing twice, nothing skipped, whose turn it is for the latest version alone."""

import time
from typing import Any, cast

import msgspec
import pytest

from events import commands
from events.keys import partition_key
from projections import catch_up
from projections.host_events import (
    HOST_EVENT_TYPES,
    CursorExpired,
    FeedCursor,
    HostEvent,
    Interest,
    check_cursor,
    current_cursor,
    dropped_key,
    is_behind,
    stream_ends,
    stream_key,
)
from projections.rebuild import Rebuild
from tests.projections.test_filters import create, finish
from tests.worker.house import House

EVERYTHING = Interest(None, None, frozenset(HOST_EVENT_TYPES))


def told(house: House, interest: Interest = EVERYTHING) -> list[HostEvent]:
    """Everything in the streams that was asked for, stream by stream."""
    return [
        msgspec.json.decode(fields[b"event"], type=HostEvent)
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
    assert not house.client.exists(partition_key(game[:2], "turns:feed"))
    first, *_, last = told(house)
    assert (first.status, first.to_act, first.tags, [each.ref for each in first.seats]) == (
        "open",
        (),
        ("cup",),
        ["ada", "ben"],
    )
    assert first.outcome is None
    assert [one.outcome["winners"] for one in told(house)[-2:]] == [last.outcome["winners"]] * 2
    assert (last.type, last.status, [each.ref for each in last.seats]) == (
        "game_settled",
        "ended",
        ["ada", "ben"],
    )


def test_the_creation_of_a_rematch_names_the_game_before(house: House) -> None:
    create(house, rematch_of="03-0123456789abcdefghjkmnpqrs")
    first, *others = told(house)
    assert first.rematch_of == "03-0123456789abcdefghjkmnpqrs"
    assert [one.rematch_of for one in others] == [None] * len(others)


def test_entries_between_two_projections_are_told_each_but_turns_only_for_the_latest(house: House) -> None:
    game = create(house)
    before = [one.id for one in told(house)]
    for _ in range(3):
        house.act(game, house.game(game).to_act[0])
    house.workshop.project([game])
    now = [*before[:-1], f"{game}.7.turn"]
    assert [one.id for one in told(house)] == now
    for _ in range(2):
        house.workshop.project([game])
    assert [one.id for one in told(house)] == now


def test_playing_on_adds_nothing_and_a_reader_that_saw_the_turn_before_sees_the_next(house: House) -> None:
    game = create(house)
    lines = len(told(house))
    seen = current_cursor(house.client, EVERYTHING)
    for _ in range(6):
        house.act(game, house.game(game).to_act[0])
        house.workshop.project([game])
        assert is_behind(seen, EVERYTHING, stream_ends(house.client, EVERYTHING))
        check_cursor(house.client, EVERYTHING, seen)
        assert len(told(house)) == lines
        seen = current_cursor(house.client, EVERYTHING)
    assert not is_behind(seen, EVERYTHING, stream_ends(house.client, EVERYTHING))


def test_an_aborted_game_is_told(house: House) -> None:
    game = house.create("babel", (None, None), seated=1)
    house.ledger.change(game, lambda batch, _: commands.abort(batch, {"operator": True}, "by_operator"))
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
        patch.setattr(house.projections, "save_each", kill)
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
    house.act(game, house.game(game).to_act[0])
    before = current_cursor(house.client, EVERYTHING)
    house.workshop.project([game])
    assert [one.id for one in told(house)][-1:] == of(game, "5.turn")
    assert is_behind(before, EVERYTHING, stream_ends(house.client, EVERYTHING))


def test_a_host_hears_of_its_own_games_alone(house: House) -> None:
    club, private = create(house, tags=["cup"]), create(house, private=True)
    school, nobodys = create(house, "school", tags=["cup"]), create(house, None)
    types = frozenset(["game_started"])
    assert {one.game for one in told(house, Interest("club", None, types))} == {club, private}
    assert {one.game for one in told(house, Interest("club", "cup", types))} == {club}
    assert {one.game for one in told(house, Interest(None, "cup", types))} == {club, school}
    assert {one.game for one in told(house, Interest(None, None, types))} == {club, private, school, nobodys}


def test_a_cursor_expires_after_a_day_and_where_something_was_dropped(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    interest = Interest("club", None, frozenset(HOST_EVENT_TYPES))
    begun = current_cursor(house.client, interest)
    game = create(house)
    now = current_cursor(house.client, interest)
    for cursor in (begun, now):
        check_cursor(house.client, interest, cursor)
    with pytest.raises(CursorExpired):
        check_cursor(house.client, interest, FeedCursor(now.at - 24 * 3600 * 1000 - 1, now.seen))
    with pytest.raises(ValueError, match="another feed"):
        check_cursor(house.client, EVERYTHING, now)
    time.sleep(0.02)
    with monkeypatch.context() as patch:
        patch.setattr("projections.registry.host_events.KEPT_MS", 10)
        house.act(game, house.game(game).to_act[0])
        house.workshop.project([game])
    check_cursor(house.client, interest, current_cursor(house.client, interest))
    with pytest.raises(CursorExpired):
        check_cursor(house.client, interest, begun)


def test_lines_of_a_day_are_kept_however_many_and_older_ones_are_not(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = create(house)
    stream = stream_key(game[:2], "hosted")
    day, age = 24 * 3600 * 1000, round(time.time() * 1000)
    house.client.delete(stream)
    fields: dict[Any, Any] = {"host": "club", "type": "game_created", "event": "{}"}
    for older in (3 * day, 2 * day, day - 1000):
        house.client.xadd(stream, fields, f"{age - older}-0")
    for nth in range(1, 400):
        house.client.xadd(stream, fields, f"{age - 500}-{nth}")
    monkeypatch.setattr("projections.registry.host_events.MAX_UNHOSTED_LINES", 50)
    house.act(game, house.game(game).to_act[0])
    house.workshop.project([game])
    lines = cast(Any, house.client.xrange(stream))
    assert len(lines) == 1 + 399 + 1
    assert lines[0][0] == f"{age - day + 1000}-0".encode()
    dropped = cast(bytes, house.client.get(dropped_key(stream)))
    assert dropped == f"{age - 2 * day}-0".encode()


def test_a_long_stream_is_not_looked_through_for_lines_that_are_too_old(house: House) -> None:
    game = create(house)
    stream, fields = stream_key(game[:2], "hosted"), {"host": "club", "type": "game_created", "event": "{}"}

    def cost_of_a_look() -> float:
        """Microseconds for which the store looks backwards in streams, for each time it does."""
        house.client.config_resetstat()
        for _ in range(5):
            house.act(game, house.game(game).to_act[0])
            house.workshop.project([game])
        looked = cast(Any, house.client.info("commandstats")).get("cmdstat_xrevrange", {})
        return float(looked.get("usec_per_call", 0.0))

    short = cost_of_a_look()
    with house.client.pipeline(transaction=False) as pipe:
        for _ in range(40_000):
            pipe.xadd(stream, cast(Any, fields))
        pipe.execute()
    assert cost_of_a_look() < 30 * max(short, 1)


def test_strangers_fill_their_own_streams_up_to_a_limit_and_readers_are_told_of_gaps(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.registry.host_events.MAX_UNHOSTED_LINES", 7)
    hosted = create(house)
    begun = current_cursor(house.client, EVERYTHING)
    games = [create(house, None) for _ in range(40)]
    for game in games:
        assert house.client.xlen(stream_key(game[:2], "unhosted")) <= 7
    assert [one.game for one in told(house) if one.game == hosted] == [hosted] * 5
    with pytest.raises(CursorExpired):
        check_cursor(house.client, EVERYTHING, begun)
    check_cursor(house.client, EVERYTHING, current_cursor(house.client, EVERYTHING))
