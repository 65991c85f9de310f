"""The end of the round: scoring and cull if the dead are full (5.6), then the next round (5.7)."""

from games.aton.board import CARTOUCHES
from games.aton.cards import draw
from games.aton.culling import cull_quota, forced_culls, leader, quota_of
from games.aton.facts import (
    CullStarted,
    DeadReturned,
    PieceCulled,
    RoundEnded,
    RoundStarted,
    TemplesScored,
)
from games.aton.pieces import check_on_board, check_piece_of
from games.aton.play import Play
from games.aton.scoring import majority, scoring_lines
from games.aton.state import SEATS, dead_is_full, laid, scores
from games.kernel import IllegalAction, Seat


def end_round(play: Play) -> None:
    """One look at the dead, after both turns (Q19)."""
    if not dead_is_full(play.state):
        next_round(play)
        return
    score_temples(play)
    if play.state.outcome is None:
        begin_cull(play)


def score_temples(play: Play) -> None:
    """All six lines first; if a score then suffices, the higher one wins, equal ones share (Q20, Q29)."""
    lines = scoring_lines(play.state)
    red, blue = (sum(line.points[seat] for line in lines) for seat in SEATS)
    before = scores(play.state)
    after = before[0] + red, before[1] + blue
    play.happens(TemplesScored(lines, (red, blue), after))
    if max(after) >= play.board.box.winning_score:
        winner = majority(after)
        play.end(SEATS if winner is None else (winner,), "points_at_scoring")


def begin_cull(play: Play) -> None:
    """Each seat takes back own pieces, the leader all of his first (Q24)."""
    quota = cull_quota(play.state, 0), cull_quota(play.state, 1)
    play.happens(CullStarted(quota, leader(play.state)))
    continue_cull(play)


def continue_cull(play: Play) -> None:
    """Up to the next choice in a cull; after its last piece the dead return as well (Q28)."""
    while (seat := play.state.active_seat) is not None:
        forced = forced_culls(play.state, seat)
        if not forced:
            return
        for space in forced:
            play.happens(PieceCulled(seat, space, auto=True))
    dead = play.state.dead
    play.happens(DeadReturned((dead.count(0), dead.count(1))))
    next_round(play)


def cull(play: Play, seat: Seat, space: str) -> None:
    """One own piece is taken back, from any temple that the quota still asks for."""
    check_on_board(play.state, space)
    check_piece_of(play.state, seat, space)
    temple = play.board.temple_of[space]
    if not quota_of(play.state, seat)[temple]:
        raise IllegalAction("temple_quota_used", f"You have no more piece to take from temple {temple}.")
    play.happens(PieceCulled(seat, space))
    continue_cull(play)


def next_round(play: Play) -> None:
    """The laid cards are discarded, and both seats draw a hand."""
    number = play.state.round
    play.happens(RoundEnded(number, (laid(play.state, 0), laid(play.state, 1))))
    play.happens(RoundStarted(number + 1))
    for seat in SEATS:
        draw(play, seat, CARTOUCHES)
