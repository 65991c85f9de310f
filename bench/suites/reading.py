"""Reading a game: whether a long log makes it slower, here and elsewhere, and how many reads a second that are never stale."""

from contextlib import ExitStack

from bench.figures import Figure
from bench.loading import Loader, Result, load, loader
from bench.runs import Run
from bench.scripts import scripts
from bench.servers import Stele, boardgame, loop_floor, stele

TRICKLE_MS = 50
"""Between two actions that are made while everyone reads, each in another game."""


def run(run: Run) -> list[Figure]:
    with stele() as server:
        return [*long_logs(run, server), *never_stale(run, server)]


def long_logs(run: Run, server: Stele) -> list[Figure]:
    """One reader: of a game with a short log, of one with a long log, and of such a one of boardgame.io."""
    scale = run.scale
    results_by_name: dict[str, list[Result]] = {"short": [], "long": [], "theirs": []}
    with ExitStack() as opened:
        peer = opened.enter_context(boardgame())
        window = {"seconds": scale.seconds / 2, "warm": scale.warm / 2, "players": 1, "token": server.token}
        readers: dict[str, Loader] = {}
        for name, where, subject, entries in (
            ("short", server, "stele", scale.short_log),
            ("long", server, "stele", scale.long_log),
            ("theirs", peer, "boardgame", scale.long_log),
        ):
            run.say(f"{subject} gets a log of {entries:,} entries")
            reader = loader(where, subject, "reading_long", entries=entries, **window)
            readers[name] = opened.enter_context(reader)
        server.settle()
        for _ in run.rounds():
            for name, each in readers.items():
                each.begin()
                results_by_name[name].append(each.result())
    short, long, theirs = ([1000 * result.p50 for result in results] for results in results_by_name.values())
    at = f"a state read at {scale.long_log:,} entries"
    return [
        Figure(f"{at} ÷ at {scale.short_log}", long, "µs", short, 1.1, "≤"),
        Figure(f"{at}: boardgame.io's ÷ ours", theirs, "µs", long, 30.0),
    ]


def never_stale(run: Run, server: Stele) -> list[Figure]:
    """Everyone reads while actions are made: an answer older than what was acknowledged before fails the run."""
    scale = run.scale
    window = {
        "seconds": scale.seconds,
        "warm": scale.warm,
        "players": scale.players,
        "trickle_ms": TRICKLE_MS,
    }
    ours: list[float] = []
    floors: list[float] = []
    with loop_floor() as floor, scripts(4) as file:
        game = {"scripts": str(file), "token": server.token, "games": scale.players, "per_game": 1000}
        for _ in run.rounds():
            floors.append(load(floor, "floor", "reading", **window).rate)
            ours.append(load(server, "stele", "reading", settle=server.settle, **window, **game).rate)
    name = "reads/s of a game, never stale ÷ loop floor with one store read"
    return [Figure(name, ours, "/s", floors, 0.7)]
