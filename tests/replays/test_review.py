"""Reviews of whole games and of single positions: what they find, what they do not blame, and that they last."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from events.entries import Carved
from events.game import Game, ruleset_of, unfold
from games import RULESETS
from games.canonical import canonical
from games.kernel import Registry
from games.search import worlds_seen
from games.toy import LANTERNS
from replays.record import entries_of
from replays.review.choices import Alternatives, Option, by_knowledge, choice_of, with_win
from replays.review.playouts import Playouts, per_mille, seed_of, short_sighted
from replays.review.report import Review, judged, review
from replays.review.steps import Budget, Decision, NothingToReview, Step, number_of_steps, steps
from replays.review.wins import way_to_win
from replays.telling import LANGUAGES, Teller, teller_of
from tests.events.logs import TOYS, Log, created, finished, named, next_action
from tests.games.aton.positions import TEMPLE_1, pieces, place
from tests.games.babel.laid_out import side
from tests.games.sa_re.table import city, site
from tests.games.temple_of_five.tables import END_TURN, seats_at
from tests.golden.records import HERE, golden
from tests.replays.bot_games import bot_game
from tests.replays.test_telling import LEFT_OPEN

SITTERS = (named("Ada"), named("Ben"))
EARLY = 14
"""Entries of a long game that will do."""
LITTLE = 16
"""Playouts for each decision: enough for what is plain."""


def reviewed(entries: Sequence[Carved], rulesets: Registry = TOYS, playouts: int = LITTLE) -> Review:
    return review(entries, list(steps(entries, rulesets, {}, playouts)))


def game_from(ruleset: str, position: Mapping[str, Any]) -> Log:
    """A game of two people that begins from a position."""
    origin = {"kind": "position", "position": dict(position)}
    page = created(
        ruleset=RULESETS.latest(ruleset), seats=2, origin=origin, rulesets=RULESETS, sitters=SITTERS
    )
    return Log(page, RULESETS)


def golden_before(name: str, version: int) -> tuple[Playouts, Game]:
    """A golden game before an entry, as its review sees it."""
    entries = entries_of(golden(HERE / name))
    game = next(game for _, game in unfold(entries, RULESETS) if game.version == version - 1)
    return Playouts(short_sighted(ruleset_of(game, RULESETS)), seed_of(entries)), game


def teller(ruleset: str, language: str) -> Teller:
    return teller_of(RULESETS.latest(ruleset), language, ["Ada", "Ben"])


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
    options = tuple(Option(action, 1000, {}) for action in (detour, win))
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


def test_who_decides_at_once_with_others_is_not_told_what_they_chose() -> None:
    choices = []
    for card in (0, 1):
        log = Log(created("07-" + "0" * 26))
        asked = log.game
        hands = [player.hand for player in asked.state.players]
        log.acts(0, {"type": "lay", "card": hands[0][card]})
        mine = {"type": "lay", "card": hands[1][0]}
        playouts = Playouts(LANTERNS, b"seed")
        choices.append(choice_of(playouts, 1, mine, log.game, asked.state))
    assert choices[0] == choices[1]
    assert choices[0].state.to_act == (0, 1, 2)


def test_what_others_had_laid_in_secret_is_news_and_what_one_does_oneself_is_none() -> None:
    hands = [{"hand": [1, 2, 3, 4]}, {"hand": [1, 2, 3, 4]}]
    log = game_from("aton", {"round": 2, "players": hands})
    log.acts(0, {"type": "allocate", "cards": [1, 2, 3, 4]})
    log.acts(1, {"type": "allocate", "cards": [4, 1, 3, 2]})
    log.acts(1, place("t1-01"))
    _, first, second, placed = steps(log.entries, RULESETS, {}, 2)
    assert (first.news, second.news, placed.news) == (False, True, False)


def test_who_goes_first_by_a_draw_has_luck() -> None:
    """Both turn up cards that go under their decks again: those are as large as before."""
    hands = [{"hand": [1, 2, 3, 4]}, {"hand": [1, 2, 3, 4]}]
    log = game_from("aton", {"round": 2, "players": hands})
    for seat in (0, 1):
        log.acts(seat, {"type": "allocate", "cards": [1, 2, 3, 4]})
    _, first, second = steps(log.entries, RULESETS, {}, 2)
    assert "order_cards_drawn" in [fact.__struct_config__.tag for fact in log.entries[-1].data.facts]
    assert (first.luck is None, second.luck is None) == (True, False)


def decided(version: int, choices: int, chance: int | None, better: tuple[int, ...] = ()) -> Decision:
    """A decision of seat 0 of which nothing is said but what it was worth."""
    options = tuple(Option({}, each, {}) for each in better)
    lost = better[0] - (chance or 0) if better else 0
    even = (500, 500)
    return Decision(
        version, 0, even, even, choices, {}, {}, chance, options, lost, chance, options, luck=None
    )


def test_what_reads_alike_is_told_as_done_otherwise() -> None:
    """A sentence says where a tile is laid, and not how it is turned."""
    options = []
    for rotation in (0, 90):
        action = {"type": "place_tile", "tile": "d05", "slot": 4, "rotation": rotation}
        fact = action | {"type": "tile_placed", "seat": 0, "level": 1, "priests_returned": []}
        options.append({"action": action, "fact": fact, "chance": 400 + rotation})
    point = {"seat": 0, "played": options[0], "better": options[1]}
    assert "; the same done otherwise" in teller("temple_of_five", "en").turning_point(point)
    assert "; le même coup joué autrement" in teller("temple_of_five", "fr").turning_point(point)


@pytest.mark.parametrize(("news", "lost"), [(False, [0, 0, 300]), (True, [200, 0, 300])])
def test_what_is_lost_last_was_not_lost_before_unless_it_was_not_to_be_known(
    news: bool, lost: list[int]
) -> None:
    """Between the two choices lies a move that was forced."""
    made = [decided(1, 4, 600, (800,)), decided(2, 1, None), decided(3, 4, 500, (800,))]
    told = [Step(each.version, (500, 500), decision=each, news=news) for each in made]
    assert [each.lost for each in judged(told)] == lost


# -- whole games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["babel", "aton", "temple_of_five", "sa_re"])
def test_the_decisions_of_a_game_lie_on_one_curve(ruleset: str) -> None:
    record = bot_game(ruleset)
    record["entries"] = record["entries"][:EARLY]
    body = reviewed(entries_of(record), RULESETS, 2)
    curve = {point["version"]: point["chances"] for point in body["curve"]}
    played = [entry for entry in record["entries"] if entry["type"] == "action_taken"]
    assert [decision["version"] for decision in body["decisions"]] == [entry["seq"] for entry in played]
    for decision, entry in zip(body["decisions"], played, strict=True):
        assert decision["seat"] == entry["actor"]["seat"]
        assert decision["before"] == curve[decision["version"] - 1]
        assert decision["after"] == curve[decision["version"]]
        assert decision["lost"] >= 0
        assert [option["chance"] for option in decision["better"]] == sorted(
            (option["chance"] for option in decision["better"]), reverse=True
        )
    assert all(sum(chances) == 1000 for chances in curve.values())
    drew = any(entry["data"].get("random") for entry in record["entries"])
    assert not drew or any(point["luck"] for point in body["curve"])
    assert all(sum(point["luck"] or ()) == 0 for point in body["curve"])
    assert sum(seat["luck"] for seat in body["seats"]) == 0
    for language in LANGUAGES:
        for point in body["turning_points"]:
            assert LEFT_OPEN.search(teller(ruleset, language).turning_point(point)) is None


def test_a_review_is_the_same_bytes_however_often_it_is_broken_off() -> None:
    entries = finished()
    whole = list(steps(entries, TOYS, {}, LITTLE))
    for stop in (0, 1, len(whole) // 2, len(whole)):
        done = {step.version: step for step in whole[:stop]}
        written = msgspec.json.decode(msgspec.json.encode(list(done.values())), type=list[Step])
        again = list(steps(entries, TOYS, {step.version: step for step in written}, LITTLE))
        assert canonical(review(entries, again)) == canonical(review(entries, whole))


def test_another_end_of_the_log_has_other_chances_in_its_review() -> None:
    assert seed_of(finished(game="07-" + "0" * 26)) != seed_of(finished(game="07-" + "1" * 26))


def test_a_game_that_never_began_has_nothing_to_review() -> None:
    log = Log(created(sitters=()))
    log.is_aborted()
    log.settles()
    with pytest.raises(NothingToReview):
        list(steps(log.entries, TOYS, {}))


def test_a_game_that_was_called_off_is_reviewed_as_far_as_it_went() -> None:
    log = Log(created())
    log.acts(*next_action(log.game))
    log.is_aborted()
    log.settles()
    body = reviewed(log.entries)
    assert [point["version"] for point in body["curve"]] == [log.entries[-4].seq, log.entries[-3].seq]
    assert len(body["curve"]) == number_of_steps(log.entries) == 2


def test_a_withdrawal_is_on_the_curve_and_no_decision() -> None:
    log = Log(created())
    log.resigns(0)
    log.plays_on()
    body = reviewed(log.entries, playouts=4)
    gone = next(carved.seq for carved in log.entries if carved.entry.type == "seat_withdrawn")
    assert gone in [point["version"] for point in body["curve"]]
    assert gone not in [decision["version"] for decision in body["decisions"]]


@pytest.mark.parametrize(
    ("chances", "thousandths"),
    [((1.0, 0.0), (1000, 0)), ((1 / 3,) * 3, (334, 333, 333)), ((0.1234, 0.8766), (123, 877))],
)
def test_thousandths_are_a_thousand_together(
    chances: tuple[float, ...], thousandths: tuple[int, ...]
) -> None:
    assert per_mille(chances) == thousandths
