"""Who begins (Q1): the option `begins` of version 2."""

from games.temple_of_five import TEMPLE_OF_FIVE, TEMPLE_OF_FIVE_1
from tests.rulesets.story import Story, refuses_to_begin


def test_tiles_are_dealt_from_the_first_player_on() -> None:
    first, second = (Story(TEMPLE_OF_FIVE).given(seats=2, options={"begins": seat}) for seat in (0, 1))
    assert second.state.first_player == 1
    assert [player.hand for player in second.state.players] == [
        player.hand for player in reversed(first.state.players)
    ]


def test_the_first_player_is_drawn_unless_a_position_says_who_it_is() -> None:
    story = Story(TEMPLE_OF_FIVE).given(seats=3, options={"begins": "drawn"})
    (drawn,) = [draw.result for draw in story.draws if draw.label == "begins"]
    assert story.state.first_player == drawn[0]
    story = Story(TEMPLE_OF_FIVE).given({"first_player": 2}, seats=3, options={"begins": "drawn"})
    assert story.state.first_player == 2
    assert "begins" not in {draw.label for draw in story.draws}


def test_only_a_seat_of_the_game_can_begin_and_version_1_has_no_such_option() -> None:
    refuses_to_begin(TEMPLE_OF_FIVE, "invalid_options", seats=3, options={"begins": 3})
    refuses_to_begin(TEMPLE_OF_FIVE_1, "invalid_options", seats=3, options={"begins": 0})
