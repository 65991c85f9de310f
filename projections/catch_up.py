"""Projecting a game up to the end of its log. Idempotent: it may run twice, late, concurrently or out of order."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from events.game import Game, unfold
from events.store import EventStore
from games.kernel import Registry
from projections.errors_as_values import attempt, unwrap
from projections.host_events import HostEvent, host_events, turn_event, with_players_named
from projections.keyframes import is_keyframe
from projections.projection import ProjectedGame
from projections.store import Loaded, PreparedProjection, ProjectionStore


class GameUnknown(LookupError):
    """No log has this id."""


def unfold_loaded(loaded: Loaded, store: EventStore, rulesets: Registry, game_id: str) -> Iterator[Game]:
    """A game as it was loaded, then after each entry since; a snapshot that is not of this log is passed over."""
    game, entries = loaded.snapshot, loaded.entries
    if game is not None and entries and entries[0].hash == game.hash:
        yield game
        entries = entries[1:]
    else:
        game = None
        begun = bool(loaded.secrets)  # which a game has from its first entry on
        if begun and not (entries and entries[0].seq == 1):
            entries = store.read(game_id)
    for _, after in unfold(entries, rulesets, game):
        game = after
        yield game
    if game is None:
        raise GameUnknown(game_id)


def fold_loaded(loaded: Loaded, store: EventStore, rulesets: Registry, game_id: str) -> Game:
    """A game as it stands, from what was loaded."""
    for game in unfold_loaded(loaded, store, rulesets, game_id):
        latest = game
    return latest


class LogHasGaps(Exception):
    """Entries are missing in the midst of a log: it has fewer than the number of its last."""


class Projected(NamedTuple):
    """A game that was projected: whether that is its latest version, and since when it was behind (None: it was not).

    `lost` is the number of the entry that was projected before and stands in the log no longer, if there was one.
    """

    game: Game
    clean: bool
    behind_since: str | None
    lost: int | None = None


def catch_up(store: EventStore, projections: ProjectionStore, rulesets: Registry, game_id: str) -> None:
    """Project a game up to its latest entry, however often others write to it meanwhile."""
    version = 0
    while not (projected := project(store, projections, rulesets, game_id)).clean:
        if projected.game.version <= version:
            raise LogHasGaps(game_id)
        version = projected.game.version


def project(store: EventStore, projections: ProjectionStore, rulesets: Registry, game_id: str) -> Projected:
    """Project a game as it stands now. An entry that comes meanwhile leaves it dirty: that one has its own line in the feed."""
    (projected,) = project_each(store, projections, rulesets, [game_id])
    return unwrap(projected)


def project_each(
    store: EventStore, projections: ProjectionStore, rulesets: Registry, games: Sequence[str]
) -> list[Projected | Exception]:
    """Project many games, for which the store is asked twice. Each is projected, or there is an error in its place."""
    ahead = [
        attempt(_follow, store, projections, rulesets, game, loaded)
        for game, loaded in zip(games, projections.load_each(games), strict=True)
    ]
    saved = iter(projections.save_each([each.prepared for each in ahead if isinstance(each, Ahead)]))
    return [attempt(_projected, each, next(saved)) if isinstance(each, Ahead) else each for each in ahead]


class Ahead(NamedTuple):
    """A game folded up to its latest entry, and what follows from it and is not stored yet."""

    game: Game
    prepared: PreparedProjection
    behind_since: str | None
    lost: int | None


def _follow(
    store: EventStore,
    projections: ProjectionStore,
    rulesets: Registry,
    game_id: str,
    loaded: Loaded | Exception,
) -> Ahead:
    loaded = unwrap(loaded)
    keyframes: list[Game] = []
    happened: list[HostEvent] = []
    before: Game | None = None
    for game in unfold_loaded(loaded, store, rulesets, game_id):
        if is_keyframe(game) and not loaded.archived:
            keyframes.append(game)
        happened += host_events(before, game)
        if before is None or game.at == game.created_at:
            created = game  # the entries of one request have one time
        before = game
    projected = loaded.snapshot.version if loaded.snapshot else 0
    news = (carved.entry.at for carved in loaded.entries if carved.seq > projected)
    happened = [with_players_named(event, created) for event in happened]
    of = ProjectedGame(
        game,
        rulesets,
        projections.patience,
        [*happened, *turn_event(game)],
        keyframes,
        "imported" in loaded.secrets,
    )
    return Ahead(game, projections.prepare(of), next(news, None), loaded.lost)


def _projected(ahead: Ahead, saved: bool | Exception) -> Projected:
    return Projected(ahead.game, unwrap(saved), ahead.behind_since, ahead.lost)
