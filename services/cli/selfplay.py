"""Built-in players against each other: whole games on the rules alone, with no server."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from games.chance import Chance, Stream
from games.kernel import Bot, Outcome, Ruleset
from replays.record import write_record
from services.cli.parallel import map_in_processes
from services.cli.selfplay_record import Move, selfplay_record


class SelfplayResult(msgspec.Struct, frozen=True):
    """A finished game in short."""

    outcome: Outcome
    actions: int
    length: int
    """Turns or rounds, whichever the game counts."""
    bots: tuple[int, ...]
    """Which of the bots sat at each seat."""
    decisions: tuple[int, ...]
    """How many decisions each seat has made."""
    seconds: tuple[float, ...]
    """The processor time that each seat took for them."""


class BrokenGame(Exception):
    """A game that could not be played to its end: a fault of its rules or bots. The message names the seed."""


@dataclass(frozen=True)
class Match:
    """Bots that play a number of games, each of which is numbered and has a seed."""

    ruleset: Ruleset[Any, Any]
    options: Mapping[str, Any]
    levels: tuple[str, ...]
    swap: bool = False
    """Whether everyone moves on by a seat from game to game."""
    records: Path | None = None
    """A directory for the records of the games."""

    def play(self, number: int, seed: bytes) -> SelfplayResult:
        """One game from its set-up to its end."""
        seats = len(self.levels)
        bots = tuple((seat - number * self.swap) % seats for seat in range(seats))
        levels = [self.levels[bot] for bot in bots]
        moves: list[Move] = []
        players = [self.ruleset.bot(level) for level in levels]
        result = play_with(self.ruleset, self.options, players, seed, moves)
        if self.records:
            record = selfplay_record(self.ruleset, self.options, levels, seed, moves)
            (self.records / f"{number:04}.json").write_bytes(write_record(record))
        return msgspec.structs.replace(result, bots=bots)


def play_game(
    ruleset: Ruleset[Any, Any], options: Mapping[str, Any], seats: int, bots: Sequence[str], seed: bytes
) -> SelfplayResult:
    """One game of built-in players; `bots` gives each seat's level."""
    return play_with(ruleset, options, [ruleset.bot(level) for level in bots], seed, [])


def play_with(
    ruleset: Ruleset[Any, Any],
    options: Mapping[str, Any],
    players: Sequence[Bot[Any, Any]],
    seed: bytes,
    moves: list[Move],
) -> SelfplayResult:
    """One game of these players, each of whom chooses from its own view; what they do is added to the moves."""
    state = ruleset.fold(None, ruleset.new_game(options, len(players), Chance(seed)))
    decisions, seconds = [0] * len(players), [0.0] * len(players)
    while state.outcome is None:
        seat = state.to_act[0]
        view, dice = ruleset.view(state, seat), Stream(seed, f"bot/{seat}/{len(moves)}")
        began = process_time()
        action = players[seat].choose(view, seat, dice)
        seconds[seat] += process_time() - began
        decisions[seat] += 1
        state = ruleset.play(state, seat, action, Chance(seed)).state
        moves.append((seat, action))
    length = getattr(state, unit_of_length(ruleset))
    return SelfplayResult(
        state.outcome, len(moves), length, tuple(range(len(players))), tuple(decisions), tuple(seconds)
    )


def unit_of_length(ruleset: Ruleset[Any, Any]) -> str:
    """What a game counts: its `turn` or its `round`."""
    return "turn" if "turn" in ruleset.state_type.__struct_fields__ else "round"


def seeds(first: bytes, games: int) -> Iterator[bytes]:
    """As many seeds as games: the first as it is, the others derived from it."""
    for number in range(games):
        yield sha256(first + number.to_bytes(8, "big")).digest() if number else first


def play_many(
    game: Callable[[int, bytes], SelfplayResult], seeds: Iterable[bytes], jobs: int
) -> AbstractContextManager[Iterator[SelfplayResult]]:
    """Games on several processes at once (one job: in this one); their results come as they end."""
    return map_in_processes(partial(_play_or_name, game), enumerate(seeds), jobs)


def _play_or_name(
    game: Callable[[int, bytes], SelfplayResult], numbered: tuple[int, bytes]
) -> SelfplayResult:
    number, seed = numbered
    try:
        return game(number, seed)
    except Exception as error:
        raise BrokenGame(f"The game with seed {seed.hex()} broke: {error!r}") from error


class Tally:
    """What many games came to."""

    def __init__(self, results: Iterable[SelfplayResult]) -> None:
        self.results = list(results)

    @property
    def reasons(self) -> Counter[str]:
        """How many games ended for which reason."""
        return Counter(result.outcome.reason for result in self.results)

    @property
    def wins(self) -> Counter[int]:
        """How many games each bot won, alone or with others."""
        return Counter(result.bots[seat] for result in self.results for seat in result.outcome.winners)

    @property
    def shared(self) -> int:
        """How many games several seats won together."""
        return sum(len(result.outcome.winners) > 1 for result in self.results)

    @property
    def won_by_nobody(self) -> int:
        """How many games had no winner."""
        return sum(not result.outcome.winners for result in self.results)

    def scores_of(self, bot: int) -> list[int]:
        """What a bot scored, game by game."""
        return [result.outcome.scores[result.bots.index(bot)] for result in self.results]

    def seconds_of(self, bot: int) -> float:
        """How much processor time a decision of a bot took in the mean."""
        seats = [(result, result.bots.index(bot)) for result in self.results]
        decisions = sum(result.decisions[seat] for result, seat in seats)
        return sum(result.seconds[seat] for result, seat in seats) / max(decisions, 1)
