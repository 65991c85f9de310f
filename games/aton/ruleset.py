"""Aton by Thorsten Gimmler, for two: four cartouches, four temples."""

from games.aton import facts
from games.aton.actions import Allocate, AtonAction, Cull, Exchange, Place, Remove
from games.aton.bot import Greedy
from games.aton.box import COMPONENT_SETS
from games.aton.end import ending
from games.aton.legal import choices
from games.aton.setup import opening
from games.aton.state import Options, State
from games.aton.zones import ZONES
from games.kernel import GameEnded, GameSetUp, Ruleset
from games.words import read_words

ATON = Ruleset[State, AtonAction](
    name="aton",
    version=1,
    seat_counts=range(2, 3),
    words=read_words("aton"),
    state_type=State,
    options_type=Options,
    action_types=(Exchange, Allocate, Remove, Place, Cull),
    fact_types=(
        GameSetUp,
        facts.DeckReshuffled,
        facts.CardsDrawn,
        facts.HandExchanged,
        facts.CardsAllocated,
        facts.CartouchesRevealed,
        facts.PointsScored,
        facts.OrderCardsDrawn,
        facts.OrderCardsReturned,
        facts.OrderDetermined,
        facts.RemovalSkipped,
        facts.RemovalStarted,
        facts.PieceRemoved,
        facts.PlacementSkipped,
        facts.PlacementStarted,
        facts.PiecePlaced,
        facts.PieceNotPlaced,
        facts.TemplesScored,
        facts.CullStarted,
        facts.PieceCulled,
        facts.DeadReturned,
        facts.RoundEnded,
        facts.RoundStarted,
        GameEnded,
    ),
    component_sets=COMPONENT_SETS,
    zones=ZONES,
    opening=opening,
    choices=choices,
    ending=ending,
    greedy=Greedy(),
)
