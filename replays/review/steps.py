"""The steps of a review, one per entry: the chances of each position, the worth of each decision, the luck of each draw.

A step depends on nothing but the log and the budget: whoever is broken off goes on from the steps that are there, and
comes to the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from events.consequences import opening
from events.entries import ActionTaken, Carved, GameAdjudicated, GameStarted, SeatWithdrawn
from events.game import Game, ruleset_of, unfold
from games.chance import Chance, Stream
from games.kernel import Refusal, Registry, Ruleset
from replays.review.choices import (
    GUESSES,
    Alternative,
    by_knowledge,
    choice_of,
    knows_all,
    number_of_choices,
    sure_win,
    with_open_cards,
    with_win,
)
from replays.review.playouts import Playouts, per_mille, seed_of, short_sighted

POSITION_ENTRIES = (GameStarted, ActionTaken, SeatWithdrawn, GameAdjudicated)
"""Entries that lead to another position."""
WHOLE_GAME = 120
"""The search of a whole review takes about as long as `strong` takes for so many decisions; with what confirms it,
a review takes one to three minutes of one core.

One decision has no more playouts than `strong`, however few there are: who cancels is heard in between."""
MIN_PLAYOUTS = 24
"""Playouts of which a part has as many as it can: fewer hardly tell a chance from luck."""
MIN_SEARCH_TRIES = 60
"""Tries of which the search has as many as it can: with fewer it looks at hardly anything but the usual."""


class NothingToReview(Refusal):
    """A game that was called off before it began."""

    def __init__(self) -> None:
        super().__init__(
            "nothing_to_review", "This game was called off before it began: nobody decided anything."
        )


class Decision(msgspec.Struct, frozen=True):
    """What a seat decided by one entry. Chances are in thousandths."""

    version: int
    seat: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    choices: int
    """How many actions there were that do not lead to the same; 1: the move was forced."""
    action: dict[str, Any]
    fact: dict[str, Any]
    """What the seat did, as the first fact of the entry."""
    chance: int | None
    """What the move was worth to its seat by what it could know; None if it was forced."""
    better: tuple[Alternative, ...]
    lost: int
    """By how much the best alternative was better; 0 if none clearly was."""
    open_chance: int | None
    open: tuple[Alternative, ...]
    """The same with all hands open."""
    luck: tuple[int, ...] | None
    """What the draws of this entry gave each seat against the average of other draws; None if nothing was drawn."""


class Step(msgspec.Struct, frozen=True):
    """One entry: how likely each seat was to win after it, what its draws gave, and what was decided."""

    version: int
    chances: tuple[int, ...]
    luck: tuple[int, ...] | None = None
    decision: Decision | None = None
    news: bool = False
    """Whether who decided knew more afterwards: by a draw, or because others showed what they had kept to themselves."""


class Budget(NamedTuple):
    """Playouts for the parts of one step; a decision has about `whole` of them."""

    whole: int

    @property
    def position(self) -> int:
        return max(2, min(MIN_PLAYOUTS, self.whole // 3), self.whole // 8)

    @property
    def tries(self) -> int:
        return max(2, min(MIN_SEARCH_TRIES, self.whole), self.whole * 3 // 8)

    @property
    def open_tries(self) -> int:
        return max(2, self.whole // 8)

    @property
    def checks(self) -> int:
        return max(6, min(MIN_PLAYOUTS, self.whole // 3), self.whole // 12)


def budget_for(entries: Sequence[Carved], ruleset: Ruleset[Any, Any], playouts: int | None = None) -> Budget:
    """So many playouts for each decision, or what keeps the whole game within bounds: those of more seats take longer."""
    strong = ruleset.prospects.playouts
    decisions = sum(isinstance(carved.data, ActionTaken) for carved in entries) or 1
    seats = entries[0].data.seats
    return Budget(playouts or max(1, min(strong, WHOLE_GAME * strong * 2 // (decisions * seats))))


def number_of_steps(entries: Sequence[Carved]) -> int:
    return sum(isinstance(carved.data, POSITION_ENTRIES) for carved in entries)


def check_reviewable(entries: Sequence[Carved]) -> None:
    if not number_of_steps(entries):
        raise NothingToReview


def steps(
    entries: Sequence[Carved], rulesets: Registry, done: Mapping[int, Step], playouts: int | None = None
) -> Iterator[Step]:
    """Every step of a game; those that are done already are taken as they are."""
    check_reviewable(entries)
    walk: Walk | None = None
    for carved, game in unfold(entries, rulesets):
        if isinstance(carved.data, POSITION_ENTRIES):
            if walk is None:
                ruleset = ruleset_of(game, rulesets)
                budget = budget_for(entries, ruleset, playouts)
                walk = Walk(Playouts(short_sighted(ruleset), seed_of(entries)), budget)
            yield walk.step(carved, game, done.get(game.version))


class Walk:
    """Where a review stands."""

    def __init__(self, playouts: Playouts, budget: Budget) -> None:
        self.playouts, self.budget = playouts, budget
        self.ruleset = playouts.ruleset
        self._states: dict[int, Any] = {}
        """Positions by version: that in which a seat was asked may lie a while back."""
        self._before: Game | None = None
        self._chances: tuple[int, ...] = ()

    def step(self, carved: Carved, game: Game, done: Step | None) -> Step:
        """The step of an entry and the game it led to."""
        step = done or self._look(carved, game)
        self._states[game.version] = game.state
        self._before, self._chances = game, step.chances
        return step

    def _look(self, carved: Carved, game: Game) -> Step:
        chances = self._position(game.state)
        luck = self._luck(carved, game, chances)
        if self._before is None or not isinstance(carved.data, ActionTaken):
            return Step(game.version, chances, luck)
        decision = self._decision(carved, self._before, chances, luck)
        news = luck is not None or self._brings_news(carved, self._before, game)
        return Step(game.version, chances, luck, decision, news)

    def _position(self, state: Any) -> tuple[int, ...]:
        """How likely each seat is to win with all hands open; what nobody knows is drawn anew."""
        if state.outcome is not None:
            return per_mille(self.ruleset.prospects.chances(state))
        zones = self.ruleset.zones
        return per_mille(
            self.playouts.chances(lambda dice, chance: zones.redrawn(state, dice), self.budget.position)
        )

    def _decision(
        self, carved: Carved, before: Game, after: tuple[int, ...], luck: tuple[int, ...] | None
    ) -> Decision:
        seat, raw = carved.entry.actor["seat"], carved.data.action
        asked = self._states.get(before.decisions[seat], before.state)
        choice = choice_of(self.playouts, seat, raw, before, asked)
        number = number_of_choices(self.playouts, choice)
        known = opened = None
        if number > 1:
            known = by_knowledge(self.playouts, choice, self.budget.tries, self.budget.checks)
            opened = known
            if not knows_all(self.playouts, choice):
                opened = with_open_cards(self.playouts, choice, self.budget.open_tries, self.budget.checks)
            if win := sure_win(self.playouts, choice, self.budget.whole):
                known, opened = with_win(known, win), with_win(opened, win)
        return Decision(
            version=carved.seq,
            seat=seat,
            before=self._chances,
            after=after,
            choices=number,
            action=raw,
            fact=msgspec.to_builtins(self.ruleset.read_facts(carved.data.facts)[0]),
            chance=known.chance if known else None,
            better=known.better if known else (),
            lost=known.better[0].chance - known.chance if known and known.better else 0,
            open_chance=opened.chance if opened else None,
            open=opened.better if opened else (),
            luck=luck,
        )

    def _brings_news(self, carved: Carved, before: Game, game: Game) -> bool:
        """Whether the seat that acted sees what it could not foresee: in some world that it held possible, something else."""
        seat, action = carved.entry.actor["seat"], self.ruleset.read_action(carved.data.action)
        view, seen = (self.ruleset.view(each.state, seat) for each in (before, game))

        def foreseen(guess: int) -> Any:
            dice = self.playouts.dice(f"guess/{guess}")
            world = self.ruleset.zones.determinise(view, seat, dice)
            course = self.ruleset.play(world, seat, action, Chance(dice.word().to_bytes(8, "big")))
            return self.ruleset.view(course.state, seat)

        return any(foreseen(guess) != seen for guess in range(GUESSES))

    # -- luck -------------------------------------------------------------------------------------------------------

    def _luck(self, carved: Carved, game: Game, chances: tuple[int, ...]) -> tuple[int, ...] | None:
        """What each seat has gained by the draws of an entry, against the same entry with other draws."""
        if not self._has_drawn(carved, game):
            return None

        def drawn_anew(dice: Stream, chance: Chance) -> Any:
            if self._before is None:
                return opening(self.ruleset, game, chance).state
            seat, action = carved.entry.actor["seat"], self.ruleset.read_action(carved.data.action)
            world = self.ruleset.zones.redrawn(self._before.state, dice)
            return self.ruleset.play(world, seat, action, chance).state

        usual = per_mille(self.playouts.chances(drawn_anew, self.budget.position))
        return tuple(one - other for one, other in zip(chances, usual, strict=True))

    def _has_drawn(self, carved: Carved, game: Game) -> bool:
        """Was anything shuffled, or taken from where nobody knows what lies there?"""
        if carved.data.random:
            return True
        if self._before is None or not isinstance(carved.data, ActionTaken):
            return False
        before, after = (self.ruleset.zones.piles(each.state) for each in (self._before, game))
        return any(_was_drawn_from(pile, after.get(place, ())) for place, pile in before.items())


def _was_drawn_from(pile: Sequence[Any], after: Sequence[Any]) -> bool:
    """Is it smaller, or in another order, since what was turned up went under it?"""
    return len(after) < len(pile) or (len(after) == len(pile) and after != pile)
