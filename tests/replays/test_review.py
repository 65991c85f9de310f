"""Reviews of whole games: what was known and what was drawn, what is blamed last, and that they last."""

import msgspec
import pytest

from games import RULESETS
from games.canonical import canonical
from games.toy import LANTERNS
from replays.narration import LANGUAGES
from replays.record import entries_of
from replays.review.choices import Alternative, choice_of
from replays.review.playouts import Playouts, per_mille, seed_of
from replays.review.report import judged, review
from replays.review.steps import Decision, NothingToReview, Step, number_of_steps, steps
from tests.events.logs import TOYS, Log, created, finished, next_action
from tests.games.aton.positions import place
from tests.replays.bot_games import bot_game
from tests.replays.reviewing import LITTLE, game_from, reviewed, teller
from tests.replays.test_narration import LEFT_OPEN

EARLY = 14
"""Entries of a long game that will do."""


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
    options = tuple(Alternative({}, each, {}) for each in better)
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


@pytest.mark.parametrize(
    ("news", "luck", "lost"),
    [
        (False, None, [0, 0, 300]),
        (True, None, [200, 0, 300]),
        (True, (-8, 8), [0, 0, 300]),
        (True, (60, -60), [120, 0, 300]),
    ],
)
def test_what_is_lost_last_was_not_lost_before_unless_it_came_by_what_was_not_to_be_known(
    news: bool, luck: tuple[int, int] | None, lost: list[int]
) -> None:
    """Between the two choices lies a move that was forced. Of a draw is known what it gave."""
    made = [decided(1, 4, 600, (800,)), decided(2, 1, None), decided(3, 4, 500, (800,))]
    told = [Step(each.version, (500, 500), luck, each, news) for each in made]
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
