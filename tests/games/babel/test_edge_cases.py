"""The edge cases of the specification (11), the row's number in each docstring: what happens during a turn."""

from typing import Any

from tests.games.babel.laid_out import laid_out, pile_without, side, spare_temples

MIXED = ["assyrians", "hittites", "medes", "persians", "sumerians", "assyrians"]


def action(kind: str, **members: Any) -> dict[str, Any]:
    return {"type": kind, **members}


def test_the_first_journey_starts_in_the_quarry() -> None:
    """E1"""
    story = laid_out({"hand": ["hittites", "medes"]})
    story.when(0, action("travel", site="hittites"))
    story.stands(
        {"/players/0/pawn": "hittites", "/nation_discard": ["hittites"], "/players/0/hand": ["medes"]}
    )


def test_two_pawns_may_share_a_site() -> None:
    """E2"""
    story = laid_out({"hand": ["persians"]}, {"pawn": "persians"})
    story.when(0, action("travel", site="persians"))
    story.stands({"/players/0/pawn": "persians", "/players/1/pawn": "persians"})


def test_nobody_travels_to_where_he_is() -> None:
    """E3"""
    laid_out({"pawn": "persians", "hand": ["persians"]}).refuses(
        0, action("travel", site="persians"), "already_there"
    )


def test_any_nation_may_be_deployed_on_any_site() -> None:
    """E4"""
    story = laid_out({"pawn": "medes", "hand": ["sumerians"]}).when(0, action("deploy", nation="sumerians"))
    story.stands({"/players/0/sites/medes/column": ["sumerians"], "/players/0/hand": []})


def test_taking_the_last_card_of_a_temple_column_uncovers_the_one_under_it() -> None:
    """E5"""
    me = {"pawn": "medes", "sites": side("medes", column=["persians"])}
    story = laid_out(me, {"temple_column": [3, 1]}, turn=5).when(0, action("build", source="opponent"))
    story.stands({"/players/0/sites/medes/temple": [1], "/players/1/temple_column": [3]})


def test_only_the_next_level_can_be_built() -> None:
    """E6"""
    me = {
        "pawn": "medes",
        "sites": side("medes", temple=[1], column=["medes", "persians"]),
        "temple_column": [3],
    }
    story = laid_out(me, {"temple_column": [1]})
    story.refuses(0, action("build", source="own"), "wrong_level")
    story.refuses(0, action("build", source="opponent"), "wrong_level")


def test_a_temple_is_worth_its_height_and_not_its_cards() -> None:
    """E7"""
    me = {
        "pawn": "medes",
        "sites": side("medes", temple=[2], column=["medes", "persians", "medes"]),
        "temple_column": [3],
    }
    story = laid_out(me).when(0, action("build", source="own"))
    story.stands({"/players/0/sites/medes/temple": [2, 3], "/players/0/total": 3})


def test_a_temple_stands_when_its_nations_migrate_but_cannot_grow_without_them() -> None:
    """E8"""
    me = {
        "pawn": "medes",
        "hand": ["medes", "medes", "persians"],
        "sites": side("medes", temple=[1, 2, 3, 4], column=["persians", "hittites", "sumerians", "medes"]),
        "temple_column": [5],
    }
    story = laid_out(me).when(0, action("migrate", **{"from": "medes", "to": "persians"}))
    story.stands(
        {"/players/0/sites/medes/temple": [1, 2, 3, 4], "/players/0/sites/medes/column": ["persians"]}
    )
    for nation in ("medes", "medes", "persians"):
        story.when(0, action("deploy", nation=nation))
    story.refuses(0, action("build", source="own"), "not_enough_nations")


def test_a_column_of_three_migrates_whole_and_in_order() -> None:
    """E9"""
    story = laid_out({"sites": side("assyrians", column=["persians", "sumerians", "medes"])})
    story.when(0, action("migrate", **{"from": "assyrians", "to": "medes"}))
    story.stands(
        {
            "/players/0/sites/medes/column": ["persians", "sumerians", "medes"],
            "/players/0/sites/assyrians/column": [],
        }
    )


def test_a_run_in_the_middle_of_a_column_can_be_used() -> None:
    """E10"""
    column = ["persians", "assyrians", "assyrians", "assyrians", "persians"]
    me = {"pawn": "medes", "sites": side("medes", column=column)}
    story = laid_out(me, {"sites": side("medes", temple=[1])}).when(0, action("destroy_temple", run=1))
    story.stands(
        {
            "/players/0/sites/medes/column": ["persians", "assyrians", "assyrians", "persians"],
            "/players/1/sites/medes/temple": [],
        }
    )


def test_a_run_of_four_serves_twice() -> None:
    """E11"""
    me = {"pawn": "medes", "sites": side("medes", column=["sumerians"] * 4)}
    story = laid_out(me, {"sites": side("medes", column=["assyrians", "hittites", "medes"])})
    change = action("change_sides", run=0)
    story.when(0, change).happened("ability_used", {"type": "sides_changed", "nation": "medes", "count": 1})
    story.when(0, change).happened(
        "ability_used", {"type": "sides_changed", "nation": "hittites", "count": 1}
    )
    story.refuses(0, change, "no_run")


def test_an_interrupted_run_is_no_run() -> None:
    """E12"""
    me = {
        "pawn": "medes",
        "sites": side("medes", column=["assyrians", "assyrians", "persians", "assyrians"]),
    }
    laid_out(me, {"sites": side("medes", temple=[1])}).refuses(0, action("destroy_temple", run=0), "no_run")


def test_a_run_is_named_by_its_very_first_card() -> None:
    """6.5: a maximal run; neither its second card nor an index outside the column names it."""
    me = {"pawn": "medes", "sites": side("medes", column=["assyrians"] * 4)}
    story = laid_out(me, {"sites": side("medes", temple=[1])})
    for run in (1, 2, 4, 10**30):
        story.refuses(0, action("destroy_temple", run=run), "no_run")
    story.refuses(0, action("steal_level", run=0), "wrong_nation")


def test_a_destroyed_temple_is_revealed_with_what_lay_under_it() -> None:
    """E13"""
    me = {"pawn": "medes", "sites": side("medes", column=["assyrians"] * 3)}
    other = {"sites": side("medes", temple=[1])}
    story = laid_out(me, other, temple_pile=pile_without(1, top=(6,)))
    story.when(0, action("destroy_temple", run=0)).stands({"/temple_pile_known": [1]})
    story.when(0, action("end_turn"))
    story.stands({"/players/0/temple_column": [6, 1], "/temple_pile_known": []})


def test_a_theft_may_jump_levels() -> None:
    """E14"""
    column = ["medes", "persians", "hittites", "hittites", "hittites"]
    me = {"pawn": "medes", "sites": side("medes", temple=[1, 2], column=column)}
    story = laid_out(me, {"sites": side("medes", temple=[1, 2, 3, 4, 5])})
    story.when(0, action("steal_level", run=2))
    story.stands(
        {
            "/players/0/sites/medes/temple": [1, 2, 5],
            "/players/1/sites/medes/temple": [1, 2, 3, 4],
            "/players/0/total": 5,
            "/players/1/total": 4,
        }
    )


def test_only_the_thief_s_own_cards_count() -> None:
    """E15"""
    me = {"pawn": "medes", "sites": side("medes", column=["hittites"] * 3)}
    other = {"sites": side("medes", temple=[1, 2, 3, 4, 5], column=MIXED)}
    laid_out(me, other).refuses(0, action("steal_level", run=0), "not_enough_nations")


def test_a_level_that_is_not_higher_cannot_be_stolen() -> None:
    """Q20"""
    me = {"pawn": "medes", "sites": side("medes", temple=[1], column=["hittites"] * 3)}
    story = laid_out(me, {"sites": side("medes", temple=[1])})
    story.refuses(0, action("steal_level", run=0), "level_not_higher")


def test_a_skip_leaves_out_exactly_one_level() -> None:
    """E16"""
    me = {
        "pawn": "medes",
        "sites": side("medes", temple=[1], column=["persians", "persians", "persians", "medes"]),
        "temple_column": [4],
    }
    story = laid_out(me, {"temple_column": [2]})
    story.refuses(0, action("skip_level", run=0, source="own"), "wrong_level")
    story.refuses(0, action("skip_level", run=0, source="opponent"), "wrong_level")


def test_a_skip_counts_the_cards_before_it_is_paid() -> None:
    """E17"""
    me = {
        "pawn": "medes",
        "sites": side("medes", temple=[1, 2], column=["persians", "persians", "persians", "medes"]),
        "temple_column": [4],
    }
    story = laid_out(me).when(0, action("skip_level", run=0, source="own"))
    story.stands(
        {
            "/players/0/sites/medes/temple": [1, 2, 4],
            "/players/0/sites/medes/column": ["persians", "persians", "medes"],
            "/players/0/total": 4,
        }
    )


def test_a_skip_needs_as_many_cards_as_the_level_says() -> None:
    """E18"""
    me = {
        "pawn": "medes",
        "sites": side("medes", temple=[1, 2], column=["persians"] * 3),
        "temple_column": [4],
    }
    story = laid_out(me, {"temple_column": []})
    story.refuses(0, action("skip_level", run=0, source="own"), "not_enough_nations")
    story.refuses(0, action("skip_level", run=0, source="opponent"), "no_such_temple_card")


def test_medes_may_expel_medes() -> None:
    """E19"""
    me = {"pawn": "persians", "sites": side("persians", column=["medes"] * 3)}
    other = {"sites": side("persians", column=["medes", "medes", "assyrians"])}
    story = laid_out(me, other).when(0, action("expel_nation", run=0, nation="medes"))
    story.stands({"/players/1/sites/persians/column": ["assyrians"], "/nation_discard": ["medes"] * 3})
    story.stands({"/players/0/sites/persians/column": ["medes"] * 2})


def test_edition_2013_changes_the_side_of_every_card_like_the_last() -> None:
    """E20"""
    me = {"pawn": "medes", "sites": side("medes", column=["sumerians"] * 3)}
    other = {"sites": side("medes", column=["assyrians", "hittites", "assyrians"])}
    story = laid_out(me, other, edition="2013").when(0, action("change_sides", run=0))
    story.stands(
        {
            "/players/0/sites/medes/column": ["sumerians", "sumerians", "assyrians", "assyrians"],
            "/players/1/sites/medes/column": ["hittites"],
        }
    )


def test_edition_2000_changes_the_side_of_the_last_run_alone() -> None:
    """E21"""
    me = {"pawn": "medes", "sites": side("medes", column=["sumerians"] * 3)}
    other = {"sites": side("medes", column=["assyrians", "hittites", "assyrians"])}
    story = laid_out(me, other, edition="2000").when(0, action("change_sides", run=0))
    story.stands(
        {
            "/players/0/sites/medes/column": ["sumerians", "sumerians", "assyrians"],
            "/players/1/sites/medes/column": ["assyrians", "hittites"],
        }
    )


def test_nothing_can_be_done_until_half_of_the_hand_is_gone() -> None:
    """E22"""
    me = {"pawn": "medes", "sites": side("medes", column=["persians"] * 3)}
    story = laid_out(me, {"hand": MIXED}).when(0, action("halve_hand", run=0))
    story.stands({"/pending": {"type": "discard_half", "seat": 1, "count": 3}, "/to_act": [1]})
    story.refuses(0, action("end_turn"), "not_your_turn")
    assert story.legal(0) == []
    assert {len(choice["nations"]) for choice in story.legal(1)} == {3}


def test_a_single_card_is_safe_from_halving() -> None:
    """E23"""
    me = {"pawn": "medes", "sites": side("medes", column=["persians"] * 4)}
    story = laid_out(me, {"hand": ["medes", "persians"]}).when(0, action("halve_hand", run=0))
    story.when(1, action("discard", nations=["persians"])).stands({"/players/1/hand": ["medes"]})
    story.refuses(0, action("halve_hand", run=0), "no_target")


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
