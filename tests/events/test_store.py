"""What the event store promises, on every kind of server."""

import threading
from typing import Any

import msgspec
import pytest

from events import commands
from events.batch import EntryBatch, EntryFactory
from events.entries import Carved
from events.game import unfold
from events.keys import PARTITIONS, game_id, is_game_id, keys_of, partition_key, partition_of
from events.store import (
    EMPTY_LOG,
    AlreadyApplied,
    Appended,
    BrokenChain,
    EventStore,
    Head,
    LogDiverged,
    SideData,
    VersionConflict,
)
from tests.events.logs import (
    SERVER_SEED,
    TOYS,
    call,
    created,
    finished,
    head_of,
    next_action,
)


def begun(store: EventStore) -> list[Carved]:
    """A game that has started, in the store."""
    entries = created().carve()
    assert store.append(EMPTY_LOG, entries) == Appended()
    return entries


def salted_anew(entries: list[Carved]) -> list[Carved]:
    """The same game as someone else would write it."""
    return created(entries[0].entry.game, EntryFactory()).carve()


def next_page(entries: list[Carved]) -> EntryBatch:
    """A page after these entries, with one more action on it."""
    game = [game for _, game in unfold(entries, TOYS)][-1]
    batch = EntryBatch(EntryFactory(), game, game.id)
    seat, action = next_action(game)
    commands.act(batch, seat, action, TOYS, game.seed(SERVER_SEED))
    return batch


def test_what_is_appended_is_read_back_byte_for_byte(store: EventStore) -> None:
    entries = finished()
    game = entries[0].entry.game
    assert store.append(EMPTY_LOG, entries) == Appended()
    read = store.read(game)
    assert [carved.raw for carved in read] == [carved.raw for carved in entries]
    assert [carved.hash for carved in read] == [carved.hash for carved in entries]
    assert list(store.walk(game)) == read
    assert store.read(game, after=3, limit=2) == read[3:5]
    assert store.head(game) == head_of(entries)


def test_entry_number_n_has_the_stream_id_n_0(store: EventStore) -> None:
    game = begun(store)[0].entry.game
    rows: Any = store.client.xrange(keys_of(game).stream)
    assert [row[0] for row in rows] == [f"{n}-0".encode() for n in range(1, len(rows) + 1)]


def test_a_game_nobody_created_has_an_empty_head(store: EventStore) -> None:
    assert store.head(game_id()) == EMPTY_LOG
    assert store.read(game_id()) == []


def test_a_stale_writer_is_told_what_it_has_not_seen(store: EventStore) -> None:
    entries = begun(store)
    first = next_page(entries).carve()
    assert store.append(head_of(entries), first) == Appended()
    late = store.append(head_of(entries), next_page(entries).carve())
    assert isinstance(late, VersionConflict)
    assert [carved.raw for carved in late.unseen] == [carved.raw for carved in first]
    assert store.head(entries[0].entry.game) == head_of(first)


def test_a_second_creation_of_the_same_game_is_told_the_first(store: EventStore) -> None:
    entries = begun(store)
    again = store.append(EMPTY_LOG, salted_anew(entries))
    assert isinstance(again, VersionConflict)
    assert [carved.raw for carved in again.unseen] == [carved.raw for carved in entries]


def test_entries_sent_once_more_after_a_lost_answer_are_known_again(store: EventStore) -> None:
    entries = created().carve()
    game = entries[0].entry.game
    batch = next_page(entries).carve()
    for _ in range(2):
        assert store.append(EMPTY_LOG, entries) == Appended()
    for _ in range(2):
        assert store.append(head_of(entries), batch) == Appended()
    assert store.append(EMPTY_LOG, entries) == Appended()
    assert [carved.raw for carved in store.read(game)] == [carved.raw for carved in entries + batch]


def test_entries_with_a_gap_or_out_of_order_are_refused_before_they_are_sent(store: EventStore) -> None:
    entries = begun(store)
    batch = next_page(entries).carve()
    beyond = msgspec.structs.replace(batch[0].entry, seq=batch[0].seq + 1)
    for wrong in ([], [msgspec.structs.replace(batch[0], entry=beyond)], [batch[0], batch[0]]):
        with pytest.raises(BrokenChain):
            store.append(head_of(entries), wrong)
    assert store.head(entries[0].entry.game) == head_of(entries)


def test_a_writer_that_knows_another_latest_entry_meets_a_fork(store: EventStore) -> None:
    entries = begun(store)
    other = msgspec.structs.replace(entries[-1], hash="f" * 64)
    batch = next_page([*entries[:-1], other]).carve()
    assert store.append(Head(other.seq, other.hash), batch) == LogDiverged()
    assert store.head(entries[0].entry.game) == head_of(entries)


def test_a_writer_ahead_of_the_log_meets_a_fork(store: EventStore) -> None:
    entries = begun(store)
    lost = next_page(entries).carve()
    assert store.append(head_of(lost), next_page(entries + lost).carve()) == LogDiverged()


def test_a_stale_writer_whose_past_the_log_does_not_hold_meets_a_fork(store: EventStore) -> None:
    entries = begun(store)
    store.append(head_of(entries), next_page(entries).carve())
    other = msgspec.structs.replace(entries[-1], hash="f" * 64)
    assert store.append(head_of([other]), next_page([*entries[:-1], other]).carve()) == LogDiverged()


def test_an_append_marks_the_game_dirty_and_wakes_the_feed(store: EventStore) -> None:
    entries = begun(store)
    game = entries[0].entry.game
    keys = keys_of(game)
    assert store.client.sismember(keys.dirty, game)
    feed: Any = store.client.xrevrange(keys.feed, count=1)
    assert feed[0][1] == {b"game": game.encode(), b"seq": str(len(entries)).encode(), b"due": b""}


def test_seed_and_people_are_written_with_the_first_entries(store: EventStore) -> None:
    entries = created().carve()
    game = entries[0].entry.game
    store.append(EMPTY_LOG, entries, side_data=SideData({"seed": "00"}, {"1": "{}"}, deadline=1234))
    assert store.secrets(game) == {"seed": "00"}
    assert store.people(game) == {1: b"{}"}
    assert store.client.zscore(keys_of(game).deadlines, game) == 1234


def test_a_refused_append_writes_nothing_beside_the_log(store: EventStore) -> None:
    entries = begun(store)
    game = entries[0].entry.game
    side_data = SideData({"seed": "00"}, {"0": "x"}, 99)
    assert isinstance(store.append(EMPTY_LOG, salted_anew(entries), side_data=side_data), VersionConflict)
    assert store.secrets(game) == {}
    assert store.people(game) == {}
    assert store.client.zscore(keys_of(game).deadlines, game) is None


def test_every_key_of_an_append_lives_in_one_slot() -> None:
    game = game_id()
    assert all(f"{{{partition_of(game)}}}" in key for key in keys_of(game))


def test_ids_are_spread_over_all_partitions_and_recognised() -> None:
    ids = [game_id() for _ in range(2000)]
    assert {int(partition_of(one)) for one in ids} == set(range(PARTITIONS))
    assert all(map(is_game_id, ids))
    for wrong in (
        "",
        "07",
        "07-short",
        "7-" + "0" * 26,
        "07-" + "0" * 25 + "U",
        "०७-" + "0" * 26,
        ids[0] + "0",
    ):
        assert not is_game_id(wrong)
    assert game_id(bytes(17)) == game_id(bytes(17)) != game_id(bytes(16) + b"\x01")


# -- the head that the index of retries notes -------------------------------------------------------------------------


def noted_head(store: EventStore, game: str) -> Any:
    return store.client.hget(keys_of(game).retries, "@")


def test_an_append_notes_where_the_log_ends(store: EventStore) -> None:
    entries = begun(store)
    batch = next_page(entries).carve()
    store.append(head_of(entries), batch)
    assert noted_head(store, batch[0].entry.game) == f"{batch[-1].seq}:{batch[-1].hash}".encode()


def test_a_log_of_a_version_that_noted_no_head_is_appended_to_and_noted(store: EventStore) -> None:
    entries = begun(store)
    game = entries[0].entry.game
    store.client.hdel(keys_of(game).retries, "@")
    batch = next_page(entries).carve()
    assert store.append(head_of(entries), batch) == Appended()
    assert noted_head(store, game) == f"{batch[-1].seq}:{batch[-1].hash}".encode()


def test_a_head_that_an_earlier_version_has_left_behind_is_not_believed(store: EventStore) -> None:
    entries = begun(store)
    game = entries[0].entry.game
    before = noted_head(store, game)
    batch = next_page(entries).carve()
    store.append(head_of(entries), batch)
    store.client.hset(keys_of(game).retries, "@", before or b"")
    conflict = store.append(head_of(entries), next_page(entries).carve())
    assert isinstance(conflict, VersionConflict)
    assert [carved.raw for carved in conflict.unseen] == [carved.raw for carved in batch]
    assert store.append(head_of(batch), next_page([*entries, *batch]).carve()) == Appended()


def test_a_head_whose_entry_was_lost_is_not_believed(store: EventStore) -> None:
    entries = begun(store)
    game = entries[0].entry.game
    lost = next_page(entries).carve()
    store.append(head_of(entries), lost)
    store.client.xdel(keys_of(game).stream, f"{lost[-1].seq}-0")
    assert store.append(head_of(lost), next_page([*entries, *lost]).carve()) == LogDiverged()
    assert store.head(game) == head_of(entries)


# -- retries --------------------------------------------------------------------------------------------------------


def test_a_retry_after_a_lost_answer_is_told_what_was_done(store: EventStore) -> None:
    entries = begun(store)
    batch = next_page(entries).carve(call())
    assert store.append(head_of(entries), batch, call()) == Appended()
    again = store.append(head_of(entries), next_page(entries).carve(call()), call())
    assert isinstance(again, AlreadyApplied)
    assert again.request.of == (batch[0].seq, batch[0].seq)
    assert again.request.body == call().body
    assert store.done(entries[0].entry.game, call()) == again.request
    assert store.done(entries[0].entry.game, call("another key")) is None
    assert store.head(entries[0].entry.game) == head_of(batch)


def test_a_retry_of_a_creation_is_told_what_was_done(store: EventStore) -> None:
    batch = created()
    entries = batch.carve(call())
    assert store.append(EMPTY_LOG, entries, call()) == Appended()
    again = store.append(EMPTY_LOG, entries, call())
    assert isinstance(again, AlreadyApplied)
    assert again.request.of == (1, len(entries))


def test_a_retry_is_safe_after_every_key_but_the_logs_was_lost(store: EventStore) -> None:
    entries = begun(store)
    game = entries[0].entry.game
    batch = next_page(entries).carve(call())
    store.append(head_of(entries), batch, call())
    keys = keys_of(game)
    for key in (keys.retries, keys.feed, keys.dirty, keys.deadlines):
        store.client.delete(key)
    again = store.append(head_of(entries), next_page(entries).carve(call()), call())
    assert isinstance(again, AlreadyApplied)
    assert again.request.of == (batch[0].seq, batch[0].seq)
    store.client.delete(keys.retries)
    assert store.done(game, call()) == again.request
    assert store.done(game, call("never used")) is None


def test_the_rebuilt_index_of_retries_equals_the_one_that_was_lost(store: EventStore) -> None:
    entries = begun(store)
    game = entries[0].entry.game
    store.append(head_of(entries), next_page(entries).carve(call()), call())
    retries = keys_of(game).retries
    before = store.client.hgetall(retries)
    store.client.delete(retries)
    store.reindex(game)
    assert store.client.hgetall(retries) == before


# -- many at once ---------------------------------------------------------------------------------------------------


def test_two_hundred_writers_at_once_append_each_version_exactly_once(store: EventStore) -> None:
    writers, entries = 200, created(sitters=(commands.Sitter(),) * 2).carve()
    game = entries[0].entry.game
    store.append(EMPTY_LOG, entries)
    start = threading.Barrier(writers)
    written: list[int] = []
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            game_before = [game for _, game in unfold(entries, TOYS)][-1]
            start.wait()
            while True:
                batch = EntryBatch(EntryFactory(), game_before, game)
                commands.renew_token(batch, {"operator": True}, 0)
                carved = batch.carve()
                answer = store.append(Head(game_before.version, game_before.hash), carved)
                if answer == Appended():
                    written.append(carved[0].seq)
                    return
                assert isinstance(answer, VersionConflict), answer
                for unseen in answer.unseen:
                    (_, game_before), *_ = unfold([unseen], TOYS, game_before)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    assert sorted(written) == list(range(len(entries) + 1, len(entries) + writers + 1))
    assert [carved.seq for carved in store.walk(game)] == list(range(1, len(entries) + writers + 1))
    assert [game for _, game in unfold(store.walk(game), TOYS)][-1].chairs[0].generation == writers


def test_the_keys_of_a_partition_carry_its_hash_tag() -> None:
    assert partition_key("07", "feed") == "stele:{07}:feed"
