"""What players may ask for, one class an action (6): the first rule that it breaks, and its facts."""

from games.temple_of_five.actions.building import Allot, Exchange, PlaceBonus, PlaceSpecial, PlaceTile
from games.temple_of_five.actions.course import ChooseGoal, EndTurn
from games.temple_of_five.actions.priests import TakeBlessing, UseChain

ACTIONS = (
    ChooseGoal,
    Exchange,
    Allot,
    PlaceTile,
    PlaceSpecial,
    PlaceBonus,
    UseChain,
    TakeBlessing,
    EndTurn,
)
