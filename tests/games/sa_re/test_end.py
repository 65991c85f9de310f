"""The end of the game (8): directives, tie-breaks, the round limit and withdrawals."""

from typing import Any

from tests.games.sa_re.table import POWERS, city, given, in_construction, in_sites, site
from tests.rulesets.story import Story

END = {"type": "end_construction", "keep": []}
FULL = {str(space): ["carpenter"] for space in range(1, 12)}


def after_building(story: Story) -> Story:
    """Every seat ends its construction."""
    while story.state.phase == "construction":
        story.when(story.state.to_act[0], END)
    return story


def ended(*spaces: dict[str, Any], **options: Any) -> Story:
    return after_building(in_construction(*({"spaces": city(each)} for each in spaces), **options))


def test_a_scribe_wins_with_a_pyramid() -> None:
    story = ended({"5": ["pyramid"]}, {}).happened("construction_ended", "round_ended", "game_ended")
    outcome = {"winners": [0], "reason": "directive_fulfilled", "scores": [1, 0], "tiebreak": None}
    story.stands({"/outcome": outcome, "/phase": "ended", "/active_seat": None, "/decision": None})


def filled_city(pyramid: list[Any]) -> dict[str, Any]:
    production = ["carpenter", "goldsmith", "stonecutter", "warehouse", "carpenter"]
    rest = {str(space): [building] for space, building in zip((5, 6, 7, 11), production, strict=False)}
    return {**POWERS, **rest, "3": pyramid}


def test_an_architect_fills_every_space_with_buildings_and_the_pyramid_may_still_be_a_site() -> None:
    story = ended(filled_city(site("pyramid")), {}, mode="architect")
    story.stands({"/outcome/reason": "directive_fulfilled", "/outcome/scores": [13, 1]})
    without = ended(filled_city(["port"]), {}, mode="architect", max_rounds=1)
    without.stands({"/outcome/reason": "round_limit", "/outcome/scores": [12, 1]})
    unfinished = ended(
        {**filled_city(["pyramid"]), "5": site("carpenter")}, {}, mode="architect", max_rounds=1
    )
    unfinished.stands({"/outcome/reason": "round_limit", "/outcome/scores": [12, 1]})


def test_a_priest_needs_port_pyramid_and_three_administrative_buildings() -> None:
    three = {"1": ["temple"], "2": ["market"], "4": ["palace"]}
    story = ended({**three, "3": ["port"], "5": ["pyramid"]}, {"1": ["library"]}, mode="priest")
    story.stands({"/outcome/reason": "directive_fulfilled", "/outcome/scores": [5, 1]})
    ended({**POWERS, "3": ["port"]}, {}, mode="priest").stands({"/phase": "sites"})


def test_a_priest_with_more_than_three_administrative_buildings_has_fulfilled_the_directive_too() -> None:
    four = {"1": ["temple"], "2": ["market"], "4": ["palace"], "6": ["library"]}
    story = ended({**four, "3": ["port"], "5": ["pyramid"]}, {}, mode="priest")
    story.stands(
        {"/outcome/reason": "directive_fulfilled", "/outcome/winners": [0], "/outcome/scores": [5, 0]}
    )


def test_at_the_round_limit_two_completed_pyramids_are_told_apart_by_their_numbers() -> None:
    pyramids = [{"5": [{"building": "pyramid", "number": number}]} for number in (2, 1)]
    story = ended(*pyramids, mode="pharaoh", max_rounds=1)
    story.stands({"/outcome/reason": "round_limit", "/outcome/winners": [1], "/outcome/scores": [1, 1]})
    story.stands({"/outcome/tiebreak": "pyramid_number"})


def test_of_several_pyramids_the_most_administrative_buildings_win() -> None:
    story = ended({"5": ["pyramid"]}, {"5": ["pyramid"], "1": ["temple"]})
    story.stands({"/outcome/winners": [1], "/outcome/tiebreak": "administrative_buildings"})


def test_then_the_lowest_pyramid_number_wins() -> None:
    story = ended(
        {"5": [{"building": "pyramid", "number": 2}]}, {"5": [{"building": "pyramid", "number": 1}]}
    )
    story.stands({"/outcome/winners": [1], "/outcome/scores": [1, 1], "/outcome/tiebreak": "pyramid_number"})


def architects(first: list[Any], second: list[Any]) -> Story:
    """Two cities filled alike but for their pyramids; the second has cheaper tiles where the supply runs out."""
    own = {"1": ["temple"], "2": ["gardens"], "4": ["barracks"], "5": ["carpenter"], "6": ["goldsmith"]}
    more = {"7": ["stonecutter"], "8": ["palace"], "9": ["market"], "10": ["library"], "11": ["warehouse"]}
    return ended({**own, **more, "3": first}, {**own, **more, "3": second}, mode="architect")


def test_a_completed_pyramid_beats_a_site_and_more_steps_beat_fewer() -> None:
    story = architects(site("pyramid", number=1, steps=2), [{"building": "pyramid", "number": 2}])
    story.stands({"/outcome/winners": [1], "/outcome/tiebreak": "pyramid_completed"})
    story = architects(site("pyramid", number=1, steps=1), site("pyramid", number=2, steps=2))
    story.stands({"/outcome/winners": [1], "/outcome/tiebreak": "pyramid_steps"})
    story = architects(site("pyramid", number=1, steps=1), site("pyramid", number=2, steps=1))
    story.stands(
        {"/outcome/winners": [0], "/outcome/tiebreak": "pyramid_number", "/outcome/scores": [13, 13]}
    )


def test_at_the_round_limit_scribes_compare_the_steps_of_their_pyramids() -> None:
    story = ended({"5": site("pyramid", steps=1)}, {"1": ["temple"]}, {}, max_rounds=1)
    story.stands({"/outcome/winners": [0], "/outcome/reason": "round_limit", "/outcome/tiebreak": None})


def test_what_is_still_equal_at_the_round_limit_is_a_shared_win() -> None:
    story = ended({}, {"1": ["temple"]}, {"1": ["market"]}, max_rounds=1)
    story.stands({"/outcome/winners": [1, 2], "/outcome/tiebreak": "administrative_buildings"})
    ended({}, {}, max_rounds=1).stands({"/outcome/winners": [0, 1], "/outcome/tiebreak": None})


def test_without_a_limit_rounds_go_on() -> None:
    story = given({"phase": "construction", "round": 400}, max_rounds=None)
    after_building(story).stands({"/phase": "sites", "/round": 401, "/first_seat": 0})


def test_a_vacated_city_neither_ends_the_game_nor_wins_it() -> None:
    story = in_construction({"spaces": city({"5": ["pyramid"]}), "vacated": "timed_out"}, {}, {})
    after_building(story).stands({"/phase": "sites", "/outcome": None})
    limit = in_construction(
        {"spaces": city({"5": ["pyramid"]}), "vacated": "timed_out"}, {}, {}, max_rounds=1
    )
    after_building(limit).stands({"/outcome/winners": [1, 2], "/outcome/scores": [1, 0, 0]})


def test_withdrawals_end_a_game_of_two_and_leave_the_last_player_the_winner() -> None:
    story = in_sites({"spaces": city({"5": ["pyramid"]})}, {}).withdraws(0, "timed_out")
    outcome = {"winners": [1], "reason": "timed_out", "scores": [1, 0], "tiebreak": None}
    story.stands({"/outcome": outcome, "/players/0/penalty": None})
    trio = in_sites({}, {}, {}).withdraws(0).happened("seat_vacated")
    trio.stands({"/to_act": [0], "/players/0/vacated": "resigned"})
    trio.withdraws(2, "timed_out").happened("seat_vacated", "game_ended")
    trio.stands({"/outcome/winners": [1], "/outcome/reason": "last_player"})
