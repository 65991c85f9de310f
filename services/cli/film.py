"""A game as a film: its moments in order, each told in sentences and seen as somebody sees it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from events.game import ruleset_of, unfold
from games.canonical import canonical
from games.kernel import Registry
from replays.frames import Perspective, frame
from replays.narration import teller_of
from replays.record import Record, entries_of
from services.cli.plain_text import without_control


@dataclass(frozen=True)
class Scene:
    """One moment of a game, for people."""

    version: int
    at: str
    headline: str
    sentences: list[str]
    view: Any


class Film:
    """The moments of a recorded game, folded once; a scene is made when it is looked at."""

    def __init__(self, record: Record, rulesets: Registry, perspective: Perspective, language: str) -> None:
        self.rulesets = rulesets
        self.perspective = perspective
        self.moments = list(unfold(entries_of(record), rulesets))
        game = self.moments[-1][1]
        ruleset = ruleset_of(game, rulesets)
        names = {person["seat"]: without_control(person["name"]) for person in record["people"]}
        self.teller = teller_of(ruleset, language, [names.get(seat) for seat in range(len(game.chairs))])
        self.title = self.teller.label(ruleset.name)
        self.id = without_control(game.id)

    def __len__(self) -> int:
        return len(self.moments)

    @property
    def first_with_board(self) -> int:
        """The first version at which there is a board to look at; the last one of a game that never started."""
        return next((at for at, (_, game) in enumerate(self.moments, 1) if game.started), len(self))

    def __iter__(self) -> Iterator[Scene]:
        return (self.scene(version) for version in range(1, len(self) + 1))

    def scene(self, version: int) -> Scene:
        """The moment after entry number `version`."""
        shown = self.frame(version)
        before = self.frame(version - 1)["view"] if version > 1 else None
        event = shown["event"]
        return Scene(
            version=version,
            at=event["at"],
            headline=without_control(self.teller.headline(event)),
            sentences=[without_control(each) for each in self.teller.event(event, shown["view"], before)],
            view=shown["view"],
        )

    def frame(self, version: int) -> Any:
        """The game after entry number `version`, as its watcher sees it."""
        carved, game = self.moments[version - 1]
        return msgspec.json.decode(canonical(frame(carved, game, self.perspective, self.rulesets)))
