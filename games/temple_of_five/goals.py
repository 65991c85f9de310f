"""Ultimate goals: what meets them at the end (8.2)."""

from collections import Counter

from games.temple_of_five.contents import COLOURS, Goal, Measure
from games.temple_of_five.state import Player, State


def goals_met(state: State, player: Player) -> tuple[Goal, ...]:
    """The goals of the chosen side that a player meets as things stand, in the order of the card."""
    if player.goal_side is None:
        return ()
    goals = state.box.ultimate_goal_card[player.goal_side]
    return tuple(goal for goal in goals if measured(state, player, goal.measure) >= goal.at_least)


def measured(state: State, player: Player, measure: Measure) -> int:
    """How far a player has come; chains count seen from above, closed or not."""
    gods = Counter(state.box.cards_by_id[card].god for card in player.completed)
    match measure:
        case "different_gods":
            return len(gods)
        case "cards_of_one_god":
            return max(gods.values(), default=0)
        case "priests_in_reserve":
            return player.priests_reserve
        case "pieces_placed":
            return len(player.pieces)
        case "longest_chain":
            return max((chain.length for chain in player.chains), default=0)
        case "chain_in_every_colour":
            return min(longest_of_colour(player, colour) for colour in COLOURS)


def longest_of_colour(player: Player, colour: str) -> int:
    """The length of a player's longest chain of one colour."""
    return max((chain.length for chain in player.chains if chain.colour == colour), default=0)
