"""History: any past version of a game, folded from the nearest keyframe."""

from collections.abc import Iterator

from events.entries import Carved
from events.game import Game, unfold
from events.store import EventStore
from projections.store import ProjectionStore
from services.core.greenlet_bridge import offload
from services.core.ledger import Ledger


class History:
    """Looks back into the logs of games."""

    def __init__(self, ledger: Ledger) -> None:
        self.store: EventStore = ledger.store
        self.projections: ProjectionStore = ledger.projections

    def moments(self, game_id: str, first: int, last: int) -> Iterator[tuple[Carved, Game]]:
        """Each entry from one version to another with the game as it stood after it, in one pass."""
        for carved, game in self._from_keyframe(game_id, first, last):
            if carved.seq >= first:
                yield carved, game

    def moment(self, game_id: str, version: int) -> tuple[Carved, Game]:
        """One entry, and the game as it stood after it."""
        moment = offload(lambda: next(self.moments(game_id, version, version), None))
        if moment is None:
            raise LookupError(f"{game_id} has no entry {version}")
        return moment

    def game(self, game_id: str, version: int) -> Game:
        """The game as it stood after an entry."""
        return self.moment(game_id, version)[1]

    def _from_keyframe(self, game_id: str, first: int, last: int) -> Iterator[tuple[Carved, Game]]:
        rulesets = self.projections.rulesets
        keyframe = self.projections.keyframes.nearest(game_id, first)
        if keyframe is not None:
            entries = self.store.walk(game_id, keyframe.version - 1, last)
            made_of = next(entries, None)
            if made_of is not None and made_of.hash == keyframe.hash:
                yield made_of, keyframe
                yield from unfold(entries, rulesets, keyframe)
                return
        yield from unfold(self.store.walk(game_id, 0, last), rulesets)
