"""Bots, and seats that a bot plays on for: they see what their seat sees, and act like any client.

A bot looks, thinks, and only then is its action appended. What others append meanwhile costs it the thought only if its
question is no longer asked, or its answer no longer allowed.
"""

import time
from typing import Any

import msgspec

from events import commands
from events.batch import EntryBatch
from events.game import Game, ruleset_of
from games.chance import Stream
from games.kernel import SEARCHING, IllegalAction, Refusal
from projections.pending_work import PendingWork, pending_work
from services.core import metrics
from services.core.crash_points import crash_point
from services.core.ledger import Change, Dossier, Ledger
from services.worker.thinking import THINKING_GUARD

FIRST_ANSWER_SECONDS = 0.5
"""The first point of the grid of times at which bots that search answer: 0.5, 1, 2, 4 seconds and so on."""
STAND_IN = "greedy"
"""The level at which a withdrawn seat is played on."""


class DecisionPassed(Refusal):
    """Someone else has made this decision, or it is asked no more."""


def next_turn(game: Game, kind: str = "bot") -> PendingWork | None:
    """The first decision that waits for a bot, or (`choose_action`) for one that searches."""
    return next((work for work in pending_work(game) if work.kind == kind), None)


def play_bot(ledger: Ledger, looked: Dossier, seat: int, decision: int) -> Game:
    """Let the bot at a seat, who has looked at the game, decide what entry number `decision` asked. The game after it."""
    while True:
        check_asked(looked.game, seat, decision)
        action = choose_action(ledger, looked, seat)
        crash_point("in the middle of a bot's move")
        try:
            return append_action(ledger, looked.game.id, seat, decision, action)
        except IllegalAction:
            now = ledger.get(looked.game.id)
            if now.game.version == looked.game.version:
                raise
            looked = now


def check_asked(game: Game, seat: int, decision: int) -> None:
    """Refuse to go on with a decision that is not asked for, or not while the game is paused."""
    if game.decisions.get(seat) != decision or game.paused:
        raise DecisionPassed("decision_passed", f"Seat {seat} is not asked for decision {decision}.")


def choose_action(ledger: Ledger, looked: Dossier, seat: int) -> Any:
    """What the bot at a seat does in the game that it looked at, with dice for this look alone."""
    game = looked.game
    ruleset = ruleset_of(game, ledger.rulesets)
    level = game.chairs[seat].bot or STAND_IN
    dice = Stream(looked.seed, f"bot/{seat}/{game.version}")
    began = time.monotonic()
    with THINKING_GUARD.at_hand():
        with metrics.THINKING_SECONDS.labels(level).time():
            action = ruleset.bot(level).choose(ruleset.view(game.state, seat), seat, dice)
        if level in SEARCHING:
            elapsed = time.monotonic() - began
            time.sleep(answer_time(elapsed) - elapsed)
    return msgspec.to_builtins(action)


def answer_time(elapsed: float) -> float:
    """The seconds after which a bot that searches answers: a point of a coarse grid, since the exact time tells of its hand."""
    point = FIRST_ANSWER_SECONDS
    while point < elapsed:
        point *= 2
    return point


def append_action(ledger: Ledger, game_id: str, seat: int, decision: int, action: Any) -> Game:
    """Append the action if the decision still stands, whatever else has come. The game after it."""

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        check_asked(dossier.game, seat, decision)
        commands.act(batch, seat, action, ledger.rulesets, dossier.seed)

    change = ledger.change(game_id, write)
    assert isinstance(change, Change), "only requests with a key can be repeats"
    return change.game
