"""Reviews of single positions: the wins that they find, and what they do not blame."""

import msgspec
import pytest

from games import RULESETS
from games.search import worlds_seen
from replays.review.choices import Alternative, Alternatives, by_knowledge, choice_of, knows_all, with_win
from replays.review.steps import Budget
from replays.review.wins import way_to_win
from tests.games.aton.positions import TEMPLE_1, pieces, place
from tests.games.babel.laid_out import side
from tests.games.sa_re.table import city, site
from tests.games.temple_of_five.tables import END_TURN, seats_at
from tests.replays.reviewing import game_from, golden_before, reviewed, teller

WIN_AT_BABEL = {
    "turn": 13,
    "endgame": True,
    "players": [
        {
            "pawn": "medes",
            "hand": ["assyrians", "medes"],
            "temple_column": [6],
            "sites": side("medes", temple=[1, 2, 3, 4, 5], column=["medes"] * 6)
            | side("assyrians", temple=[6])
            | side("hittites", temple=[6])
            | side("persians", temple=[2]),
        },
        {
            "pawn": "sumerians",
            "hand": ["persians", "sumerians"],
            "temple_column": [6],
            "sites": side("sumerians", temple=[1, 2, 3, 4, 5], column=["sumerians"] * 6)
            | side("assyrians", temple=[5])
            | side("hittites", temple=[5])
            | side("persians", temple=[4]),
        },
    ],
}
"""Both have 19 points and can build the sixth level: whoever comes to it first has won."""
SIX_ACTIONS_TO_WIN_AT_BABEL = {
    "turn": 20,
    "players": [
        {
            "pawn": "hittites",
            "hand": [],
            "temple_column": [6, 2],
            "sites": side("assyrians", temple=[1, 2])
            | side("hittites", temple=[1], column=["persians"] * 2 + ["medes"] * 2 + ["hittites"])
            | side("persians", temple=[1, 2, 3, 4, 5])
            | side("sumerians", temple=[1]),
        },
        {
            "pawn": "hittites",
            "hand": ["assyrians", "medes", "persians"],
            "temple_column": [4, 2, 3, 4, 4],
            "sites": side("assyrians", temple=[1, 3], column=["hittites", "persians", "persians"])
            | side(
                "hittites",
                temple=[1, 2, 3, 4, 5, 6],
                column=["persians", "hittites", "assyrians", "assyrians", "sumerians"],
            )
            | side("medes", column=["assyrians", "persians", "assyrians"])
            | side("persians", temple=[1, 3], column=["sumerians", "medes"])
            | side("sumerians", column=["assyrians", "medes", "medes"]),
        },
    ],
}
"""Seat 1 has twelve points to nine: three more would end the game."""
WIN_AT_ATON = {
    "round": 2,
    "phase": "place",
    "active_seat": 0,
    "remaining": 1,
    "board": pieces(red=TEMPLE_1[:11]),
    "players": [{"cartouches": [1, 2, 2, 1]}, {"cartouches": [1, 3, 4, 4]}],
}
WIN_WITH_THREE_AT_ATON = WIN_AT_ATON | {
    "remaining": 3,
    "board": pieces(red=TEMPLE_1[:9]),
    "players": [{"cartouches": [1, 2, 2, 3]}, {"cartouches": [1, 3, 4, 4]}],
}
"""Three spaces of the temple are left, and red places three pieces."""
WIN_AT_TEMPLE_OF_FIVE = {
    "phase": "place_priests",
    "round": 6,
    "active_seat": 1,
    "players": seats_at(
        2,
        seat_0={
            "special": {"tile": "s_red_1", "face_up": False},
            "bonus_2": ["b2_red_1", "b2_red_2", "b2_red_3"],
        },
        seat_1={"special": {"tile": "s_gold_2", "face_up": False}},
    ),
}
"""The last turn: seat 0 has three points, seat 1 none, but chains for two cards that give more."""
WIN_AT_SA_RE = {
    "phase": "construction",
    "round": 60,
    "active_seat": 0,
    "players": [
        {
            "spaces": city({"5": site("pyramid", number=2, steps=2)}),
            "stock": {"wood": 1, "gold": 1, "stone": 1, "joker": 0},
            "cards": ["wood_wood", "gold_gold", "stone_stone"],
        },
        {"spaces": city({"5": site("pyramid", number=1, steps=2)})},
    ],
}
"""Seat 0, the last to build in the last round, has all that its pyramid asks for; seat 1's is the greater one."""


def test_a_win_that_was_thrown_away_at_babel_is_a_turning_point() -> None:
    log = game_from("babel", WIN_AT_BABEL)
    log.acts(0, {"type": "end_turn"})
    log.resigns(1)
    body = reviewed(log.entries, RULESETS)
    (point,) = body["turning_points"]
    assert (point["seat"], point["better"]["action"]["type"], point["better"]["chance"]) == (0, "build", 1000)
    assert point["lost"] == 1000 - point["played"]["chance"] > 50
    assert "builds level 6" in teller("babel", "en").turning_point(point)
    assert "construit le niveau 6" in teller("babel", "fr").turning_point(point)


def test_a_win_that_was_thrown_away_at_aton_is_a_turning_point() -> None:
    log = game_from("aton", WIN_AT_ATON)
    log.acts(0, place("t2-01"))
    log.resigns(1)
    (point,) = reviewed(log.entries, RULESETS, 100)["turning_points"]
    assert point["better"]["action"] == place("t1-12")
    assert point["better"]["chance"] == 1000


def test_a_win_by_a_plan_that_the_bot_does_not_see_is_found() -> None:
    """Six actions: to build at the Assyrians' site makes room, and a migration the run that skips a level elsewhere."""
    log = game_from("babel", SIX_ACTIONS_TO_WIN_AT_BABEL)
    log.acts(1, {"type": "migrate", "from": "hittites", "to": "medes"})
    log.resigns(0)
    (decision,) = reviewed(log.entries, RULESETS, 400)["decisions"]
    assert decision["better"][0]["action"] == {"type": "travel", "site": "assyrians"}
    assert decision["lost"] == 1000 - decision["chance"] > 50


def test_a_way_to_win_makes_no_detours() -> None:
    """Ada's hand holds eleven cards. She needs four of them: to go where Ben's highest temple is, and to destroy it."""
    playouts, game = golden_before("babel/close_fight_2000.json", 38)
    view = playouts.ruleset.view(game.state, 0)
    way = way_to_win(playouts, 0, worlds_seen(playouts.ruleset, view, 0), 600)
    journey, *deployed, last = map(msgspec.to_builtins, way)
    assert journey == {"type": "travel", "site": "hittites"}
    assert deployed == [{"type": "deploy", "nation": "assyrians"}] * 3
    assert last["type"] == "destroy_temple"


def test_of_all_that_wins_what_begins_the_win_is_told_first() -> None:
    detour, win = ({"type": "migrate"}, {"type": "travel"})
    options = tuple(Alternative(action, 1000, {}) for action in (detour, win))
    assert with_win(Alternatives(400, options), options[1]).better == (options[1], options[0])
    assert with_win(Alternatives(400, options[:1]), options[1]).better == (options[1], options[0])
    assert with_win(Alternatives(1000, ()), options[1]).better == ()


def test_what_the_bot_itself_does_wrong_is_found_where_there_is_little_time() -> None:
    """In the second of six rounds Ada puts three of her last six priests on a card that nobody helps her to fill."""
    playouts, game = golden_before("temple_of_five/two_single_colour.json", 32)
    spent = {"type": "use_chain", "space": [2, 2], "target": "gold", "card_spaces": [2, 3, 4]}
    choice = choice_of(playouts, 0, spent, game, game.state)
    budget = Budget(playouts.ruleset.prospects.playouts)
    found = by_knowledge(playouts, choice, budget.tries, budget.checks)
    assert found.better[0].chance - found.chance > 100


def test_what_seems_better_in_a_few_worlds_only_is_not_told() -> None:
    """Nobody gains by throwing a wood card away that lies there for the taking."""
    playouts, game = golden_before("sa_re/priest.json", 78)
    choice = choice_of(playouts, 2, {"type": "take_card", "card": "wood_2"}, game, game.state)
    assert by_knowledge(playouts, choice, 50, 16).better == ()


@pytest.mark.parametrize(
    ("name", "version", "action", "all_is_known"),
    [
        ("sa_re/scribe.json", 106, {"type": "stay"}, True),
        ("temple_of_five/two_single_colour.json", 66, {"type": "end_turn"}, False),
    ],
)
def test_open_cards_tell_nothing_where_nobody_hides_any(
    name: str, version: int, action: dict[str, str], all_is_known: bool
) -> None:
    """At Temple of Five, Seat 1 keeps bonus decorations that Ada has not seen."""
    playouts, game = golden_before(name, version)
    assert knows_all(playouts, choice_of(playouts, 0, action, game, game.state)) is all_is_known


def test_a_win_that_takes_all_pieces_is_not_thrown_away_by_who_places_them() -> None:
    log = game_from("aton", WIN_WITH_THREE_AT_ATON)
    for space in TEMPLE_1[9:]:
        log.acts(0, place(space))
    assert log.game.state.outcome.winners == (0,)
    for decision in reviewed(log.entries, RULESETS, 100)["decisions"]:
        assert (decision["lost"], decision["better"]) == (0, [])


def test_a_win_that_was_thrown_away_at_temple_of_five_is_a_turning_point() -> None:
    log = game_from("temple_of_five", WIN_AT_TEMPLE_OF_FIVE)
    log.acts(1, END_TURN)
    (point,) = reviewed(log.entries, RULESETS)["turning_points"]
    assert (point["seat"], point["played"]["chance"], point["lost"]) == (1, 0, 1000)
    assert point["better"]["action"]["type"] == "use_chain"


def test_a_win_that_was_thrown_away_at_sa_re_is_a_turning_point() -> None:
    log = game_from("sa_re", WIN_AT_SA_RE)
    log.acts(0, {"type": "end_construction", "keep": []})
    (point,) = reviewed(log.entries, RULESETS)["turning_points"]
    assert point["better"]["action"] == {"type": "start_work", "kind": "build", "space": 5}
    assert (point["played"]["chance"], point["better"]["chance"]) == (0, 1000)


def test_a_forced_move_is_no_blunder() -> None:
    log = game_from("babel", WIN_AT_BABEL | {"players": [{"hand": []}, {"hand": []}], "endgame": False})
    assert len(RULESETS.latest("babel").legal_actions(log.game.state, 0)) == 1
    log.acts(0, {"type": "end_turn"})
    log.resigns(0)
    (decision, *_) = reviewed(log.entries, RULESETS)["decisions"]
    assert (decision["choices"], decision["chance"], decision["lost"]) == (1, None, 0)
    assert decision["better"] == decision["open"] == []


def test_whoever_has_used_all_chains_at_temple_of_five_can_but_end_the_turn() -> None:
    log = game_from("temple_of_five", WIN_AT_TEMPLE_OF_FIVE | {"turn_state": {"chains_used": 2}})
    log.acts(1, END_TURN)
    (decision,) = reviewed(log.entries, RULESETS, 2)["decisions"]
    assert (decision["choices"], decision["chance"], decision["lost"]) == (1, None, 0)


def test_whoever_has_nothing_left_to_build_with_at_sa_re_can_but_end_it() -> None:
    players = [{}, {"stock": {}, "spaces": city({"1": ["carpenter"]})}]
    log = game_from("sa_re", {"phase": "construction", "active_seat": 1, "players": players})
    log.acts(1, {"type": "store", "source": {"production": 1}, "take": ["wood"]})
    log.acts(1, {"type": "end_construction", "keep": []})
    _, decision = reviewed(log.entries, RULESETS, 2)["decisions"]
    assert (decision["choices"], decision["chance"], decision["lost"]) == (1, None, 0)


def test_a_choice_between_what_is_alike_is_no_choice() -> None:
    """Red must place one piece, and all the spaces that it may choose from are alike."""
    position = WIN_AT_ATON | {"players": [{"cartouches": [1, 2, 1, 1]}, {"cartouches": [1, 3, 4, 4]}]}
    log = game_from("aton", position | {"board": pieces(red=TEMPLE_1[:8])})
    assert len(RULESETS.latest("aton").legal_actions(log.game.state, 0)) == 4
    log.acts(0, place(TEMPLE_1[9]))
    log.resigns(1)
    (decision,) = reviewed(log.entries, RULESETS)["decisions"]
    assert (decision["choices"], decision["better"], decision["lost"]) == (1, [], 0)


def test_what_can_still_be_done_with_the_next_decision_is_not_lost() -> None:
    log = game_from("babel", WIN_AT_BABEL)
    log.acts(0, {"type": "deploy", "nation": "medes"})
    log.acts(0, {"type": "build", "source": "own"})
    first, second = reviewed(log.entries, RULESETS)["decisions"]
    assert (first["chance"], first["lost"], first["better"]) == (1000, 0, [])
    assert second["after"] == [1000, 0]
