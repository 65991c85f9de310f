"""Any moment of a game's past, folded from the nearest keyframe."""

from collections.abc import Iterator

from events.entries import Carved
from events.game import Game, unfold
from events.store import PAGE, EventStore
from projections.store import ProjectionStore
from services.core.ledger import Ledger


class Past:
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
        for found in self.moments(game_id, version, version):
            return found
        raise LookupError(f"{game_id} has no entry {version}")

    def game(self, game_id: str, version: int) -> Game:
        """The game as it stood after an entry."""
        return self.moment(game_id, version)[1]

    def _from_keyframe(self, game_id: str, first: int, last: int) -> Iterator[tuple[Carved, Game]]:
        rulesets = self.projections.rulesets
        kept = self.projections.keyframes.nearest(game_id, first)
        if kept is not None:
            entries = self._entries(game_id, kept.version, last)
            begins = next(entries, None)
            if begins is not None and begins.hash == kept.hash:
                yield begins, kept
                yield from unfold(entries, rulesets, kept)
                return
        yield from unfold(self._entries(game_id, 1, last), rulesets)

    def _entries(self, game_id: str, first: int, last: int) -> Iterator[Carved]:
        """The entries from one version to another, read page by page."""
        while first <= last and (page := self.store.read(game_id, first - 1, min(PAGE, last - first + 1))):
            yield from page
            first = page[-1].seq + 1
