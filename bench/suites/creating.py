"""Games created a second: ours are set up, dealt and kept on disk; boardgame.io's are kept in memory."""

from bench.figures import Figure
from bench.loading import load
from bench.runs import Run
from bench.servers import boardgame, stele


def run(run: Run) -> list[Figure]:
    window = {"seconds": run.scale.seconds / 2, "warm": run.scale.warm, "players": run.scale.players}
    ours, theirs = [], []
    with boardgame() as peer, stele() as server:
        for _ in run.rounds():
            theirs.append(load(peer, "boardgame", "creating", **window))
            ours.append(load(server, "stele", "creating", settle=server.settle, token=server.token, **window))
            run.note_cpu("boardgame.io, a game created", theirs[-1].cpu)
            run.note_cpu("stele, a game created", ours[-1].cpu)
    rates = [[result.rate for result in results] for results in (ours, theirs)]
    return [Figure("games created/s ÷ boardgame.io", rates[0], "/s", rates[1], 0.3)]
