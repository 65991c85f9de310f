"""Our `append()` beside a bare EVALSHA of a plain event store: check the head, add to log and feed, note the request."""

from collections.abc import Iterator

from bench.measure import ROUNDS, Line, at_least, medians
from events.entries import Carved, Entry, SeatTokenRenewed, carve
from events.keys import game_id
from events.store import EMPTY, Appended, EventStore, Head
from tests.servers import Fsync, ValkeyServer, running_valkey

FSYNC: tuple[Fsync, ...] = ("no", "always")
BATCH = 400
RAW = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last and last[1] ~= ARGV[1] then return 0 end
if redis.call('GET', KEYS[3]) then return 2 end
redis.call('XADD', KEYS[1], ARGV[2], 'e', ARGV[3], 'h', ARGV[4])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 10000, '*', 'game', KEYS[1])
redis.call('SET', KEYS[3], ARGV[2], 'EX', 86400)
return 1
"""


def chain(game: str, length: int) -> Iterator[tuple[Head, Carved]]:
    """Entries of about the size of an action's, ready to be appended."""
    head = EMPTY
    for seq in range(1, length + 1):
        data = SeatTokenRenewed(0, seq)
        entry = Entry(
            {"note": "x" * 500},
            "2026-11-16T09:30:12.345Z",
            data,
            game,
            head.hash,
            None,
            "0" * 32,
            seq,
            None,
            "seat_token_renewed",
        )
        carved = carve(entry)
        yield head, carved
        head = Head(seq, carved.hash)


def run() -> list[Line]:
    """One line for each way to keep the append-only file."""
    lines = []
    for fsync in FSYNC:
        with running_valkey(appendonly=fsync) as server:
            lines.append(compare(server, fsync))
    return lines


def compare(server: ValkeyServer, fsync: str) -> Line:
    with server.client() as client:
        store = EventStore(client)
        raw = client.register_script(RAW)

        waiting = [list(chain(game_id(), BATCH)) for _ in range(2 * (ROUNDS + 1))]

        def ours() -> int:
            for head, carved in waiting.pop():
                assert store.append(head, [carved]) == Appended()
            return BATCH

        def theirs() -> int:
            for head, carved in waiting.pop():
                args = [f"{head.seq}-0", f"{carved.seq}-0", carved.raw, carved.hash]
                assert raw(keys=[carved.entry.game, "feed", carved.hash], args=args) == 1
            return BATCH

        found = medians({"ours": ours, "raw": theirs})
    return at_least(f"append() ÷ raw EVALSHA (appendfsync {fsync})", found["ours"], found["raw"], "/s", 0.8)
