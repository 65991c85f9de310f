"""Bringing a game's projections up to date with its log: any number of times, late, at once, in any order."""

from events.game import Game, fold
from events.store import EventStore
from games.kernel import Registry
from projections.owed import Owed, owed
from projections.store import Loaded, ProjectionStore


class GameUnknown(LookupError):
    """No log has this id."""


def current(store: EventStore, projections: ProjectionStore, rulesets: Registry, game_id: str) -> Game:
    """The game as its log has it now, from the latest snapshot that the log still holds."""
    return fold_loaded(projections.load(game_id), store, rulesets, game_id)


def fold_loaded(loaded: Loaded, store: EventStore, rulesets: Registry, game_id: str) -> Game:
    """A game from what was loaded; a snapshot that is not of this log is passed over."""
    game, entries = loaded.snapshot, loaded.entries
    if game is not None and not (entries and entries[0].hash == game.hash):
        game, entries = None, store.read(game_id)
    if game is None and entries and entries[0].seq != 1:
        entries = store.read(game_id)
    for sealed in entries if game is None else entries[1:]:
        game = fold(game, sealed, rulesets)
    if game is None:
        raise GameUnknown(game_id)
    return game


def catch_up(store: EventStore, projections: ProjectionStore, rulesets: Registry, game_id: str) -> list[Owed]:
    """Project a game up to its latest entry, and tell what it owes then."""
    while True:
        game = current(store, projections, rulesets, game_id)
        if projections.save(game):
            return owed(game)
