"""Majorities, the final scoring and the winners (8)."""

from collections import Counter
from collections.abc import Sequence

from games.kernel import Course, Outcome, Seat, leading
from games.temple_of_five.contents import COLOURS, GODS, Goal, Measure
from games.temple_of_five.facts.course import GameEnded, IncompleteAwarded
from games.temple_of_five.state import Blessing, Player, Score, State, Target, box_of


def majority(priests: Sequence[int | None]) -> tuple[Seat, bool]:
    """Most priests win; among equals the one furthest left. Also whether the leftmost space had to decide (6.8)."""
    standing = [seat for seat in priests if seat is not None]
    most = max(map(standing.count, standing))
    leaders = [seat for seat in standing if standing.count(seat) == most]
    return leaders[0], len(set(leaders)) > 1


def finish(course: Course[State]) -> None:
    """After the last turn incomplete cards are awarded and the game is scored (8)."""
    state = course.state
    for award in incomplete_awards(state):
        course.happens(award)
    course.happens(by_points(state))


def by_points(state: State) -> GameEnded:
    """Most points win among the seats that have not withdrawn; then most priests in reserve (8.1, Q29)."""
    breakdown = breakdown_now(state)
    scores = tuple(score.total for score in breakdown)
    tied = leading(state.staying, scores)
    winners = leading(tied, [player.priests_reserve for player in state.players])
    tiebreak = None
    if len(tied) > 1:
        tiebreak = "priests_in_reserve" if len(winners) < len(tied) else "shared"
    return GameEnded(Outcome(winners, "final_scoring", scores, tiebreak), breakdown)


def ending(state: State, winners: tuple[Seat, ...], reason: str) -> GameEnded:
    """The end of the game with every seat's points as things stand (8.3)."""
    breakdown = breakdown_now(state)
    return GameEnded(Outcome(winners, reason, tuple(score.total for score in breakdown)), breakdown)


def breakdown_now(state: State) -> tuple[Score, ...]:
    """Every seat's points as the final scoring would give them at this moment (8, 8.3)."""
    awards = incomplete_awards(state)
    return tuple(score_of(state, seat, awards) for seat in range(state.seats))


def incomplete_awards(state: State) -> list[IncompleteAwarded]:
    """Cards on display by god, then private cards by seat; one without priests goes to nobody (Q28)."""
    in_play: list[tuple[Target, Blessing | None]] = [(god, state.display.of(god)) for god in GODS]
    in_play += [("private", player.private_card) for player in state.players]
    awards = []
    for target, blessing in in_play:
        if blessing is not None and any(seat is not None for seat in blessing.priests):
            winner, tie_broken = majority(blessing.priests)
            points = box_of(state).cards_by_id[blessing.card].points_incomplete
            awards.append(IncompleteAwarded(target, blessing.card, winner, points, tie_broken))
    return awards


def score_of(state: State, seat: Seat, awards: Sequence[IncompleteAwarded]) -> Score:
    """Cards won, incomplete cards, a point for each piece in reserve, and goals."""
    player = state.players[seat]
    completed = sum(box_of(state).cards_by_id[card].points for card in player.completed)
    incomplete = sum(award.points for award in awards if award.winner == seat)
    bonus = player.bonus_2_count + player.bonus_3_count
    met = () if state.phase == "choose_goal" else goals_met(state, player)
    goals = sum(goal.points for goal in met)
    names = tuple(goal.id for goal in met)
    return Score(completed, incomplete, bonus, goals, names, completed + incomplete + bonus + goals)


# -- ultimate goals (8.2) -------------------------------------------------------------------------------------------


def goals_met(state: State, player: Player) -> tuple[Goal, ...]:
    """The goals of the chosen side that a player meets as things stand, in the order of the card."""
    if player.goal_side is None:
        return ()
    goals = box_of(state).ultimate_goal_card[player.goal_side]
    return tuple(goal for goal in goals if measured(state, player, goal.measure) >= goal.at_least)


def measured(state: State, player: Player, measure: Measure) -> int:
    """How far a player has come; chains count seen from above, closed or not."""
    gods = Counter(box_of(state).cards_by_id[card].god for card in player.completed)
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
