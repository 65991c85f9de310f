"""What can happen, what it does to a state, and what of it is hidden from whom: the table of facts (7)."""

from games.kernel import GameSetUp, SeatVacated
from games.temple_of_five.facts.building import (
    BonusPlaced,
    ExchangeChosen,
    SpecialPlaced,
    TileAllotted,
    TilePlaced,
    TileRevealed,
    TilesDealt,
    TilesExchanged,
)
from games.temple_of_five.facts.course import (
    FirstPlayerPassed,
    GameEnded,
    GoalChosen,
    GoalsRevealed,
    IncompleteAwarded,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from games.temple_of_five.facts.priests import (
    BlessingTaken,
    BonusDrawn,
    BonusMissed,
    CardCompleted,
    CardRevealed,
    ChainUsed,
)

FACTS = (
    GameSetUp,
    GoalChosen,
    GoalsRevealed,
    RoundStarted,
    TilesDealt,
    TileRevealed,
    TileAllotted,
    ExchangeChosen,
    TilesExchanged,
    TilePlaced,
    SpecialPlaced,
    BonusPlaced,
    TurnStarted,
    ChainUsed,
    BonusDrawn,
    BonusMissed,
    CardCompleted,
    CardRevealed,
    BlessingTaken,
    TurnEnded,
    FirstPlayerPassed,
    IncompleteAwarded,
    SeatVacated,
    GameEnded,
)
