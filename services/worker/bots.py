"""Bots, and seats that a bot plays on for: they see what their seat sees, and act like any client.

A bot looks, thinks, and only then is its action appended. What others append meanwhile costs it the thought only if its
question is no longer asked, or its answer no longer allowed.
"""

from typing import Any

import msgspec

from events import acts
from events.game import Game, ruleset_of
from events.scribe import Page
from games.chance import Stream
from games.kernel import IllegalAction, Refusal
from projections.owed import Owed, owed
from services.core import metrics
from services.core.faults import fault
from services.core.ledger import Change, Dossier, Ledger
from services.worker.thought import THOUGHT

STAND_IN = "greedy"
"""The level at which a withdrawn seat is played on."""


class DecisionPassed(Refusal):
    """Someone else has made this decision, or it is asked no more."""


def next_turn(game: Game, kind: str = "bot") -> Owed | None:
    """The first decision that waits for a bot, or (`think`) for one that searches."""
    return next((work for work in owed(game) if work.kind == kind), None)


def play_bot(ledger: Ledger, looked: Dossier, seat: int, decision: int) -> Game:
    """Let the bot at a seat, who has looked at the game, decide what entry number `decision` asked. The game after it."""
    while True:
        check_asked(looked.game, seat, decision)
        action = think(ledger, looked, seat)
        fault("in the middle of a bot's move")
        try:
            return append(ledger, looked.game.id, seat, decision, action)
        except IllegalAction:
            now = ledger.get(looked.game.id)
            if now.game.version == looked.game.version:
                raise
            looked = now


def check_asked(game: Game, seat: int, decision: int) -> None:
    """Refuse to go on with a decision that is not asked for."""
    if game.decisions.get(seat) != decision:
        raise DecisionPassed("decision_passed", f"Seat {seat} is not asked for decision {decision}.")


def think(ledger: Ledger, looked: Dossier, seat: int) -> Any:
    """What the bot at a seat does in the game that it looked at, with dice for this look alone."""
    game = looked.game
    ruleset = ruleset_of(game, ledger.rulesets)
    level = game.chairs[seat].bot or STAND_IN
    dice = Stream(looked.seed, f"bot/{seat}/{game.version}")
    with THOUGHT.at_hand(), metrics.THOUGHT_SECONDS.labels(level).time():
        action = ruleset.bot(level).choose(ruleset.view(game.state, seat), seat, dice)
    return msgspec.to_builtins(action)


def append(ledger: Ledger, game_id: str, seat: int, decision: int, action: Any) -> Game:
    """Append the action if the decision still stands, whatever else has come. The game after it."""

    def write(page: Page, dossier: Dossier) -> None:
        check_asked(dossier.game, seat, decision)
        acts.act(page, seat, action, ledger.rulesets, dossier.seed)

    change = ledger.change(game_id, write)
    assert isinstance(change, Change), "only requests with a key can be repeats"
    return change.game
