"""An acknowledged entry is on disk: a server that is killed in mid-game comes back with it, and the game goes on."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

import pytest
from redis import BlockingConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionLost
from redis.retry import Retry

from events import commands
from events.batch import EntryBatch
from events.keys import game_id
from events.store import EventStore, Head
from games import RULESETS
from projections.store import ProjectionStore
from replays.audit.audit import audit
from replays.audit.verify import read_record
from replays.record import to_record, write_record
from services.core.ledger import Ledger
from services.worker.bots import next_turn, play_bot
from services.worker.settlement import settle_game
from tests.events.logs import SERVER_SEED
from tests.servers import ValkeyServer, running_valkey

OPERATOR = {"operator": True}


@pytest.fixture
def server() -> Iterator[ValkeyServer]:
    """A server of this test's own, which acknowledges nothing before it is on disk."""
    with running_valkey(appendonly="always") as server:
        yield server


def ledger_of(client: Redis) -> Ledger:
    """A process that knows nothing yet."""
    return Ledger(EventStore(client), ProjectionStore(client, RULESETS))


def begin(ledger: Ledger) -> str:
    """A game of Babel between two bots."""
    game = game_id()

    def write(batch: EntryBatch) -> None:
        commands.create(batch, OPERATOR, commands.NewGame(RULESETS.latest("babel"), {}, 2, SERVER_SEED))
        for seat, level in enumerate(("greedy", "random")):
            commands.sit(batch, seat, commands.Sitter(bot=level), by=OPERATOR)
        commands.start_if_ready(batch, RULESETS, SERVER_SEED)

    ledger.create(game, write, server_seed=SERVER_SEED)
    return game


def play_on(ledger: Ledger, game: str, acknowledged: list[Head]) -> None:
    """Let the bots play to the end, and keep the head that each of their actions was answered with."""
    while turn := next_turn((looked := ledger.get(game)).game):
        played = play_bot(ledger, looked, turn.seat, turn.decision)
        acknowledged.append(Head(played.version, played.hash))


def play_until_killed(ledger: Ledger, game: str, server: ValkeyServer, moves: int) -> list[Head]:
    """Play on while somebody pulls the plug, after so many moves or in the middle of the next one."""
    acknowledged: list[Head] = []

    def pull_the_plug() -> None:
        while len(acknowledged) < moves:
            time.sleep(0.0005)
        server.kill9()

    killer = Thread(target=pull_the_plug)
    killer.start()
    with pytest.raises(ConnectionLost):
        play_on(ledger, game, acknowledged)
    killer.join()
    return acknowledged


def test_no_acknowledged_entry_is_lost_and_the_game_is_played_to_an_end_that_verifies(
    server: ValkeyServer,
) -> None:
    with server.client(retry=Retry(NoBackoff(), 0)) as client:
        surviving = ledger_of(client)
        store, game = surviving.store, begin(surviving)
        acknowledged: list[Head] = []
        for moves, ledger in ((12, surviving), (9, surviving), (15, ledger_of(client))):
            acknowledged += play_until_killed(ledger, game, server, moves)
            server.start()
            log = [Head(carved.seq, carved.hash) for carved in store.walk(game)]
            assert set(acknowledged) <= set(log)
            assert len(log) <= acknowledged[-1].seq + 1, (
                "at most the entry whose answer was lost is there beside them"
            )
        play_on(surviving, game, acknowledged)
        assert [settle_game(ledger_of(client), game) for _ in range(2)] == [True, False]
        record = read_record(write_record(to_record(store.walk(game), store.people(game))))
    assert audit(record, RULESETS).verdict == "pass"
    assert [
        entry["hash"] for entry in record["entries"] if Head(entry["seq"], entry["hash"]) in acknowledged
    ] == [head.hash for head in acknowledged]
    types = [entry["type"] for entry in record["entries"]]
    assert types[:4] == ["game_created", "seat_taken", "seat_taken", "game_started"]
    assert types.count("game_settled") == 1


def test_an_append_goes_through_at_once_when_the_server_is_back(server: ValkeyServer) -> None:
    with server.client(retry=Retry(NoBackoff(), 0)) as client:
        ledger = ledger_of(client)
        game = begin(ledger)
        server.kill9()
        server.start()
        ledger.change(game, lambda batch, _: commands.abort(batch, OPERATOR, "by_operator"))
        assert ledger.get(game).game.aborted == "by_operator"


def test_threads_that_append_leave_the_pool_to_others(server: ValkeyServer) -> None:
    pool = BlockingConnectionPool.from_url(server.url, max_connections=1, timeout=1)
    with Redis(connection_pool=pool) as client, ThreadPoolExecutor(4) as threads:
        ledger = ledger_of(client)
        together = Barrier(4)

        def begin_and_stay() -> str:
            game = begin(ledger)
            together.wait(10)
            return game

        games = [threads.submit(begin_and_stay) for _ in range(4)]
        for game in games:
            assert ledger.store.head(game.result()).seq
    pool.disconnect()
