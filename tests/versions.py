"""Lanterns in two versions: in the second, whoever has two points has won. Both may begin from any position."""

from collections.abc import Mapping
from typing import Any

from games.chance import Chance
from games.kernel import Course, Fact, Registry
from tests.toy import GameSetUp, Lanterns, Options, State


class First(Lanterns):
    """The rules as they were released."""

    def setup(
        self, options: Options, seats: int, chance: Chance, position: Mapping[str, Any] | None = None
    ) -> list[Fact[State]]:
        return [GameSetUp(self.read_state(position))] if position else super().setup(options, seats, chance)


class Second(First):
    """The rules with one of them changed."""

    version = 2

    def end_round(self, course: Course[State], chance: Chance) -> None:
        super().end_round(course, chance)
        leaders = tuple(seat for seat, player in enumerate(course.state.players) if player.score >= 2)
        if leaders and course.state.outcome is None:
            course.happens(self.end_now(course.state, leaders, "two_points"))


FIRST, SECOND, BOTH = Registry([First()]), Registry([Second()]), Registry([First(), Second()])
