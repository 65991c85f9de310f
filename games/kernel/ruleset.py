"""A ruleset: one table that says what a game is made of, and all that can be done with any game by that table alone.

A game is a sequence of facts. `decide` says which facts follow from an action; facts are applied to a state, and
redacted facts to a view. Nothing here knows a clock, a network or a store.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, reduce
from operator import or_
from typing import Any, Generic, cast

import msgspec

from games.canonical import digest
from games.chance import Chance
from games.components import ComponentSet
from games.kernel.bots import BOT_LEVELS, SEARCHING, Bot, RandomBot
from games.kernel.complaints import complaint, nests_deeper
from games.kernel.grammar import A, Action, Course, Fact, GameEnded, GameSetUp, S, Seat, SeatVacated, Viewer
from games.kernel.guide import Guide, language_of, read_guide
from games.kernel.lessons import Lesson, read_lessons
from games.kernel.prospects import UNJUDGED, Prospects
from games.kernel.refusals import IllegalAction, InvalidSetup, Objection, Refusal, UnknownRuleset
from games.kernel.zones import Zones
from games.search import Strong
from games.words import Words

DEEPEST = 64
"""Levels that a position may nest, as many as a request."""

Position = Mapping[str, Any]
"""What a caller gives to start from: any part of a state, as JSON."""


def _nothing_more(course: Course[Any]) -> None:
    """No step follows by itself."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Ruleset(Generic[S, A]):
    """One version of one game. A released (name, version) is frozen: a changed rule is a new version."""

    name: str
    version: int
    seat_counts: range
    words: Mapping[str, Words]
    """Words for people, by language (`en`, `fr`); the game's own title is the name of its ruleset."""
    state_type: type[S]
    options_type: type[msgspec.Struct]
    """Every option with its default; `component_set` among them."""
    action_types: tuple[type[Action[S]], ...]
    fact_types: tuple[type[Fact[Any]], ...]
    component_sets: Mapping[str, ComponentSet[Any]]
    zones: Zones[S]
    """Where components lie and who sees them."""

    opening: Callable[[Any, int, Chance, Position | None], Course[S]]
    """From options (as `read_options` gives them), seats, chance and position to the first decision."""
    choices: Callable[[S, Seat], Iterable[A]]
    """Every action that is accepted from a seat that is to act, in canonical form; its own view gives the same."""
    ending: Callable[[S, tuple[Seat, ...], str], GameEnded[S]]
    """The end of the game as things stand, with these winners and for this reason."""
    greedy: Bot[S, A]
    """A built-in player that plays sensibly."""
    prospects: Prospects[S, A] = UNJUDGED
    """What somebody who looks ahead must know."""
    afterwards: Callable[[Course[S]], None] = _nothing_more
    """What the rules do by themselves after every action."""

    def __repr__(self) -> str:
        return f"<Ruleset {self.name} {self.version}>"

    def __getstate__(self) -> dict[str, Any]:
        """What a process is told of a ruleset that works on it: the table, not what was worked out from it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    # -- playing ------------------------------------------------------------------------------------------------

    def decide(self, state: S, seat: Seat, action: A, chance: Chance) -> list[Fact[S]]:
        """The facts that follow from an action; raises IllegalAction and changes nothing if it is refused."""
        return self.play(state, seat, action, chance).facts

    def play(self, state: S, seat: Seat, action: A, chance: Chance) -> Course[S]:
        """`decide`, with the state that the facts lead to."""
        objection = self.against(state, seat, action)
        if objection:
            raise IllegalAction(objection.code, objection.sentence)
        course = Course(state, chance)
        action.happen(course, seat)
        self.afterwards(course)
        return course

    def against(self, state: S, seat: Seat, action: A) -> Objection | None:
        """The first rule that an action breaks: those common to all games, in their fixed order, then its own."""
        if state.phase == "ended":
            return Objection("game_over", "The game is over.")
        if seat not in state.to_act:
            awaited = ", ".join(f"seat {other}" for other in state.to_act)
            return Objection("not_your_turn", f"It is not your turn. To act now: {awaited}.")
        if state.phase not in action.phases:
            kind = action.__struct_config__.tag
            return Objection("wrong_phase", f"`{kind}` does not belong to the phase `{state.phase}`.")
        return action.against(state, seat)

    def legal_actions(self, state: S, seat: Seat) -> list[A]:
        """Every action `decide` accepts from this seat, in canonical form; a view of that seat gives the same."""
        return list(self.choices(state, seat)) if seat in state.to_act else []

    def canonical(self, state: S, seat: Seat, action: A) -> A:
        """The one form of this action that the list of legal actions holds."""
        return action.canonical(state, seat)

    def fold(self, state: S | None, facts: Iterable[Fact[S]]) -> S:
        """The state after all these facts; a game's first fact needs no state before it."""
        for fact in facts:
            state = fact.apply(state)  # type: ignore[arg-type]  # game_set_up alone may follow None, and replaces it
        if state is None:
            raise ValueError("no facts, no state")
        return state

    def end_now(self, state: S, winners: tuple[Seat, ...], reason: str) -> Fact[S]:
        """The game's `game_ended` as things stand."""
        return self.ending(state, winners, reason)

    def withdraw(self, state: S, seat: Seat, cause: Any) -> list[Fact[S]]:
        """A seat gives up or runs out of time (`resigned`, `timed_out`): the same in all games."""
        others = tuple(s for s in range(len(state.players)) if s != seat)
        if len(others) == 1:
            return [self.end_now(state, others, cause)]
        vacated: Fact[S] = SeatVacated(seat, cause)
        state = vacated.apply(state)
        alone = len(state.staying) == 1
        return [vacated, self.end_now(state, state.staying, "last_player")] if alone else [vacated]

    def bot(self, level: str) -> Bot[S, A]:
        """A built-in player by level."""
        match level:
            case "random":
                return RandomBot(self.legal_actions)
            case "greedy":
                return self.greedy
            case _ if level in SEARCHING:
                return Strong(self, round(SEARCHING[level] * self.prospects.playouts))
        raise Refusal("unknown_bot", f"There is no bot {level!r}; choose one of {', '.join(BOT_LEVELS)}.")

    # -- who sees what ------------------------------------------------------------------------------------------

    def view(self, state: S, viewer: Viewer) -> S:
        """The state as a viewer may see it: hidden zones are null, their counts stay."""
        return self.zones.view(state, viewer)

    def redact(self, fact: Fact[S], viewer: Viewer) -> Fact[S]:
        """A fact as a viewer may see it."""
        if isinstance(fact, GameSetUp):
            return GameSetUp(self.view(fact.state, viewer))
        return fact.seen_by(viewer)

    def redact_action(self, action: Mapping[str, Any], seat: Seat, viewer: Viewer) -> Mapping[str, Any]:
        """An action of a seat, as it was sent, as a viewer may see it."""
        return action if viewer == seat else self._actions_by_type[action["type"]].shown_to_others(action)

    @cached_property
    def state_shape(self) -> str:
        """What tells states of this shape from states of any other, for those who keep some."""
        return digest(msgspec.json.schema(self.state_type))[:16]

    @property
    def names(self) -> Mapping[str, Mapping[str, str]]:
        """What things are called, by language, then by id."""
        return {language: words.names for language, words in self.words.items()}

    def guide(self, language: str) -> Guide | None:
        """The player's guide, in English if there is none in this language; None if the game has no guide."""
        few, many = self.seat_counts[0], self.seat_counts[-1]
        return read_guide(self.name, language_of(language), (few, many))

    def lessons(self, language: str) -> tuple[Lesson, ...]:
        """The guided first games, with their texts in this language."""
        return read_lessons(self.name, language_of(language))

    # -- reading what comes from outside ------------------------------------------------------------------------

    def new_game(
        self, options: Mapping[str, Any] | None, seats: int, chance: Chance, position: Position | None = None
    ) -> list[Fact[S]]:
        """The opening facts from what a caller sent: options, then seats, then the position are checked."""
        chosen = self.read_options(options)
        self.check_seats(seats)
        return self.setup(chosen, seats, chance, position)

    def setup(
        self, options: Any, seats: int, chance: Chance, position: Position | None = None
    ) -> list[Fact[S]]:
        """The opening facts of a game with these options (as `read_options` gives them)."""
        return self.begin(options, seats, chance, position).facts

    def begin(self, options: Any, seats: int, chance: Chance, position: Position | None = None) -> Course[S]:
        """`setup`, with the state that the facts lead to."""
        if nests_deeper(position, DEEPEST):
            raise InvalidSetup("invalid_position", f"A position nests at most {DEEPEST} levels deep.")
        return self.opening(options, seats, chance, position)

    def read_action(self, raw: Any) -> A:
        """An action from its JSON value: `unknown_action` and `malformed_action` are decided here, by shape alone."""
        if not isinstance(raw, dict):
            raise IllegalAction("malformed_action", "An action is a JSON object.")
        kind = raw.get("type")
        action_type = self._actions_by_type.get(kind) if isinstance(kind, str) else None
        if action_type is None:
            kinds = ", ".join(self._actions_by_type)
            raise IllegalAction("unknown_action", f"An action's `type` is one of: {kinds}.")
        try:
            return cast(A, msgspec.convert(raw, action_type))
        except msgspec.ValidationError as error:
            raise IllegalAction("malformed_action", f"`{kind}`: {complaint(error, action_type)}.") from None

    def read_facts(self, raw: Sequence[Any]) -> Sequence[Fact[S]]:
        """The facts of an entry, as the log holds them, or typed as they were decided."""
        if not raw or isinstance(raw[0], Fact):
            return raw
        return cast(Sequence[Fact[S]], msgspec.convert({"facts": raw}, self.facts_of_an_entry).facts)

    def read_state(self, raw: Any) -> S:
        """A full state or a view from its JSON value."""
        return msgspec.convert(raw, self.state_type)

    def read_options(self, raw: Mapping[str, Any] | None) -> Any:
        """The options in force, defaults filled in; refuses unknown members, values and component sets."""
        try:
            options = msgspec.convert({} if raw is None else raw, self.options_type)
        except msgspec.ValidationError as error:
            wrong = complaint(error, self.options_type)
            raise InvalidSetup("invalid_options", f"Options of {self.name}: {wrong}.") from None
        chosen = options.component_set  # type: ignore[attr-defined]  # every options type has it
        if chosen not in self.component_sets:
            names = ", ".join(self.component_sets)
            raise InvalidSetup("invalid_options", f"There is no component set {chosen!r}; known: {names}.")
        return options

    def check_seats(self, seats: int) -> None:
        """Refuse a number of players this game is not for."""
        if seats not in self.seat_counts:
            few, many = self.seat_counts[0], self.seat_counts[-1]
            number = f"{few}" if few == many else f"{few} to {many}"
            raise InvalidSetup("invalid_seats", f"{self.name} is for {number} players, not {seats}.")

    def component_set(self, options: Any) -> ComponentSet[Any]:
        """The component set that these options choose."""
        return self.component_sets[options.component_set]

    @cached_property
    def _actions_by_type(self) -> Mapping[str, type[Action[S]]]:
        return {str(kind.__struct_config__.tag): kind for kind in self.action_types}

    @cached_property
    def facts_of_an_entry(self) -> type[Any]:
        """The type by which the facts of an entry are read."""
        kinds = [kind[self.state_type] if kind.__parameters__ else kind for kind in self.fact_types]  # type: ignore[attr-defined, index]  # the kernel's own facts are generic
        any_fact: Any = reduce(or_, kinds)
        return msgspec.defstruct("FactsOfAnEntry", [("facts", tuple[any_fact, ...])])


class Registry:
    """The rulesets at hand, by name and version."""

    def __init__(self, rulesets: Iterable[Ruleset[Any, Any]]) -> None:
        self._rulesets = {(ruleset.name, ruleset.version): ruleset for ruleset in rulesets}

    def __iter__(self) -> Iterator[Ruleset[Any, Any]]:
        return iter(self._rulesets.values())

    def get(self, name: str, version: int) -> Ruleset[Any, Any]:
        """This very version, as a game that began with it needs."""
        try:
            return self._rulesets[name, version]
        except KeyError:
            raise UnknownRuleset(
                "ruleset_version_missing", f"Ruleset {name!r} version {version} is not here."
            ) from None

    def latest(self, name: str) -> Ruleset[Any, Any]:
        """The newest version, as a new game takes it."""
        versions = self.versions(name)
        if not versions:
            names = ", ".join(sorted({name for name, _ in self._rulesets}))
            raise UnknownRuleset("unknown_ruleset", f"There is no ruleset {name!r}; known: {names}.")
        return self._rulesets[name, versions[-1]]

    def versions(self, name: str) -> list[int]:
        """Every version of a ruleset, oldest first."""
        return sorted(version for other, version in self._rulesets if other == name)
