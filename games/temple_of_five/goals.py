"""What a seat's ultimate goals ask of it while they are not met (8.2)."""

from collections import Counter
from collections.abc import Iterable

from games.temple_of_five.contents import GODS, Goal, Measure
from games.temple_of_five.end import measured
from games.temple_of_five.ground import Group
from games.temple_of_five.state import LAST_ROUND, Player, State, box_of

NO_GODS = (0.0,) * len(GODS)
FIRST_OF_TWO = 0.3
"""How much of a goal the first of two cards of one god is worth."""


def goals_of(state: State, player: Player) -> tuple[Goal, ...]:
    """The goals of the side that a player has chosen."""
    return box_of(state).ultimate_goal_card[player.goal_side] if player.goal_side else ()


def goal_of(state: State, player: Player, measure: Measure) -> Goal | None:
    """The goal that is measured so, if it is among a player's."""
    for goal in goals_of(state, player):
        if goal.measure == measure:
            return goal
    return None


def wanted_gods(state: State, player: Player) -> tuple[float, ...]:
    """What a card of each god would add towards a player's goals."""
    if player.goal_side is None:
        return NO_GODS
    cards = box_of(state).cards_by_id
    won = Counter(cards[card].god for card in player.completed)
    wanted = list(NO_GODS)
    for goal in goals_of(state, player):
        for number, god in enumerate(GODS):
            if goal.measure == "different_gods" and god not in won and len(won) < goal.at_least:
                wanted[number] += goal.points / (goal.at_least - len(won))
            if goal.measure == "cards_of_one_god" and max(won.values(), default=0) < goal.at_least:
                lacking = goal.at_least - won[god]
                wanted[number] += goal.points * (1.0 if lacking == 1 else FIRST_OF_TWO)
    return tuple(wanted)


def priests_to_keep(state: State, player: Player) -> int:
    """How many priests in reserve a goal asks for at the end."""
    goal = goal_of(state, player, "priests_in_reserve")
    return goal.at_least if goal else 0


def seen_goals(state: State, player: Player, groups: Iterable[Group]) -> float:
    """What the goals that are seen from above are worth on a board of these groups; at the end, what they count."""
    if player.goal_side is None:
        return 0.0
    longest: dict[str, int] = dict.fromkeys(box_of(state).colour_of, 0)
    for group in groups:
        if group.length > longest.get(group.sign, group.length):
            longest[group.sign] = group.length
    worth = 0.0
    for goal in goals_of(state, player):
        if goal.measure == "longest_chain":
            worth += near(state, goal, [max(longest.values())])
        elif goal.measure == "chain_in_every_colour":
            worth += near(state, goal, longest.values())
    return worth


def near(state: State, goal: Goal, lengths: Iterable[int]) -> float:
    """A goal counts at the end if it is met; before, by how near these lengths come, the more the later it is."""
    parts = [min(1.0, length / goal.at_least) for length in lengths]
    if state.round == LAST_ROUND:
        return float(goal.points) if min(parts) == 1.0 else 0.0
    return goal.points * (sum(parts) / len(parts)) ** 2 * state.round / LAST_ROUND


def ornaments_lacking(state: State, player: Player) -> tuple[int, int]:
    """How many more pieces a goal asks to be laid, and what it is worth; nothing once it is met or out of reach."""
    goal = goal_of(state, player, "pieces_placed")
    if goal is None:
        return 0, 0
    lacking = goal.at_least - len(player.pieces)
    in_reserve = player.bonus_2_count + player.bonus_3_count
    is_out_of_reach = state.round == LAST_ROUND and lacking > in_reserve
    return (0, 0) if lacking <= 0 or is_out_of_reach else (lacking, goal.points)


def goals_in_sight(state: State, player: Player) -> float:
    """What a player's goals are worth as things stand: in full where they are met, else by how near they are."""
    worth = 0.0
    for goal in goals_of(state, player):
        reached = min(1.0, measured(state, player, goal.measure) / goal.at_least)
        worth += goal.points if reached == 1.0 else goal.points * reached**2 / 2
    return worth
