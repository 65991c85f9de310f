"""A game at any moment of its past."""

from collections.abc import Iterable, Iterator

from events.entries import Sealed
from events.game import Game, fold
from games.kernel import Registry


def unfold(
    entries: Iterable[Sealed], rulesets: Registry, game: Game | None = None
) -> Iterator[tuple[Sealed, Game]]:
    """Each entry with the game as it stood after it, from the beginning or from a game already folded."""
    for sealed in entries:
        game = fold(game, sealed, rulesets)
        yield sealed, game


def game_at(entries: Iterable[Sealed], version: int, rulesets: Registry) -> Game:
    """The game as it stood after entry number `version`."""
    for sealed, game in unfold(entries, rulesets):
        if sealed.seq == version:
            return game
    raise LookupError(f"the log has no entry {version}")
