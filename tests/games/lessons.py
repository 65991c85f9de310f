"""Playing a lesson by the rules: the learner's moves, the scripted ones, and the claims between them."""

from collections.abc import Iterator
from typing import Any

import msgspec

from games.chance import Chance
from games.kernel import Claim, IllegalAction, Lesson, Ruleset
from replays.sentences import look
from tests.rulesets.story import Story, builtins


def fits(pattern: dict[str, Any], thing: dict[str, Any]) -> bool:
    """Whether an action or fact has these members with these values."""
    return all(member in thing and thing[member] == value for member, value in pattern.items())


class LessonPlayer:
    """A lesson under way."""

    def __init__(self, ruleset: Ruleset[Any, Any], lesson: Lesson, seed: bytes) -> None:
        self.ruleset, self.lesson = ruleset, lesson
        self.story = Story(ruleset, seed).given(lesson.position, seats=lesson.seats, options=lesson.options)
        self.facts: list[Any] = builtins(self.story.facts)

    @property
    def view(self) -> Any:
        return builtins(self.ruleset.view(self.story.state, self.lesson.seat))

    def accepted(self, at: int) -> list[dict[str, Any]]:
        """The legal moves that a step accepts, those of its first pattern first."""
        legal = self.story.legal(self.lesson.seat)
        return [action for pattern in self.lesson.steps[at].do for action in legal if fits(pattern, action)]

    def take(self, at: int, action: dict[str, Any] | None) -> None:
        """The learner's move at a step, if it asks for one, and what the others do then."""
        self.facts = []
        if action:
            self._play(self.lesson.seat, action)
        for move in self.lesson.steps[at].then:
            self._play(move.seat, move.action)

    def _play(self, seat: int, action: dict[str, Any]) -> None:
        self.story.when(seat, action)
        self.facts += builtins(self.story.facts)

    def false_claims(self, claims: list[Claim]) -> list[dict[str, Any]]:
        """The claims that do not hold now."""
        return [builtins(claim) for claim in claims if not all(self._holds(claim))]

    def _holds(self, claim: Claim) -> Iterator[bool]:
        if claim.path is not None:
            yield from self._found(claim, look(self.view, claim.path))
        elif claim.legal is not None:
            count = sum(fits(claim.legal, action) for action in self.story.legal(self.lesson.seat))
            yield count == claim.count if claim.count is not None else count > 0
        elif claim.refused is not None:
            yield self._refusal(claim.refused) == claim.code
        elif claim.fact is not None:
            yield any(fits(claim.fact, fact) for fact in self.facts)
        else:
            yield False

    def _found(self, claim: Claim, found: Any) -> Iterator[bool]:
        said = False
        if claim.is_ is not msgspec.UNSET:
            said = True
            yield bool(found == claim.is_)
        if claim.has is not msgspec.UNSET:
            said = True
            yield claim.has in found
        if claim.at_least is not None:
            said = True
            yield found >= claim.at_least
        if claim.at_most is not None:
            said = True
            yield found <= claim.at_most
        yield said

    def _refusal(self, action: dict[str, Any]) -> str | None:
        try:
            self.ruleset.decide(
                self.story.state, self.lesson.seat, self.ruleset.read_action(action), Chance(self.story.seed)
            )
        except IllegalAction as refusal:
            return refusal.code
        return None
