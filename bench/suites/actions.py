"""Actions as people make them: `stele up`, one a request and in lists, beside boardgame.io, the loop floor and the bare store."""

from collections.abc import Callable
from contextlib import ExitStack
from itertools import count

from redis import Redis

from bench.figures import Figure, rate
from bench.floor import APPEND, ENTRY
from bench.loading import Result, load
from bench.runs import Run
from bench.scripts import scripts
from bench.servers import boardgame, durable_store, loop_floor, stele

LIST = 5
RAW_APPENDS = 400


def run(run: Run) -> list[Figure]:
    """All of them in turn, round after round."""
    scale = run.scale
    with ExitStack() as servers:
        run.say("decides games beforehand")
        file = servers.enter_context(scripts(2 if scale.rounds == 1 else 24))
        run.say("starts the servers")
        theirs = servers.enter_context(boardgame())
        floor = servers.enter_context(loop_floor())
        ours = servers.enter_context(stele())
        raw = servers.enter_context(durable_store()).client()
        servers.callback(raw.close)
        window = {"seconds": scale.seconds, "warm": scale.warm, "players": scale.players}
        made = {"games": scale.games, "per_game": scale.per_game}
        game = {**window, **made, "scripts": str(file), "token": ours.token}
        contenders: dict[str, Callable[[], Result]] = {
            "boardgame.io": lambda: load(theirs, "boardgame", "acting", **window, **made),
            "loop floor": lambda: load(floor, "floor", "acting", **window),
            "stele": lambda: load(ours, "stele", "acting", settle=ours.settle, **game),
            "stele, socket": lambda: load(ours, "stele", "acting_socket", settle=ours.settle, **game),
            "stele, lists": lambda: load(ours, "stele", "acting", settle=ours.settle, list=LIST, **game),
        }
        results: dict[str, list[Result]] = {name: [] for name in contenders}
        appended: list[float] = []
        append = appends(raw)
        for number in run.rounds():
            for name, measure in contenders.items():
                run.say(f"round {number} of {scale.rounds}: {name}")
                results[name].append(measure())
                run.note_cpu(name, results[name][-1].cpu)
            appended.append(rate(append))
            run.tell(figures(results, appended)[0])
    return figures(results, appended)


def figures(results: dict[str, list[Result]], appended: list[float]) -> list[Figure]:
    theirs, floor, ours, socket, lists = results.values()

    def rates(results: list[Result]) -> list[float]:
        return [result.rate for result in results]

    return [
        Figure("actions/s over a socket ÷ boardgame.io", rates(socket), "/s", rates(theirs), 1.0),
        Figure(
            "p99 of an action over a socket ÷ boardgame.io",
            [result.p99 for result in socket],
            "ms",
            [result.p99 for result in theirs],
            0.9,
            "≤",
        ),
        Figure(
            "CPU for one action over a socket, all processes ÷ boardgame.io",
            [result.all_cpu for result in socket],
            "µs",
            [result.all_cpu for result in theirs],
            1.2,
            "≤",
        ),
        Figure("actions/s ÷ boardgame.io", rates(ours), "/s", rates(theirs), 0.7),
        Figure(f"actions/s, lists of up to {LIST} ÷ boardgame.io", rates(lists), "/s", rates(theirs), 1.5),
        Figure(
            "p99 of an action ÷ boardgame.io",
            [result.p99 for result in ours],
            "ms",
            [result.p99 for result in theirs],
            1.4,
            "≤",
        ),
        Figure(
            "CPU for one action, all processes ÷ loop floor with its store",
            [result.all_cpu for result in ours],
            "µs",
            [result.all_cpu for result in floor],
            2.5,
            "≤",
        ),
        Figure("loop floor: appends/s ÷ boardgame.io", rates(floor), "/s", rates(theirs)),
        Figure("actions/s ÷ loop floor", rates(ours), "/s", rates(floor)),
        Figure("bare store, one client: appends/s ÷ boardgame.io", appended, "/s", rates(theirs)),
    ]


def appends(client: Redis) -> Callable[[], int]:
    """The floor's append without HTTP, one after the other."""
    script = client.register_script(APPEND)
    numbers = count(1)

    def work() -> int:
        for _ in range(RAW_APPENDS):
            stream = f"game:{next(numbers)}"
            assert script(keys=[stream, "feed", f"{stream}:key"], args=["0-0", "1-0", ENTRY, "0" * 64]) == 1
        return RAW_APPENDS

    return work
