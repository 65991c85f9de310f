"""Two kinds of players against each other, game by game."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from bench.opponents import player_of
from games import RULESETS
from games.chance import Stream
from games.kernel import Bot, Seat
from services.cli.selfplay import play_with


class Game(NamedTuple):
    """A game in short: which part of the win was ours, and the processor time of our decisions."""

    won: float
    decisions: int
    seconds: float


@dataclass(frozen=True)
class Pairing:
    """A player at one seat, its opponent at all others."""

    ruleset: str
    player: str
    opponent: str
    past: str
    """Where the first round's code lies."""

    @property
    def name(self) -> str:
        return f"{self.ruleset}/{self.player}/{self.opponent}"


class Timed(Bot[Any, Any]):
    """A player whose decisions are counted and timed, where there is more than one legal action."""

    def __init__(self, bot: Bot[Any, Any], ruleset: Any) -> None:
        self._bot, self._ruleset = bot, ruleset
        self.decisions, self.seconds = 0, 0.0

    def choose(self, view: Any, seat: Seat, dice: Stream) -> Any:
        has_choice = len(self._ruleset.legal_actions(view, seat)) > 1
        began = process_time()
        action = self._bot.choose(view, seat, dice)
        if has_choice:
            self.decisions += 1
            self.seconds += process_time() - began
        return action


def play(pairing: Pairing, number: int) -> tuple[int, Game]:
    """One game, with its number. Each deal is played from every seat, so that luck is the same for both."""
    knows_first_rules_only = "first" in (pairing.player, pairing.opponent)
    ruleset = RULESETS.get(pairing.ruleset, 1) if knows_first_rules_only else RULESETS.latest(pairing.ruleset)
    seats = ruleset.seat_counts[0]
    mine = number % seats
    seed = sha256(f"strength/{pairing.ruleset}/{number // seats}".encode()).digest()
    me = Timed(player_of(ruleset, pairing.player, Path(pairing.past)), ruleset)
    other = player_of(ruleset, pairing.opponent, Path(pairing.past))
    players: Sequence[Bot[Any, Any]] = [me if seat == mine else other for seat in range(seats)]
    winners = play_with(ruleset, {}, players, seed, []).outcome.winners or range(seats)
    return number, Game((mine in winners) / len(winners), me.decisions, round(me.seconds, 3))
