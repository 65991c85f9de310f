"""The edge cases of the specification (11), the row's number in each docstring: what happens during a turn."""

from tests.games.babel.laid_out import MIXED, action, laid_out, pile_without, side


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
