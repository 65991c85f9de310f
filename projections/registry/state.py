"""The state of each game: its snapshot and keyframes, what it owes, its next deadline, and when it was settled."""

from collections.abc import Iterator

from events.canonical import canonical
from events.clocks import next_deadline
from events.store import Client
from events.times import milliseconds
from projections.keyframes import Keyframes
from projections.pending_work import pending_work
from projections.projection import HashValue, ProjectedGame, Projection, SortedScore, Write


def write_state(of: ProjectedGame) -> Iterator[Write]:
    """The snapshot is stored by the script itself, which compares it with what is there."""
    game, owed = of.game, [str(work) for work in pending_work(of.game)]
    deadline = next_deadline(game, of.patience)
    yield HashValue("todo", canonical(owed).decode() if owed else None, only_clean=True)
    yield SortedScore("deadlines", None if deadline is None else str(deadline), only_clean=True)
    yield SortedScore("settled", str(milliseconds(game.at)) if game.settled else None, only_live=True)
    yield HashValue("stuck")


def keep_keyframes(client: Client, of: ProjectedGame) -> None:
    Keyframes(client, of.rulesets).keep(of.keyframes)


PROJECTION = Projection(
    name="state",
    title="snapshots, keyframes, owed work, deadlines, settled games",
    write=write_state,
    keys={"todo": "hash", "deadlines": "order", "settled": "order", "stuck": "hash"},
    game_keys=("snapshot", "keyframes"),
    backlog={"owed": ("todo",), "stuck": ("stuck",)},
    beside=keep_keyframes,
)
