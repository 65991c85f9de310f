"""The end of the round: scoring and cull if the dead are full (5.6), then the next round (5.7)."""

from games.aton import facts
from games.aton.box import CARTOUCHES
from games.aton.cards import draw
from games.aton.culling import cull_quota, forced_culls, leader
from games.aton.end import ending
from games.aton.scoring import majority, scoring_lines
from games.aton.state import SEATS, State, board_of, dead_is_full, laid, scores
from games.kernel import Course


def end_round(course: Course[State]) -> None:
    """One look at the dead, after both turns (Q19)."""
    if not dead_is_full(course.state):
        next_round(course)
        return
    score_temples(course)
    if course.state.outcome is None:
        begin_cull(course)


def score_temples(course: Course[State]) -> None:
    """All six lines first; if a score then suffices, the higher one wins, equal ones share (Q20, Q29)."""
    lines = scoring_lines(course.state)
    red, blue = (sum(line.points[seat] for line in lines) for seat in SEATS)
    before = scores(course.state)
    after = before[0] + red, before[1] + blue
    course.happens(facts.TemplesScored(lines, (red, blue), after))
    if max(after) >= board_of(course.state).box.winning_score:
        winner = majority(after)
        winners = SEATS if winner is None else (winner,)
        course.happens(ending(course.state, winners, "points_at_scoring"))


def begin_cull(course: Course[State]) -> None:
    """Each seat takes back own pieces, the leader all of his first (Q24)."""
    quota = cull_quota(course.state, 0), cull_quota(course.state, 1)
    course.happens(facts.CullStarted(quota, leader(course.state)))
    continue_cull(course)


def continue_cull(course: Course[State]) -> None:
    """Up to the next choice in a cull; after its last piece the dead return as well (Q28)."""
    while (seat := course.state.active_seat) is not None:
        forced = forced_culls(course.state, seat)
        if not forced:
            return
        for space in forced:
            course.happens(facts.PieceCulled(seat, space, auto=True))
    dead = course.state.dead
    course.happens(facts.DeadReturned((dead.count(0), dead.count(1))))
    next_round(course)


def next_round(course: Course[State]) -> None:
    """The laid cards are discarded, and both seats draw a hand."""
    number = course.state.round
    course.happens(facts.RoundEnded(number, (laid(course.state, 0), laid(course.state, 1))))
    course.happens(facts.RoundStarted(number + 1))
    for seat in SEATS:
        draw(course, seat, CARTOUCHES)
