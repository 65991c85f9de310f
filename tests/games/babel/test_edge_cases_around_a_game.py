"""The edge cases of the specification (11) that are not about a turn: viewers, positions, the end, withdrawal."""

import pytest

from games.babel import BABEL, BABEL_1
from games.canonical import canonical
from games.chance import Chance
from tests.games.babel.invariants import check_invariants
from tests.games.babel.laid_out import laid_out, pile_without, refused, side, spare_temples
from tests.rulesets.story import Story, builtins, refuses_to_begin

END_TURN = {"type": "end_turn"}
HIDDEN = {
    "/players/0/hand": None,
    "/players/1/hand": None,
    "/temple_pile": None,
    "/nation_pile": None,
    "/temple_pile_known": [1, 2],
    "/players/0/hand_count": 2,
    "/players/1/hand_count": 1,
}


def test_a_spectator_sees_counts_and_what_everybody_knows_and_can_do_nothing() -> None:
    """E36, running and ended"""
    story = laid_out({"hand": ["medes", "medes"]}, {"hand": ["persians"]}, temple_pile_known=[1, 2])
    story.shows(None, HIDDEN)
    watched = story.ruleset.view(story.state, None)
    assert story.ruleset.legal_actions(watched, 1) == []
    story.withdraws(1).shows(None, HIDDEN)
    assert story.legal(0) == story.legal(1) == []


def test_only_their_owner_sees_the_cards_drawn() -> None:
    """E37"""
    story = laid_out(turn=2, other={"hand": []}, me={"hand": [], "start_card": False}).when(1, END_TURN)
    draw = {"type": "nations_drawn", "seat": 0, "nations": None, "count": 3}
    for viewer in (1, None):
        story.seen(viewer, "temples_revealed", "turn_ended", "turn_started", draw)
    assert len(story.facts[-1].seen_by(0).nations) == 3


def test_no_position_holds_more_cards_than_the_box() -> None:
    """E38"""
    thirteen = {"players": [{"sites": side("medes", column=["assyrians"] * 13)}, {}]}
    assert "there are 12 of `assyrians` (nations), not 13" in refused(thirteen)
    nine_and_two = {"players": [{"temple_column": [1] * 9}, {}]}
    assert "there are 10 of `1` (temples), not 11" in refused(nine_and_two)


def test_the_active_seat_follows_from_the_turn_unless_a_position_says_otherwise() -> None:
    """E39, Q25"""
    position = {"turn": 4, "active_seat": 0}
    assert "active seat is 1" in refuses_to_begin(BABEL_1, "invalid_position", position, seats=2)
    Story(BABEL).given({"turn": 4}, seats=2).stands({"/active_seat": 1})
    Story(BABEL).given({"turn": 4}, seats=2, options={"begins": 1}).stands({"/active_seat": 0})
    Story(BABEL).given(position, seats=2).stands({"/active_seat": 0, "/to_act": [0]})
    assert "no seat 2" in refused({"turn": 4, "active_seat": 2})


@pytest.mark.parametrize("temple", [[2, 1], [3, 3]])
def test_a_temple_rises_from_card_to_card(temple: list[int]) -> None:
    """E40"""
    assert "does not rise" in refused({"turn": 5, "players": [{"sites": side("medes", temple=temple)}, {}]})


def test_a_position_in_which_the_game_is_over_is_refused() -> None:
    """E41"""
    assert "fifteen_to_nine" in refused({"turn": 5, "players": [{"sites": spare_temples(total=15)}, {}]})


def test_a_position_is_in_end_of_game_mode_when_its_totals_say_so() -> None:
    """E42"""
    story = laid_out({"sites": spare_temples(total=16)}, {"sites": spare_temples(total=11)})
    story.happened("game_set_up").stands({"/endgame": True})


def test_no_nation_card_may_be_left_over() -> None:
    """E43"""
    assert "lies nowhere" in refused({"turn": 5, "nation_pile": ["medes", "persians"]})


def test_the_facts_of_a_finished_game_are_enough_to_tell_it() -> None:
    """E44"""
    story = Story(BABEL).given(seats=2)
    bots = (story.ruleset.bot("random"), story.ruleset.bot("greedy"))
    dice = Chance(story.seed).stream("bot")
    while story.state.to_act:
        seat = story.state.to_act[0]
        view = story.ruleset.view(story.state, seat)
        story.when(seat, builtins(bots[seat].choose(view, seat, dice)))
    facts = story.ruleset.read_facts([builtins(fact) for fact in story.history])
    assert canonical(story.ruleset.fold(None, facts)) == canonical(story.state)


def test_two_who_build_and_destroy_for_ever_break_nothing() -> None:
    """E45: a thousand turns around one Assyrian, with all invariants intact"""
    trio = {"pawn": "medes", "temple_column": [2, 1], "hand": []}
    crowd = side("persians", column=["assyrians"] * 7 + ["hittites"] * 12 + ["medes"] * 12)
    others = side("sumerians", column=["persians"] * 12 + ["sumerians"] * 12)
    me = trio | {"hand": ["assyrians"], "sites": side("medes", column=["assyrians"] * 2) | crowd | others}
    other = trio | {"sites": side("medes", temple=[1, 2], column=["assyrians"] * 2)}
    story = laid_out(me, other, nation_pile=[], nation_discard=[])
    for turn in range(3, 1003):
        for step in (
            {"type": "build", "source": "opponent"},
            {"type": "build", "source": "opponent"},
            {"type": "deploy", "nation": "assyrians"},
            {"type": "destroy_temple", "run": 0},
            END_TURN,
        ):
            story.when((turn - 1) % 2, step)
            check_invariants(story.state)
    story.stands({"/turn": 1003, "/reshuffles": 1000, "/outcome": None})


@pytest.mark.parametrize("cause", ["resigned", "timed_out"])
def test_who_withdraws_while_he_has_to_discard_has_lost(cause: str) -> None:
    """E46"""
    me = {"pawn": "medes", "sites": side("medes", column=["persians"] * 3)}
    story = laid_out(me, {"hand": ["medes", "medes"], "sites": side("persians", temple=[1])})
    story.when(0, {"type": "halve_hand", "run": 0}).withdraws(1, cause).happened("game_ended")
    outcome = {"winners": [0], "reason": cause, "scores": [0, 1], "tiebreak": None}
    story.stands({"/outcome": outcome, "/pending": None, "/to_act": [], "/phase": "ended"})


@pytest.mark.parametrize(
    "position",
    [{"turn": True}, {"turn": 4.0}, {"turn": 3, "players": [{"hand": "medes"}, {}]}],
    ids=str,
)
def test_a_position_of_wrong_kinds_is_refused(position: dict[str, object]) -> None:
    """E47"""
    assert "Expected `" in refused(position)


def test_hands_cannot_be_dealt_from_too_few_cards() -> None:
    """E48"""
    nations = ("assyrians", "hittites", "medes", "persians", "sumerians")
    sites = {name: {"column": [name] * 11} for name in nations}
    assert "5 cards are to be dealt, and 2 are left" in refused(
        {"turn": 5, "players": [{"sites": sites}, {}]}
    )


def test_what_is_known_of_the_pile_is_its_beginning() -> None:
    """E49"""
    pile = pile_without(top=(1, 1))
    fault = refused({"turn": 5, "temple_pile": pile, "temple_pile_known": [1, 2]})
    assert "not the beginning" in fault


def test_known_temple_cards_lie_on_top_of_a_pile_that_is_left_out() -> None:
    """E50"""
    story = Story(BABEL).given({"temple_pile_known": [2, 6], "turn": 9}, seats=2)
    assert story.state.temple_pile[:2] == (2, 6)
    story.when(0, END_TURN).stands({"/players/0/temple_column": [6, 2], "/temple_pile_known": []})


def test_a_null_hand_and_a_null_pile_are_filled_and_a_given_hand_is_sorted() -> None:
    """E51"""
    story = laid_out({"hand": None}, {"hand": ["sumerians", "assyrians"]}, nation_pile=None)
    story.stands(
        {
            "/players/0/hand_count": 3,
            "/players/1/hand": ["assyrians", "sumerians"],
            "/nation_pile_count": 55,
        }
    )
    assert [draw.label for draw in story.draws] == ["nations/0", "temples/0"]
    check_invariants(story.state)


def test_an_empty_temple_pile_ends_the_game_with_the_turn() -> None:
    """E52"""
    story = laid_out({"temple_column": pile_without()}, temple_pile=[]).when(0, END_TURN)
    story.happened(
        {"type": "temples_revealed", "seat": 0, "levels": []},
        "turn_ended",
        {
            "type": "game_ended",
            "outcome": {
                "winners": [1],
                "reason": "temple_pile_empty",
                "scores": [0, 0],
                "tiebreak": "hand_count",
            },
        },
    )


def test_the_shape_of_an_action_is_judged_before_whose_turn_it_is() -> None:
    """E53"""
    story = laid_out()
    for _ in range(2):
        story.refuses(1, {"type": "pass"}, "unknown_action").refuses(
            1, {"type": "travel"}, "malformed_action"
        )
        if not story.state.outcome:
            story.refuses(1, END_TURN, "not_your_turn").withdraws(0)
    story.refuses(0, END_TURN, "game_over").refuses(1, END_TURN, "game_over")


@pytest.mark.parametrize(
    "options", [{"edition": "1999"}, {"expansion": True}, {"component_set": "x"}], ids=str
)
def test_unknown_options_are_refused(options: dict[str, object]) -> None:
    """E54"""
    refuses_to_begin(BABEL, "invalid_options", seats=2, options=options)


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_babel_is_for_two(seats: int) -> None:
    """2"""
    refuses_to_begin(BABEL, "invalid_seats", seats=seats)
