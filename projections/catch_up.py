"""Bringing a game's projections up to date with its log: any number of times, late, at once, in any order."""

from typing import NamedTuple

from events.game import Game, fold
from events.store import EventStore
from games.kernel import Registry
from projections.store import Loaded, ProjectionStore


class GameUnknown(LookupError):
    """No log has this id."""


def fold_loaded(loaded: Loaded, store: EventStore, rulesets: Registry, game_id: str) -> Game:
    """A game from what was loaded; a snapshot that is not of this log is passed over."""
    game, entries = loaded.snapshot, loaded.entries
    if game is not None and not (entries and entries[0].hash == game.hash):
        game = None
    if game is None and not (entries and entries[0].seq == 1):
        entries = store.read(game_id)
    for sealed in entries if game is None else entries[1:]:
        game = fold(game, sealed, rulesets)
    if game is None:
        raise GameUnknown(game_id)
    return game


class CaughtUp(NamedTuple):
    """A game whose projections are up to date, and since when they were behind (None: they were not)."""

    game: Game
    behind_since: str | None


def catch_up(store: EventStore, projections: ProjectionStore, rulesets: Registry, game_id: str) -> CaughtUp:
    """Project a game up to its latest entry."""
    behind_since = None
    while True:
        loaded = projections.load(game_id)
        game = fold_loaded(loaded, store, rulesets, game_id)
        projected = loaded.snapshot.version if loaded.snapshot else 0
        news = (sealed.entry.at for sealed in loaded.entries if sealed.seq > projected)
        behind_since = behind_since or next(news, None)
        if projections.save(game):
            return CaughtUp(game, behind_since)
