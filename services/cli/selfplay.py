"""Built-in players against each other: whole games on the rules alone, with no server and no log."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec

from games.chance import Chance, Stream
from games.kernel import Bot, Outcome, Ruleset
from services.cli.cores import on_cores


class Result(msgspec.Struct, frozen=True):
    """A finished game in short."""

    outcome: Outcome
    actions: int
    length: int
    """Turns or rounds, whichever the game counts."""


class BrokenGame(Exception):
    """A game that could not be played to its end: a fault of its rules or bots. The message names the seed."""


def play(
    ruleset: Ruleset[Any, Any], options: Mapping[str, Any], seats: int, bots: Sequence[str], seed: bytes
) -> Result:
    """One game from its set-up to its end; `bots` gives each seat's level."""
    return play_with(ruleset, options, [ruleset.bot(level) for level in bots], seed)


def play_with(
    ruleset: Ruleset[Any, Any], options: Mapping[str, Any], players: Sequence[Bot[Any, Any]], seed: bytes
) -> Result:
    """One game of these players, each of whom chooses from its own view."""
    state = ruleset.fold(None, ruleset.new_game(options, len(players), Chance(seed)))
    actions = 0
    while state.outcome is None:
        seat = state.to_act[0]
        dice = Stream(seed, f"bot/{seat}/{actions}")
        action = players[seat].choose(ruleset.view(state, seat), seat, dice)
        state = ruleset.play(state, seat, action, Chance(seed)).state
        actions += 1
    return Result(state.outcome, actions, getattr(state, unit_of_length(ruleset)))


def unit_of_length(ruleset: Ruleset[Any, Any]) -> str:
    """What a game counts: its `turn` or its `round`."""
    return "turn" if "turn" in ruleset.state_type.__struct_fields__ else "round"


def seeds(first: bytes, games: int) -> Iterator[bytes]:
    """As many seeds as games: the first as it is, the others derived from it."""
    for number in range(games):
        yield sha256(first + number.to_bytes(8, "big")).digest() if number else first


def play_many(
    game: Callable[[bytes], Result], seeds: Iterable[bytes], jobs: int
) -> AbstractContextManager[Iterator[Result]]:
    """Games on several processes at once (one job: in this one); their results come as they end."""
    return on_cores(partial(_play_or_name, game), seeds, jobs)


def _play_or_name(game: Callable[[bytes], Result], seed: bytes) -> Result:
    try:
        return game(seed)
    except Exception as error:
        raise BrokenGame(f"The game with seed {seed.hex()} broke: {error!r}") from error


class Tally:
    """What many games came to."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.results = list(results)

    @property
    def reasons(self) -> Counter[str]:
        """How many games ended for which reason."""
        return Counter(result.outcome.reason for result in self.results)

    @property
    def wins(self) -> Counter[int]:
        """How many games each seat won, alone or with others."""
        return Counter(seat for result in self.results for seat in result.outcome.winners)

    @property
    def shared(self) -> int:
        """How many games several seats won together."""
        return sum(len(result.outcome.winners) > 1 for result in self.results)

    @property
    def won_by_nobody(self) -> int:
        """How many games had no winner."""
        return sum(not result.outcome.winners for result in self.results)

    def scores_of(self, seat: int) -> list[int]:
        """What a seat scored, game by game."""
        return [result.outcome.scores[seat] for result in self.results]
