"""Bots, and seats that a bot plays on for: they see what their seat sees, and act like any client."""

import msgspec

from events import acts
from events.game import Game, ruleset_of
from events.scribe import Page
from games.chance import Stream
from games.kernel import Refusal
from projections.owed import Owed, owed
from services.core.faults import fault
from services.core.ledger import Change, Dossier, Ledger

STAND_IN = "greedy"
"""The level at which a withdrawn seat is played on."""


class DecisionPassed(Refusal):
    """Someone else has made this decision, or it is asked no more."""


def next_turn(game: Game) -> Owed | None:
    """The first decision that waits for a bot."""
    return next((work for work in owed(game) if work.kind == "bot"), None)


def play_bot(ledger: Ledger, game_id: str, seat: int, decision: int) -> Game:
    """Let the bot at a seat decide what it was asked by entry number `decision`. The game after it."""

    def write(page: Page, dossier: Dossier) -> None:
        game = dossier.game
        if game.decisions.get(seat) != decision:
            raise DecisionPassed("decision_passed", f"Seat {seat} is not asked for decision {decision}.")
        ruleset = ruleset_of(game, ledger.rulesets)
        bot = ruleset.bot(game.chairs[seat].bot or STAND_IN)
        dice = Stream(dossier.seed, f"bot/{seat}/{game.version}")
        action = bot.choose(ruleset.view(game.state, seat), seat, dice)
        fault("in the middle of a bot's move")
        acts.act(page, seat, msgspec.to_builtins(action), ledger.rulesets, dossier.seed)

    change = ledger.change(game_id, write)
    assert isinstance(change, Change), "only requests with a key can be repeats"
    return change.game
