"""The edge cases of the specification (11), the row's number in each docstring: how the game ends, and rare turns."""

from typing import Any

from tests.games.babel.laid_out import MIXED, action, laid_out, pile_without, side, spare_temples


def nearly(total: int, *, temple: list[int], **more: Any) -> dict[str, Any]:
    """A player of this total who stands before a temple with cards enough for any level."""
    sites = spare_temples(total=total - (temple[-1] if temple else 0)) | side(
        "hittites", temple=temple, column=MIXED
    )
    return {"pawn": "hittites", "sites": sites, **more}


def test_fourteen_points_end_nothing() -> None:
    """E24"""
    story = laid_out(nearly(12, temple=[1, 2, 3], temple_column=[5, 4]), {"sites": spare_temples(total=9)})
    for total in (13, 14):
        story.when(0, action("build", source="own")).happened("temple_built")
        story.stands({"/players/0/total": total, "/endgame": False, "/outcome": None})


def test_fifteen_to_nine_ends_the_game_at_once() -> None:
    """E25"""
    story = laid_out(nearly(14, temple=[1, 2], temple_column=[3]), {"sites": spare_temples(total=9)})
    story.when(0, action("build", source="own")).happened("temple_built", "game_ended")
    story.stands(
        {
            "/outcome": {"winners": [0], "reason": "fifteen_to_nine", "scores": [15, 9], "tiebreak": None},
            "/phase": "ended",
            "/active_seat": None,
            "/to_act": [],
            "/players/0/temple_column": [],
        }
    )


def test_fifteen_to_ten_or_more_enters_the_end_of_game_mode() -> None:
    """E26"""
    story = laid_out(nearly(14, temple=[1, 2], temple_column=[3]), {"sites": spare_temples(total=12)})
    story.when(0, action("build", source="own"))
    story.happened("temple_built", {"type": "endgame_entered", "seat": 0})
    story.stands({"/endgame": True, "/phase": "actions", "/to_act": [0], "/outcome": None})


def test_one_theft_may_enter_the_end_of_game_mode_and_win() -> None:
    """E27"""
    column = ["hittites"] * 3 + ["medes", "persians", "medes"]
    me = {"pawn": "hittites", "sites": spare_temples(total=14) | side("hittites", column=column)}
    other = {"sites": spare_temples(total=8) | side("hittites", temple=[5, 6])}
    story = laid_out(me, other).when(0, action("steal_level", run=0))
    story.happened("ability_used", "level_stolen", {"type": "endgame_entered", "seat": 0}, "game_ended")
    story.stands({"/outcome/reason": "twenty", "/outcome/scores": [20, 13], "/outcome/winners": [0]})


def test_twenty_wins_in_the_end_of_game_mode() -> None:
    """E28"""
    me = nearly(19, temple=[1, 2], temple_column=[3])
    story = laid_out(me, {"sites": spare_temples(total=17)}, endgame=True)
    story.when(0, action("build", source="own")).happened("temple_built", "game_ended")
    story.stands({"/outcome/reason": "twenty", "/outcome/scores": [20, 17], "/outcome/winners": [0]})


def test_whoever_falls_below_ten_in_the_end_of_game_mode_has_lost() -> None:
    """8.1, Q28: ten points are enough to win then."""
    me = {"pawn": "hittites", "sites": spare_temples(total=10) | side("hittites", column=["assyrians"] * 3)}
    other = {"sites": spare_temples(total=9) | side("hittites", temple=[1, 2])}
    story = laid_out(me, other, endgame=True).when(0, action("destroy_temple", run=0))
    story.happened("ability_used", "temple_destroyed", "game_ended")
    story.stands({"/outcome/reason": "below_ten", "/outcome/scores": [10, 9], "/outcome/winners": [0]})


def leaving_in_the_pile(*levels: int) -> dict[str, Any]:
    """A temple column that holds all temple cards but these, which are the pile."""
    return {"temple_column": pile_without(*levels)}


def test_the_game_ends_with_the_reveal_that_empties_the_pile() -> None:
    """E29"""
    story = laid_out(leaving_in_the_pile(2, 5), {"hand": ["medes"]}, temple_pile=[2, 5])
    story.when(0, action("end_turn")).happened(
        {"type": "temples_revealed", "levels": [5, 2]}, "turn_ended", "game_ended"
    )
    story.stands({"/outcome/reason": "temple_pile_empty", "/players/1/hand": ["medes"], "/turn": 3})


def test_one_card_left_in_the_pile_gives_another_turn() -> None:
    """E30, Q9"""
    story = laid_out(leaving_in_the_pile(2, 5, 1), temple_pile=[2, 5, 1])
    story.when(0, action("end_turn")).stands({"/temple_pile": [1], "/turn": 4, "/outcome": None})
    story.when(1, action("end_turn")).happened(
        {"type": "temples_revealed", "seat": 1, "levels": [1]}, "turn_ended", "game_ended"
    )


def test_more_cards_in_hand_break_a_tie() -> None:
    """E31"""
    me = leaving_in_the_pile(1) | {"hand": ["medes"]}
    story = laid_out(me, {"hand": MIXED[:4]}, temple_pile=[1]).when(0, action("end_turn"))
    story.stands(
        {
            "/outcome": {
                "winners": [1],
                "reason": "temple_pile_empty",
                "scores": [0, 0],
                "tiebreak": "hand_count",
            }
        }
    )


def test_equal_totals_and_equal_hands_share_the_win() -> None:
    """Q10"""
    me = leaving_in_the_pile(1) | {"hand": ["medes"]}
    story = laid_out(me, {"hand": ["medes"]}, temple_pile=[1]).when(0, action("end_turn"))
    story.stands({"/outcome/winners": [0, 1], "/outcome/tiebreak": "shared"})


def test_a_turn_may_pass_with_nothing_done() -> None:
    """E32"""
    story = laid_out(turn=7).when(0, action("end_turn"))
    story.happened(
        "temples_revealed", "turn_ended", "turn_started", {"type": "nations_drawn", "seat": 1, "count": 3}
    )
    assert len(story.state.players[0].temple_column) == 2


def test_two_equal_levels_are_revealed_as_they_are() -> None:
    """E33"""
    story = laid_out(temple_pile=pile_without(top=(3, 3))).when(0, action("end_turn"))
    story.stands({"/players/0/temple_column": [3, 3]})


def test_the_means_to_build_the_start_card_cannot_be_wasted() -> None:
    """E34"""
    story = laid_out({"hand": ["medes", "medes", "persians"]}, turn=1)
    story.when(0, action("travel", site="medes")).when(0, action("travel", site="persians"))
    story.refuses(0, action("travel", site="medes"), "start_card_must_be_built")
    story.refuses(0, action("end_turn"), "start_card_must_be_built")
    assert story.legal(0) == [action("deploy", nation="medes")]
    story.when(0, action("deploy", nation="medes")).when(0, action("build", source="start"))
    story.stands({"/players/0/start_card": False, "/players/0/sites/persians/temple": [1]})
    story.when(0, action("end_turn"))


def test_the_start_card_need_not_be_the_first_level_built() -> None:
    """E35"""
    me = {"hand": ["assyrians", "hittites", "medes", "medes"]}
    story = laid_out(me, {"temple_column": [2, 1]}, turn=2)
    for step in (
        action("travel", site="assyrians"),
        action("deploy", nation="medes"),
        action("build", source="opponent"),
        action("travel", site="hittites"),
        action("deploy", nation="medes"),
        action("build", source="start"),
    ):
        story.when(1, step)
    story.stands({"/players/1/total": 2, "/players/1/start_card": False})


def test_the_duty_to_build_is_waived_while_it_is_impossible() -> None:
    """6.0: no card, no journey; it returns when there are cards again."""
    story = laid_out({"hand": [], "start_card": True}, {"hand": []})
    story.when(0, action("end_turn")).when(1, action("end_turn"))
    story.refuses(0, action("end_turn"), "start_card_must_be_built")


def test_a_hand_may_be_halved_before_its_owner_s_first_turn() -> None:
    """6.0, Q14: the duty binds in one's own turn; three more cards will be drawn before it."""
    me = {"pawn": "medes", "start_card": False, "sites": side("medes", column=["persians"] * 3)}
    story = laid_out(me, {"hand": ["medes", "medes"]}, turn=1).when(0, action("halve_hand", run=0))
    story.when(1, action("discard", nations=["medes"])).stands({"/players/1/hand": ["medes"]})
