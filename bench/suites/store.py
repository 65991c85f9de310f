"""Our `append()` beside a bare EVALSHA of a plain event store: check the head, add to log and feed, note the request."""

from collections.abc import Iterator

from bench.figures import Figure, rates
from bench.floor import APPEND
from bench.runs import Run
from events.entries import Carved, Entry, SeatTokenRenewed, carve
from events.keys import game_id
from events.store import EMPTY_LOG, Appended, EventStore, Head
from tests.servers import Fsync, ValkeyServer, running_valkey

FSYNC: tuple[Fsync, ...] = ("no", "always")
BATCH = 400


def chain(game: str, length: int) -> Iterator[tuple[Head, Carved]]:
    """Entries of about the size of an action's, ready to be appended."""
    head = EMPTY_LOG
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


def run(run: Run) -> list[Figure]:
    """One figure for each way to keep the append-only file."""
    figures = []
    for fsync in FSYNC:
        run.say(f"appendfsync {fsync}")
        with running_valkey(appendonly=fsync) as server:
            figures.append(compare(server, fsync, run))
    return figures


def compare(server: ValkeyServer, fsync: str, run: Run) -> Figure:
    with server.client() as client:
        store = EventStore(client)
        raw = client.register_script(APPEND)

        waiting = [list(chain(game_id(), BATCH)) for _ in range(2 * (run.scale.rounds + 1))]

        def ours() -> int:
            for head, carved in waiting.pop():
                assert store.append(head, [carved]) == Appended()
            return BATCH

        def theirs() -> int:
            for head, carved in waiting.pop():
                args = [f"{head.seq}-0", f"{carved.seq}-0", carved.raw, carved.hash]
                assert raw(keys=[carved.entry.game, "feed", carved.hash], args=args) == 1
            return BATCH

        measured = rates({"ours": ours, "raw": theirs}, run.rounds())
    return Figure(
        f"append()/s ÷ bare EVALSHA (appendfsync {fsync})", measured["ours"], "/s", measured["raw"], 0.8
    )
