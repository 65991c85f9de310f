"""What a game is. The rest of the system plays any game through this face and knows the rules of none."""

from games.kernel.bots import BOT_LEVELS, BOT_VERSION, SEARCHING, Bot, RandomBot
from games.kernel.grammar import (
    CLOCK_RESTARTS,
    Action,
    Course,
    Fact,
    GameEnded,
    GameSetUp,
    GameState,
    Outcome,
    Seat,
    SeatFact,
    SeatVacated,
    Viewer,
    kinds_in,
    leading,
    replace,
)
from games.kernel.guide import Guide
from games.kernel.lessons import Claim, Lesson, is_lesson
from games.kernel.prospects import Prospects, settled
from games.kernel.refusals import IllegalAction, InvalidSetup, Objection, Refusal, UnknownRuleset
from games.kernel.ruleset import Position, Registry, Ruleset
from games.kernel.zones import TABLE, Secret, Zone, Zones, joined, without

__all__ = [
    "BOT_LEVELS",
    "BOT_VERSION",
    "CLOCK_RESTARTS",
    "SEARCHING",
    "TABLE",
    "Action",
    "Bot",
    "Claim",
    "Course",
    "Fact",
    "GameEnded",
    "GameSetUp",
    "GameState",
    "Guide",
    "IllegalAction",
    "InvalidSetup",
    "Lesson",
    "Objection",
    "Outcome",
    "Position",
    "Prospects",
    "RandomBot",
    "Refusal",
    "Registry",
    "Ruleset",
    "Seat",
    "SeatFact",
    "SeatVacated",
    "Secret",
    "UnknownRuleset",
    "Viewer",
    "Zone",
    "Zones",
    "is_lesson",
    "joined",
    "kinds_in",
    "leading",
    "replace",
    "settled",
    "without",
]
