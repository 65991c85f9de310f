"""What somebody who looks ahead must know of Temple of Five beyond its rules."""

from collections.abc import Hashable

from games.kernel import Action, Prospects, Seat, replace
from games.odds import odds, settled
from games.temple_of_five.actions.building import PlaceBonus
from games.temple_of_five.actions.priests import UseChain
from games.temple_of_five.appraisal import card_worth, stakes_of
from games.temple_of_five.end import goals_met
from games.temple_of_five.state import LAST_ROUND, State, box_of

HORIZON = LAST_ROUND
"""A playout goes on to the end of the game: what a round is good for shows in the last one."""
SCALE = 6.0


def moment(state: State) -> int:
    """A game is measured in rounds."""
    return state.round


def chances(state: State) -> tuple[float, ...]:
    """How likely each seat is to win, as a full state stands."""
    if state.outcome is not None:
        return settled(state.outcome, state.seats)
    return odds(state, [worth(state, seat) for seat in range(state.seats)], SCALE)


def margin(state: State) -> tuple[float, ...]:
    """How clearly a game was won, by its points."""
    scores = state.outcome.scores if state.outcome else (0,) * state.seats
    return odds(state, scores, SCALE)


def worth(state: State, seat: Seat) -> float:
    """Points that are won, and those that may be hoped for."""
    me, box = state.players[seat], box_of(state)
    won = sum(box.cards_by_id[card].points for card in me.completed)
    won += sum(goal.points for goal in goals_met(state, me))
    hoped = sum(card_worth(*stake) for stake in stakes_of(state, seat) if stake is not None)
    chains = sum(chain.length for chain in me.chains if not chain.closed)
    pieces = me.bonus_2_count + me.bonus_3_count
    return won + hoped + pieces + 0.25 * chains + 0.2 * me.priests_reserve


def alike(state: State, seat: Seat, action: Action[State]) -> Hashable:
    """A chain serves alike from every space that the same levels will cover; all else counts as it is."""
    match action:
        case UseChain():
            chain = state.players[seat].chain_at(action.space)
            return (
                "use_chain",
                chain and chain.spaces[0],
                covered_by(state, action.space),
                action.target,
                action.card_spaces,
            )
        case PlaceBonus():
            piece = box_of(state).pieces_by_id[action.bonus]
            return "place_bonus", piece.colour, piece.size, action.spaces
        case _:
            return action


def covered_by(state: State, space: tuple[int, int]) -> int:
    """How many of the levels still to come may cover a space."""
    levels = range(state.level + 1, 4)
    return sum(space in spaces for level in levels for spaces in box_of(state).slots[level])


def reopened(state: State, seat: Seat) -> State:
    """Tiles that the others have destined for an exchange are undecided again; not where they are allotted one by one."""
    if state.phase != "exchange" or state.options.will_of_the_gods:
        return state
    players = [
        player if number == seat else replace(player, choice=None)
        for number, player in enumerate(state.players)
    ]
    waiting = tuple([number for number in range(state.seats) if number != seat or seat in state.to_act])
    return replace(state, players=tuple(players), to_act=waiting)


PROSPECTS = Prospects[State, Action[State]](
    chances=chances,
    moment=moment,
    horizon=HORIZON,
    alike=alike,
    margin=margin,
    reopened=reopened,
    length=33,
    playouts=50,
)
