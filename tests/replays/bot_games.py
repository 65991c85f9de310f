"""Records of whole games of every ruleset of the house, played by bots."""

import json
from functools import cache

from events import commands
from events.game import ruleset_of
from games import RULESETS
from games.canonical import canonical
from games.chance import Stream
from replays.audit.verify import read_record
from replays.record import Record, write_record
from tests.events.logs import Log, created

HOUSE = sorted(ruleset.name for ruleset in RULESETS)


def bot_game(name: str) -> Record:
    """A settled game of this ruleset."""
    return read_record(_bot_game(name))


@cache
def _bot_game(name: str) -> bytes:
    ruleset = RULESETS.latest(name)
    seats = ruleset.seat_counts[0]
    sitters = (commands.Sitter(bot="greedy"),) * seats
    batch = created("07-" + "0" * 26, ruleset=ruleset, seats=seats, sitters=sitters, rulesets=RULESETS)
    log = Log(batch, RULESETS)
    while log.game.to_act:
        bot_acts(log, log.game.to_act[0])
    log.settles()
    return write_record(log.record)


def bot_acts(log: Log, seat: int) -> None:
    """The greedy player of the ruleset acts for this seat."""
    ruleset = ruleset_of(log.game, log.rulesets)
    dice = Stream(log.seed, f"bot/{seat}/{log.game.version}")
    action = ruleset.bot("greedy").choose(ruleset.view(log.game.state, seat), seat, dice)
    log.acts(seat, json.loads(canonical(action)))
