"""Rebuilding all projections from the logs, while the server runs; what no log supports is deleted.

Lists are dropped and filled again one partition after the other, so for a moment a part of them is missing. The
state of a game is never missing: whoever finds no snapshot folds the log. Reviews are dropped, and made again when
somebody asks: each takes a minute of a processor.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from events.keys import game_key, keys_of, partition_key, partition_of, partitions
from events.store import EventStore
from events.store_errors import STORE_FAILED
from projections.catch_up import catch_up
from projections.registry import PROJECTIONS, REBUILT
from projections.store import ProjectionStore

LISTS = {projection.lists for projection in PROJECTIONS if projection.lists}
"""What the names of sorted sets begin with that games are listed in."""


@dataclass
class Survey:
    """What the store holds: games with a log (here or in the archive), games with something else, and the lists by partition and kind."""

    logs: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    lists: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))


class Rebuilt(NamedTuple):
    """A game that was rebuilt, or what hinders it."""

    game: str
    problem: Exception | None


class Rebuild:
    """One run over all games."""

    def __init__(
        self, store: EventStore, projections: ProjectionStore, names: Collection[str] = tuple(REBUILT)
    ) -> None:
        self.store = store
        self.projections = projections
        self.client = store.client
        self.dropped = [REBUILT[name] for name in names]

    def survey(self) -> Survey:
        """Look through all keys once."""
        survey = Survey()
        for key in cast(Iterator[bytes], self.client.scan_iter("stele:{*}:*", count=1000)):
            _, partition, kind, *rest = key.decode().split(":", 4)
            if kind == "game" and len(rest) == 2:
                game, name = rest
                (survey.logs if name in ("log", "archived") else survey.others).add(game)
            elif kind in LISTS:
                survey.lists[partition.strip("{}"), kind].append(key.decode())
        return survey

    def run(self, survey: Survey) -> Iterator[Rebuilt]:
        """Rebuild every game, those that are created meanwhile included."""
        self._forget_games_without_logs(survey)
        games = defaultdict(list)
        for game in sorted(survey.logs):
            games[partition_of(game)].append(game)
        for projection in self.dropped:
            projection.drop(self.client)
        for partition in partitions():
            self._drop_lists(partition, survey)
            for game in games[partition]:
                yield self.game(game)
        for game in sorted(self.survey().logs - survey.logs):
            yield self.game(game)

    def game(self, game: str) -> Rebuilt:
        """Rebuild one game from its log."""
        try:
            if made := [game_key(game, name) for each in self.dropped for name in each.game_keys]:
                self.client.delete(*made)
            for projection in self.dropped:
                projection.remake(self.store, game)
            catch_up(self.store, self.projections, self.projections.rulesets, game)
        except STORE_FAILED:
            raise
        except Exception as problem:  # a game that cannot be read harms no other
            self.projections.mark_stuck(game, f"rebuild: {type(problem).__name__}")
            return Rebuilt(game, problem)
        return Rebuilt(game, None)

    def _drop_lists(self, partition: str, survey: Survey) -> None:
        keys = [
            partition_key(partition, key)
            for each in self.dropped
            for key, kind in (*each.keys.items(), (each.marked, "set"))
            if key and kind != "other"
        ]
        keys += [key for each in self.dropped if each.lists for key in survey.lists[partition, each.lists]]
        if keys:
            self.client.delete(*keys)

    def _forget_games_without_logs(self, survey: Survey) -> None:
        for game in {*survey.others, *self.projections.dirty()} - survey.logs:
            if not self.client.exists(keys_of(game).stream, keys_of(game).archived):
                self.projections.forget(game)
