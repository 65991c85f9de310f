"""Host events: what happens in games, as feeds and webhooks report it."""

from collections.abc import Iterator

from events.canonical import canonical
from events.keys import partition_of
from projections.host_events import (
    KEPT_MS,
    MAX_UNHOSTED_LINES,
    dropped_key,
    recent,
    stream_key,
)
from projections.projection import ProjectedGame, Projection, StreamLines, Write


def write_host_events(of: ProjectedGame) -> Iterator[Write]:
    game = of.game
    stream = stream_key(partition_of(game.id), "hosted" if game.created.host else "unhosted")
    events = [
        (event.version, str(event.type), canonical(event).decode())
        for event in ([] if of.imported else recent(of.happened))
    ]
    yield StreamLines(
        stream,
        dropped_key(stream),
        "told",
        "turns:feed",
        game.created.host or "",
        events,
        KEPT_MS,
        None if game.created.host else MAX_UNHOSTED_LINES,
        game.settled is not None,
    )


PROJECTION = Projection(
    name="host_events",
    title="what happens in games, for feeds and webhooks; told once, so never made again",
    write=write_host_events,
    keys={"told": "hash", "turns:feed": "hash"},
    rebuilt=False,
)
