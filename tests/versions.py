"""Lanterns in two versions: in the second, whoever has two points has won."""

from dataclasses import replace

from games.kernel import Course, Registry
from games.toy import LANTERNS, State, ending


def two_points_win(course: Course[State]) -> None:
    """The rule that the second version has changed."""
    leaders = tuple(seat for seat, player in enumerate(course.state.players) if player.score >= 2)
    if leaders and course.state.outcome is None:
        course.happens(ending(course.state, leaders, "two_points"))


NEWER = replace(LANTERNS, version=2, afterwards=two_points_win)
FIRST, SECOND, BOTH = Registry([LANTERNS]), Registry([NEWER]), Registry([LANTERNS, NEWER])
