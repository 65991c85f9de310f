"""Forks: the games that began from a position of another, in a list beside that one."""

from events.canonical import canonical
from events.keys import game_key
from events.store import Client
from projections.forks import fork, parent_of
from projections.projection import ProjectedGame, Projection


def keep_fork(client: Client, of: ProjectedGame) -> None:
    """The parent may lie in another slot."""
    if parent := parent_of(of.game):
        client.hset(game_key(parent, "forks"), of.game.id, canonical(fork(of.game)).decode())


PROJECTION = Projection(
    name="forks",
    title="the games that began from a position of another; the projection of each writes it to its parent's list",
    game_keys=("forks",),
    outlives_log=True,
    rebuilt=False,
    beside=keep_fork,
)
