"""What moves the game as a whole on: the choice of goals, the end of a turn (6.2, 6.10)."""

from games.kernel import Action, Course, Seat
from games.temple_of_five.contents import Side
from games.temple_of_five.facts.course import GoalChosen, GoalsRevealed
from games.temple_of_five.rounds import end_turn, start_round
from games.temple_of_five.state import State


class ChooseGoal(Action[State], frozen=True):
    """Choose a side of the ultimate goal card, in secret (6.2)."""

    phases = frozenset({"choose_goal"})
    side: Side

    def happen(self, course: Course[State], seat: Seat) -> None:
        """Sides are shown together, before the first deal (Q31)."""
        course.happens(GoalChosen(seat, self.side))
        if not course.state.to_act:
            sides = tuple(player.goal_side for player in course.state.players if player.goal_side is not None)
            course.happens(GoalsRevealed(sides))
            start_round(course, 1)


class EndTurn(Action[State], frozen=True):
    """End one's priest turn (6.10)."""

    phases = frozenset({"place_priests"})
    in_the_open = True

    def happen(self, course: Course[State], seat: Seat) -> None:
        end_turn(course, seat)
