"""Keyframes: a moment of a game's past costs the way from the nearest one, and none of them is ever believed blindly."""

import zlib

import fakeredis
import msgspec
import pytest

from events.entries import Carved
from events.game import Game, unfold
from events.store import EMPTY_LOG, Appended, EventStore
from games import RULESETS
from projections.catch_up import catch_up
from projections.keyframes import KEYFRAME_INTERVAL, keyframes_key
from projections.rebuild import Rebuild
from projections.store import ProjectionStore
from replays.record import entries_of
from services.core.history import History
from services.core.ledger import Ledger
from tests.golden.records import HERE, golden

ENTRIES = entries_of(golden(HERE / "sa_re" / "priest.json"))
MOMENTS = {carved.seq: (carved, game) for carved, game in unfold(ENTRIES, RULESETS)}
HEAD = len(ENTRIES)
ID = ENTRIES[0].entry.game
KEPT = list(range(KEYFRAME_INTERVAL, HEAD + 1, KEYFRAME_INTERVAL))


class CountingStore(EventStore):
    """A store that counts the entries it reads."""

    entries_read = 0

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Carved]:
        entries = super().read(game, after, limit)
        self.entries_read += len(entries)
        return entries


@pytest.fixture
def store() -> CountingStore:
    """A store with one long game."""
    store = CountingStore(fakeredis.FakeRedis())
    assert store.append(EMPTY_LOG, ENTRIES) == Appended()
    return store


@pytest.fixture
def projections(store: CountingStore) -> ProjectionStore:
    return ProjectionStore(store.client, RULESETS)


@pytest.fixture
def past(store: CountingStore, projections: ProjectionStore) -> History:
    """The game's past, its projections up to date."""
    catch_up(store, projections, RULESETS, ID)
    store.entries_read = 0
    return History(Ledger(store, projections))


def kept(store: EventStore) -> list[int]:
    return sorted(int(name) for name in store.client.hkeys(keyframes_key(ID)))


def test_the_game_is_long_enough_to_tell() -> None:
    assert len(KEPT) >= 3


def test_every_sixty_fourth_moment_is_kept(store: EventStore, past: History) -> None:
    assert kept(store) == KEPT


def test_they_are_kept_as_well_if_the_log_grows_bit_by_bit() -> None:
    store = CountingStore(fakeredis.FakeRedis())
    projections = ProjectionStore(store.client, RULESETS)
    for start in range(0, HEAD, 7):
        part = ENTRIES[start : start + 7]
        head = EMPTY_LOG if not start else store.head(ID)
        assert store.append(head, part) == Appended()
        catch_up(store, projections, RULESETS, ID)
    assert kept(store) == KEPT


def test_every_moment_is_that_of_the_whole_fold(past: History) -> None:
    for version, moment in MOMENTS.items():
        assert past.moment(ID, version) == moment


def test_a_moment_costs_the_way_from_its_keyframe_however_late_it_is(
    past: History, store: CountingStore
) -> None:
    for version in range(1, HEAD + 1):
        store.entries_read = 0
        past.moment(ID, version)
        assert store.entries_read == (
            version % KEYFRAME_INTERVAL + 1 if version >= KEYFRAME_INTERVAL else version
        )


def test_a_whole_replay_reads_every_entry_once(past: History, store: CountingStore) -> None:
    assert list(past.moments(ID, 1, HEAD)) == list(MOMENTS.values())
    assert store.entries_read == HEAD


def test_without_keyframes_the_log_tells_the_same(past: History, store: EventStore) -> None:
    store.client.delete(keyframes_key(ID))
    assert past.moment(ID, HEAD) == MOMENTS[HEAD]


def test_where_the_workers_are_behind_an_earlier_keyframe_serves(past: History, store: CountingStore) -> None:
    store.client.hdel(keyframes_key(ID), str(KEPT[-1]))
    assert past.moment(ID, HEAD) == MOMENTS[HEAD]
    assert store.entries_read == HEAD - KEPT[-2] + 1


def test_a_keyframe_of_a_log_that_was_lost_is_passed_over(
    past: History, projections: ProjectionStore
) -> None:
    forged: Game = msgspec.structs.replace(MOMENTS[KEPT[-1]][1], hash="0" * 64, at="never")
    projections.keyframes.keep([forged])
    assert past.moment(ID, HEAD) == MOMENTS[HEAD]


def test_a_keyframe_of_another_format_is_passed_over(past: History, store: EventStore) -> None:
    for version in KEPT:
        store.client.hset(
            keyframes_key(ID), str(version), b"1:sa_re:1:0123456789abcdef\n" + zlib.compress(b"{}")
        )
    assert past.moment(ID, HEAD) == MOMENTS[HEAD]


def test_a_rebuild_makes_them_anew(past: History, store: EventStore, projections: ProjectionStore) -> None:
    before = store.client.hgetall(keyframes_key(ID))
    store.client.hset(keyframes_key(ID), str(KEYFRAME_INTERVAL), b"nonsense")
    Rebuild(store, projections).game(ID)
    assert store.client.hgetall(keyframes_key(ID)) == before


def test_they_are_small_beside_the_log(past: History, store: EventStore) -> None:
    packed = sum(map(len, store.client.hvals(keyframes_key(ID))))
    assert packed < sum(len(carved.raw) for carved in ENTRIES) / 10


def test_a_version_that_is_not_there_is_no_moment(past: History) -> None:
    with pytest.raises(LookupError):
        past.moment(ID, HEAD + 1)
