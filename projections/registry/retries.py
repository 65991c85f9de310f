"""The index of retries: which request wrote which entries. Appends keep it, and an archived log is searched instead."""

from events.store import EventStore
from projections.projection import Projection

PROJECTION = Projection(
    name="retries",
    title="which request wrote which entries; appends keep it",
    game_keys=("retries",),
    remake=EventStore.reindex,
)
