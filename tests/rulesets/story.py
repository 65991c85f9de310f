"""A test of rules is a story: given a position, when a seat acts, then this has happened."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pytest

from games.canonical import canonical
from games.chance import Chance, Draw
from games.kernel import IllegalAction, InvalidSetup, Ruleset, Viewer

SEED = bytes(range(32))


def builtins(value: Any) -> Any:
    """Any struct as the JSON value it is on the wire."""
    return msgspec.json.decode(canonical(value))


class Story:
    """A game under test: its full state, and the facts of the latest step."""

    def __init__(self, ruleset: Ruleset[Any, Any], seed: bytes = SEED) -> None:
        self.ruleset = ruleset
        self.seed = seed
        self.state: Any = None
        self.facts: list[Any] = []
        self.draws: tuple[Draw, ...] = ()
        self.history: list[Any] = []

    def given(
        self,
        position: Mapping[str, Any] | None = None,
        *,
        seats: int,
        options: Mapping[str, Any] | None = None,
    ) -> "Story":
        """A new game from this position (none: an ordinary setup)."""
        chance = Chance(self.seed)
        self._take(self.ruleset.new_game(options, seats, chance, position), chance)
        return self

    def when(self, seat: int, action: Mapping[str, Any]) -> "Story":
        """A seat acts, and is not refused."""
        chance = Chance(self.seed)
        self._take(self.ruleset.decide(self.state, seat, self.ruleset.read_action(action), chance), chance)
        return self

    def withdraws(self, seat: int, cause: str = "resigned") -> "Story":
        """A seat gives up, or runs out of time."""
        self._take(self.ruleset.withdraw(self.state, seat, cause), Chance(self.seed))
        return self

    def refuses(self, seat: int, action: Any, code: str) -> "Story":
        """The rules refuse this action with this code, and nothing changes."""
        before = canonical(self.state)
        with pytest.raises(IllegalAction) as refusal:
            self.ruleset.decide(self.state, seat, self.ruleset.read_action(action), Chance(self.seed))
        assert refusal.value.code == code, f"{action}: {refusal.value.code}, {refusal.value.message}"
        assert canonical(self.state) == before
        return self

    def happened(self, *facts: str | Mapping[str, Any]) -> "Story":
        """Exactly these facts came of the latest step: a type, or members that must be equal."""
        assert_facts(builtins(self.facts), facts)
        return self

    def seen(self, viewer: Viewer, *facts: str | Mapping[str, Any]) -> "Story":
        """Exactly these facts, as a viewer sees those of the latest step."""
        assert_facts(builtins([self.ruleset.redact(fact, viewer) for fact in self.facts]), facts)
        return self

    def stands(self, expected: Mapping[str, Any]) -> "Story":
        """JSON pointers into the full state, and what they show."""
        assert_pointers(builtins(self.state), expected)
        return self

    def shows(self, viewer: Viewer, expected: Mapping[str, Any]) -> "Story":
        """JSON pointers into a viewer's view, and what they show."""
        assert_pointers(builtins(self.ruleset.view(self.state, viewer)), expected)
        return self

    def legal(self, seat: int) -> list[Any]:
        """The legal actions of a seat, as on the wire."""
        return [builtins(action) for action in self.ruleset.legal_actions(self.state, seat)]

    def _take(self, facts: list[Any], chance: Chance) -> None:
        self.facts, self.draws = facts, chance.draws
        self.history += facts
        self.state = self.ruleset.fold(self.state, facts)


def refuses_to_begin(
    ruleset: Ruleset[Any, Any],
    code: str,
    position: Any = None,
    *,
    seats: int,
    options: Mapping[str, Any] | None = None,
) -> str:
    """A game cannot be created like this; gives the sentence that says why."""
    with pytest.raises(InvalidSetup) as refusal:
        ruleset.new_game(options, seats, Chance(SEED), position)
    assert refusal.value.code == code, refusal.value.message
    return refusal.value.message


def assert_facts(actual: list[Any], expected: Iterable[str | Mapping[str, Any]]) -> None:
    expected = list(expected)
    kinds = [fact if isinstance(fact, str) else fact["type"] for fact in expected]
    assert [fact["type"] for fact in actual] == kinds
    for fact, wanted in zip(actual, expected, strict=True):
        if not isinstance(wanted, str):
            assert {member: fact.get(member) for member in wanted} == wanted


def assert_pointers(document: Any, expected: Mapping[str, Any]) -> None:
    assert {pointer: look(document, pointer) for pointer in expected} == expected


def look(document: Any, pointer: str) -> Any:
    """What a JSON pointer (RFC 6901) shows."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document
