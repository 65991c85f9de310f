"""The edge cases of the specification (section 11): scoring and cull. Rows 25 to 36, 45, 46."""

from typing import Any

from tests.games.aton.positions import (
    BLUE,
    RED,
    cull,
    in_turn,
    kinds,
    pieces,
    place,
    told,
)
from tests.rulesets.story import Story, builtins

FULL = [RED, BLUE] * 4


def scored(board: dict[str, int], last: str, scores: tuple[int, int] = (0, 0)) -> Story:
    """Blue places the last piece of a round in which the dead are full."""
    players = tuple({"score": score} for score in scores)
    story = in_turn(
        "place", BLUE, [1, 2, 1, 1], [1, 3, 4, 1], board=board, dead=FULL, remaining=1, players=players
    )
    return story.when(BLUE, place(last))


def line(story: Story, name: str) -> Any:
    """What a line of the scoring counted and gave."""
    lines = {each.line: each for each in told(story, "temples_scored").lines}
    return builtins((lines[name].counts, lines[name].points))


def culling(red: tuple[int, ...], blue: tuple[int, ...] = (0, 0, 0, 0), **position: Any) -> Story:
    """A cull begins with so many pieces in temples 1 to 4, red's from the top left, blue's from the bottom."""
    red_spaces = tuple(f"t{t}-{n:02}" for t, own in enumerate(red, 1) for n in range(1, own + 1))
    blue_spaces = tuple(f"t{t}-{n:02}" for t, own in enumerate(blue, 1) for n in range(13 - own, 13))
    return in_turn(
        "cull", RED, [1, 2, 1, 1], [1, 3, 4, 1], board=pieces(red_spaces, blue_spaces), dead=FULL, **position
    )


def test_row_25_seven_dead_do_not_make_a_scoring() -> None:
    dead = FULL[:7]
    story = in_turn("place", BLUE, [1, 2, 1, 1], [1, 3, 4, 1], dead=dead, remaining=1)
    story.when(BLUE, place("t1-01"))
    assert "temples_scored" not in kinds(story)
    story.stands({"/dead": dead, "/round": 3, "/phase": "allocate"})


def test_row_26_an_empty_temple_scores_nothing() -> None:
    assert line(scored({}, "t2-01"), "temple_1") == [[0, 0], [0, 0]]


def test_row_27_the_majority_in_temple_4_is_worth_nothing_without_a_blue_space() -> None:
    red = ("t4-02", "t4-03", "t4-04", "t4-05", "t4-06")
    story = scored(pieces(red=red, blue=("t4-08", "t1-08")), "t4-01")
    assert line(story, "temple_4") == [[5, 2], [0, 0]]


def test_row_28_the_majority_in_temple_4_and_all_blue_spaces_give_twelve() -> None:
    story = scored(pieces(red=("t1-08", "t2-08", "t3-08", "t4-08")), "t2-01")
    assert line(story, "temple_4") == [[1, 0], [12, 0]]


def test_row_29_equal_numbers_on_black_score_nothing() -> None:
    red = ("t1-05", "t1-06", "t2-05", "t2-06", "t3-05")
    blue = ("t3-06", "t3-07", "t4-05", "t4-06")
    assert line(scored(pieces(red, blue), "t4-07"), "black") == [[5, 5], [0, 0]]


def test_row_30_bonus_spaces_score_their_worth_without_a_majority() -> None:
    story = scored(pieces(blue=("t4-04",)), "t4-12")
    assert line(story, "bonus") == [[0, 2], [0, 4]]


def test_row_31_the_higher_score_wins_after_the_whole_scoring() -> None:
    story = scored(pieces(blue=("t1-01", "t1-02")), "t2-01", scores=(39, 33))
    story.happened("piece_placed", {"type": "temples_scored", "points": [0, 7]}, "game_ended")
    story.stands({"/outcome/winners": [1], "/outcome/scores": [39, 40]})
    story.stands({"/outcome/reason": "points_at_scoring", "/first_seat": 0})


def test_equal_scores_of_forty_share_the_win() -> None:
    story = scored(pieces(red=("t2-02", "t2-03"), blue=("t1-01",)), "t1-02", scores=(35, 38))
    story.stands({"/outcome/winners": [0, 1], "/outcome/scores": [40, 40], "/outcome/tiebreak": None})


def test_row_32_a_temple_without_pieces_takes_one_more_from_the_highest() -> None:
    assert told(culling((2, 0, 1, 3)), "cull_started").quota[RED] == (1, 0, 1, 2)


def test_row_33_all_pieces_of_one_temple_or_all_there_are() -> None:
    assert told(culling((0, 0, 0, 9)), "cull_started").quota[RED] == (0, 0, 0, 4)
    story = culling((1, 1, 0, 0))
    assert told(story, "cull_started").quota[RED] == (1, 1, 0, 0)
    assert kinds(story).count("piece_culled") == 2
    story.stands({"/phase": "allocate", "/round": 3})


def test_row_34_the_highest_temple_gives_only_what_it_has() -> None:
    assert told(culling((0, 7, 0, 1)), "cull_started").quota[RED] == (0, 3, 0, 1)


def test_row_35_with_level_scores_red_culls_first() -> None:
    board = pieces(red=("t1-01", "t1-02", "t3-01", "t4-02", "t4-03"), blue=("t2-01", "t2-02", "t3-09"))
    story = scored(board, "t2-03", scores=(0, 0))
    assert told(story, "temples_scored").scores == (2, 5)
    level = scored(board, "t2-03", scores=(13, 10))
    assert told(story, "cull_started").first_seat == BLUE
    assert told(level, "cull_started").first_seat == RED
    level.stands({"/to_act": [0], "/active_seat": 0})


def test_row_36_the_leaders_cull_may_be_automatic_and_the_others_not() -> None:
    story = culling((1, 1, 1, 1), (3, 2, 2, 2), players=({"score": 20}, {"score": 12}))
    assert told(story, "cull_started").first_seat == RED
    culled = [fact for fact in story.facts if fact.__struct_config__.tag == "piece_culled"]
    assert [(fact.seat, fact.auto) for fact in culled] == [(RED, True)] * 4
    story.stands({"/to_act": [1], "/active_seat": 1, "/cull_quota": [[0, 0, 0, 0], [1, 1, 1, 1]]})


def test_row_45_a_cull_without_pieces_asks_nobody() -> None:
    story = culling((0, 0, 0, 0))
    story.happened(
        "game_set_up",
        {"type": "cull_started", "quota": [[0] * 4, [0] * 4]},
        {"type": "dead_returned", "counts": [4, 4]},
        "round_ended",
        "round_started",
        "cards_drawn",
        "cards_drawn",
    )


def test_row_46_temples_that_the_quota_empties_are_emptied_and_the_rest_is_chosen() -> None:
    story = culling((1, 3, 0, 2))
    assert told(story, "cull_started").quota[RED] == (1, 1, 0, 2)
    culled = [fact.space for fact in story.facts if fact.__struct_config__.tag == "piece_culled"]
    assert culled == ["t1-01", "t4-01", "t4-02"]
    assert story.legal(RED) == [cull("t2-01"), cull("t2-02"), cull("t2-03")]


def test_a_cull_refuses_what_is_not_an_own_piece_of_the_quota() -> None:
    story = culling((2, 2, 2, 2), (1, 0, 0, 0))
    story.refuses(RED, cull("t9-01"), "unknown_space").refuses(RED, cull("t1-05"), "space_empty")
    story.refuses(RED, cull("t1-12"), "wrong_owner")
    story.when(RED, cull("t1-01")).refuses(RED, cull("t1-02"), "temple_quota_used")
