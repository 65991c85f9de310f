"""The alternatives to one decision: what the seat could have done, by what it knew then and with open cards."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from events.game import Game
from games.chance import Chance, Stream
from games.kernel import Ruleset, Seat
from games.search import weigh, worlds_seen
from replays.review.playouts import Playouts, Worlds, mean, standard_error
from replays.review.wins import way_to_win

MAX_ALTERNATIVES = 3
"""Alternatives that are told."""
SEEMINGLY = 1.0
"""What is ahead by so many standard errors of the difference is looked at in as many worlds once more …"""
CLEARLY = 2.5
"""… and is better if in all of them it is ahead by so many: of hundreds of moves, some seem better by chance …"""
LEAST = 0.02
"""… and by so much at all."""
DRAWS = 6
"""Worlds by which is told what of an alternative chance would have decided."""
GUESSES = 4
"""Worlds by which is told whether two who look at a game know the same, or one knows the same as before."""


class Alternative(msgspec.Struct, frozen=True):
    """Something that the seat could do, what its chance would have been, and what would have happened first."""

    action: dict[str, Any]
    chance: int
    fact: dict[str, Any]


class Alternatives(NamedTuple):
    """What a move was worth to its seat, and what was clearly worth more, best first."""

    chance: int
    better: tuple[Alternative, ...]


class ChoiceMade(NamedTuple):
    """A seat that decides, the position it was asked in, and what it did."""

    seat: Seat
    state: Any
    action: Any


def choice_of(playouts: Playouts, seat: Seat, raw: Any, before: Game, asked: Any) -> ChoiceMade:
    """A decision as such: where several seats decide at once, none knows what the others have chosen meanwhile."""
    ruleset = playouts.ruleset
    action = ruleset.read_action(raw)
    state = before.state if ruleset.against(asked, seat, action) else asked
    return ChoiceMade(seat, state, ruleset.canonical(state, seat, action))


def number_of_choices(playouts: Playouts, choice: ChoiceMade) -> int:
    """How many actions there were that do not lead to the same."""
    legal = playouts.ruleset.legal_actions(choice.state, choice.seat)
    return len({_kind(playouts, choice, action) for action in legal})


def by_knowledge(playouts: Playouts, choice: ChoiceMade, tries: int, checks: int) -> Alternatives:
    """What would have been better by what the seat could know."""
    return _alternatives(playouts, choice, _worlds_known(playouts, choice), tries, checks)


def sure_win(playouts: Playouts, choice: ChoiceMade, tries: int) -> Alternative | None:
    """What begins a win that nobody can hinder, if the seat did something else."""
    way = way_to_win(playouts, choice.seat, _worlds_known(playouts, choice), tries)
    if not way or _kind(playouts, choice, way[0]) == _kind(playouts, choice, choice.action):
        return None
    return Alternative(msgspec.to_builtins(way[0]), 1000, _first_fact(playouts, choice, way[0]))


def with_win(alternatives: Alternatives, win: Alternative) -> Alternatives:
    """A sure win is before all else that was better, unless what was played wins as surely."""
    if alternatives.chance == 1000:
        return alternatives
    others = [option for option in alternatives.better if option.action != win.action]
    return alternatives._replace(better=(win, *others)[:MAX_ALTERNATIVES])


def knows_all(playouts: Playouts, choice: ChoiceMade) -> bool:
    """Whether the seat saw all that anybody saw: open cards would have told it nothing."""
    known, true = _worlds_known(playouts, choice), _worlds_open(playouts, choice)
    return all(
        known(playouts.dice(f"guess/{guess}")) == true(playouts.dice(f"guess/{guess}"))
        for guess in range(GUESSES)
    )


def _worlds_known(playouts: Playouts, choice: ChoiceMade) -> Worlds:
    return worlds_seen(playouts.ruleset, playouts.ruleset.view(choice.state, choice.seat), choice.seat)


def with_open_cards(playouts: Playouts, choice: ChoiceMade, tries: int, checks: int) -> Alternatives:
    """The same if every hand had lain open; what nobody knew is drawn anew here too."""
    return _alternatives(playouts, choice, _worlds_open(playouts, choice), tries, checks)


def _worlds_open(playouts: Playouts, choice: ChoiceMade) -> Worlds:
    def world(dice: Stream) -> Any:
        redrawn = playouts.ruleset.zones.redrawn(choice.state, dice)
        return playouts.ruleset.prospects.reopened(redrawn, choice.seat)

    return world


def _alternatives(
    playouts: Playouts, choice: ChoiceMade, worlds: Worlds, tries: int, checks: int
) -> Alternatives:
    """The search proposes; worlds that it has not seen decide, so that nothing seems better by being chosen."""
    weighed = weigh(playouts.ruleset, choice.seat, worlds, playouts.dice("weigh"), tries)
    kind = _kind(playouts, choice, choice.action)
    ranking = [each.action for each in weighed]
    ahead = ranking[
        : next(
            (at for at, each in enumerate(ranking) if _kind(playouts, choice, each) == kind), MAX_ALTERNATIVES
        )
    ]
    chance, better = _better(playouts, choice, worlds, ahead[:MAX_ALTERNATIVES], checks)
    options = [
        Alternative(msgspec.to_builtins(action), round(1000 * chance), _first_fact(playouts, choice, action))
        for action, chance in better
    ]
    return Alternatives(
        round(1000 * chance), tuple(sorted(options, key=lambda option: option.chance, reverse=True))
    )


def _better(
    playouts: Playouts, choice: ChoiceMade, worlds: Worlds, actions: Sequence[Any], checks: int
) -> tuple[float, list[tuple[Any, float]]]:
    """What the move was worth, and those of some actions that are clearly worth more."""
    first, second = range(checks), range(checks, 2 * checks)
    played, *others = playouts.compare(choice.seat, worlds, [choice.action, *actions], first)
    seeming = [
        (action, chances)
        for action, chances in zip(actions, others, strict=True)
        if _is_ahead(chances, played, SEEMINGLY)
    ]
    if not seeming:
        return mean(played), []
    again = [choice.action, *(action for action, _ in seeming)]
    played_again, *others_again = playouts.compare(choice.seat, worlds, again, second)
    played = played + played_again
    whole = [(action, chances + more) for (action, chances), more in zip(seeming, others_again, strict=True)]
    return mean(played), [
        (action, mean(chances)) for action, chances in whole if _is_ahead(chances, played, CLEARLY)
    ]


def _kind(playouts: Playouts, choice: ChoiceMade, action: Any) -> Any:
    return playouts.ruleset.prospects.alike(choice.state, choice.seat, action)


def _is_ahead(chances: Sequence[float], of: Sequence[float], errors: float) -> bool:
    """Whether the mean of some chances is higher by so many standard errors, and by enough."""
    ahead = [one - other for one, other in zip(chances, of, strict=True)]
    return mean(ahead) >= LEAST and mean(ahead) > errors * standard_error(ahead)


def _first_fact(playouts: Playouts, choice: ChoiceMade, action: Any) -> dict[str, Any]:
    def world(dice: Stream) -> Any:
        return playouts.ruleset.zones.redrawn(choice.state, dice)

    return first_fact(playouts.ruleset, world, choice.seat, action, playouts.dice)


def first_fact(
    ruleset: Ruleset[Any, Any], worlds: Worlds, seat: Seat, action: Any, dice_of: Callable[[str], Stream]
) -> dict[str, Any]:
    """What a seat would do, as the fact that tells it; what differs from world to world is null."""
    facts = []
    for number in range(DRAWS):
        dice = dice_of(f"fact/{number}")
        world = worlds(dice)
        course = ruleset.play(world, seat, action, Chance(dice.word().to_bytes(8, "big")))
        facts.append(msgspec.to_builtins(course.facts[0]))
    return {
        member: value if all(fact.get(member) == value for fact in facts) else None
        for member, value in facts[0].items()
    }
