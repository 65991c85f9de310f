"""The edge cases of the specification (section 11): cards, order, removing and placing. Rows 1 to 24, 37 to 44, 48."""

from games.aton import ATON
from tests.games.aton.positions import (
    BLUE,
    GREEN,
    RED,
    TEMPLE_1,
    YELLOW,
    allocate,
    both_lay,
    given,
    in_turn,
    kinds,
    pieces,
    place,
    remove,
    told,
)
from tests.rulesets.story import refuses_to_begin

EXCHANGE = {"type": "exchange"}


def test_row_1_a_game_begins_with_four_cards_each_and_both_to_act() -> None:
    counts = {
        f"/players/{seat}/{zone}_count": n for seat in (0, 1) for zone, n in (("hand", 4), ("deck", 32))
    }
    story = given()
    for seat in (RED, BLUE):
        story.shows(seat, {"/to_act": [0, 1], **counts})


def test_row_2_both_seats_may_exchange_and_still_have_to_lay() -> None:
    story = given().when(BLUE, EXCHANGE).when(RED, EXCHANGE)
    story.stands({"/to_act": [0, 1]})
    for seat in (RED, BLUE):
        story.stands({f"/players/{seat}/exchanged_count": 4, f"/players/{seat}/discard": []})
        assert len(story.state.players[seat].exchanged) == 4


def test_row_3_laid_cards_are_hidden_from_the_opponent() -> None:
    story = given({"players": [{"hand": [1, 2, 3, 4]}, {}]}).when(RED, allocate(4, 3, 2, 1))
    hidden = {"/players/0/cartouches": None, "/players/0/cartouches_count": 4, "/players/0/hand_count": 0}
    story.shows(BLUE, hidden)


def test_row_4_a_spectator_reads_of_an_allocation_without_its_cards() -> None:
    story = given({"players": [{"hand": [1, 2, 3, 4]}, {}]}).when(RED, allocate(4, 3, 2, 1))
    story.seen(None, {"type": "cards_allocated", "seat": 0, "cards": None, "cards_count": 4})


def test_row_5_only_the_cards_of_the_hand_can_be_laid() -> None:
    story = given({"players": [{"hand": [1, 1, 2, 4]}, {}]})
    story.refuses(RED, allocate(1, 2, 2, 4), "cards_not_in_hand")


def test_row_6_four_equal_cards_can_be_laid_in_one_way() -> None:
    players = [{"hand": [3, 3, 3, 3]}, {"hand": [3, 3, 3, 3], "trade_token": False}]
    story = given({"players": players})
    assert story.legal(RED) == [EXCHANGE, allocate(3, 3, 3, 3)]
    assert story.legal(BLUE) == [allocate(3, 3, 3, 3)]


def test_row_7_four_different_cards_and_the_token_give_25_actions_in_order() -> None:
    legal = given({"players": [{"hand": [4, 2, 3, 1]}, {}]}).legal(RED)
    assert len(legal) == 25
    assert legal[0] == EXCHANGE
    assert legal[1] == allocate(1, 2, 3, 4)
    assert legal[1:] == sorted(legal[1:], key=lambda action: action["cards"])


def test_row_8_equal_cards_at_cartouche_1_score_nothing() -> None:
    assert "points_scored" not in kinds(both_lay([4, 2, 1, 1], [4, 3, 1, 1]))


def test_row_9_forty_points_at_cartouche_1_win_at_once() -> None:
    story = both_lay([3, 1, 1, 1], [2, 1, 1, 1], players=({"score": 38}, {}))
    story.happened("cards_allocated", "cartouches_revealed", "points_scored", "game_ended")
    outcome = {"winners": [0], "reason": "points_at_cartouche_1", "scores": [40, 0], "tiebreak": None}
    story.stands({"/outcome": outcome, "/phase": "ended", "/first_seat": None})


def test_row_10_points_beyond_forty_count() -> None:
    story = both_lay([1, 1, 1, 1], [4, 1, 1, 1], players=({}, {"score": 37}))
    story.stands({"/outcome/scores": [0, 43], "/outcome/winners": [1]})


def test_row_11_equal_cards_at_cartouche_2_leave_the_start_to_the_lower_cartouche_1() -> None:
    order = told(both_lay([4, 1, 1, 1], [2, 1, 1, 1]), "order_determined")
    assert (order.first_seat, order.by) == (BLUE, "cartouche_1")


def test_row_12_the_only_piece_within_reach_is_removed_without_being_asked_for() -> None:
    story = both_lay([1, 3, 4, 1], [1, 4, 1, 1], board=pieces(blue=("t4-01",)))
    removed = told(story, "piece_removed")
    assert (removed.seat, removed.space, removed.to, removed.auto) == (RED, "t4-01", "dead", True)
    story.stands({"/phase": "place", "/active_seat": 0, "/dead": [1]})


def test_row_13_without_an_own_piece_on_the_board_a_one_removes_nothing() -> None:
    story = both_lay([1, 1, 4, 1], [1, 4, 1, 1], board=pieces(blue=("t4-01",)))
    assert told(story, "removal_skipped").reason == "no_piece"


def test_row_14_a_one_removes_the_only_own_piece_of_the_open_temples() -> None:
    far = ("t2-01", "t2-02", "t2-03", "t2-04", "t2-05")
    story = both_lay([1, 1, 1, 1], [1, 4, 1, 1], board=pieces(red=("t1-01", *far)))
    removed = told(story, "piece_removed")
    assert (removed.space, removed.owner, removed.auto) == ("t1-01", RED, True)


def test_row_15_two_pieces_of_three_are_removed_by_two_actions() -> None:
    board = pieces(blue=("t1-01", "t1-02", "t2-01", "t3-01"))
    story = in_turn("remove", RED, [1, 4, 2, 1], [2, 4, 1, 1], board=board)
    assert story.legal(RED) == [remove("t1-01"), remove("t1-02"), remove("t2-01")]
    story.when(RED, remove("t1-02"))
    assert story.legal(RED) == [remove("t1-01"), remove("t2-01")]
    story.when(RED, remove("t2-01")).stands({"/dead": [1, 1], "/phase": "place"})


def test_row_16_a_piece_removed_when_the_dead_are_full_goes_to_its_owner() -> None:
    board = pieces(red=("t1-01", "t1-02", "t1-03"))
    story = in_turn("place", RED, [1, 2, 1, 1], [1, 3, 1, 1], board=board, dead=[0, 1] * 4)
    story.when(RED, place("t1-04")).when(BLUE, remove("t1-04"))
    assert told(story, "piece_removed").to == "supply"
    story.stands({"/dead": [0, 1] * 4, "/players/0/supply": 22})


def test_row_17_a_small_supply_cuts_the_placement_down() -> None:
    board = pieces(red=(*TEMPLE_1[:10], *YELLOW[4:8], *GREEN[4:8], "t3-05", "t3-06"))
    story = both_lay([1, 2, 4, 3], [1, 3, 1, 1], board=board, dead=[RED] * 8)
    assert told(story, "placement_started").count == 1


def test_row_18_a_piece_that_overflows_from_the_dead_can_be_placed_in_the_same_turn() -> None:
    board = pieces(red=(*TEMPLE_1[:10], *YELLOW[4:8], *GREEN[4:8], "t3-05", "t3-06", "t3-07"))
    story = in_turn("remove", RED, [1, 1, 4, 3], [1, 3, 1, 1], board=board, dead=[RED] * 8)
    story.stands({"/players/0/supply": 0}).when(RED, remove("t3-07"))
    story.happened({"type": "piece_removed", "to": "supply"}, {"type": "placement_started", "count": 1})


def test_row_19_pieces_without_room_go_to_the_dead_without_a_decision() -> None:
    board = pieces(red=TEMPLE_1[:6], blue=TEMPLE_1[6:])
    story = in_turn("place", RED, [1, 2, 1, 2], [1, 3, 4, 1], board=board)
    unplaced = [fact.to for fact in story.facts if fact.__struct_config__.tag == "piece_not_placed"]
    assert unplaced == ["dead", "dead"]
    story.stands({"/dead": [0, 0], "/active_seat": 1, "/players/0/supply": 21})


def test_row_20_the_last_room_for_the_last_piece_is_taken_without_a_decision() -> None:
    board = pieces(red=TEMPLE_1[:6], blue=TEMPLE_1[6:11])
    story = in_turn("place", RED, [1, 2, 1, 1], [1, 3, 4, 1], board=board)
    placed = told(story, "piece_placed")
    assert (placed.space, placed.auto) == ("t1-12", True)
    assert "piece_not_placed" not in kinds(story)


def test_row_21_eleven_pieces_in_a_temple_are_not_enough() -> None:
    story = in_turn("place", RED, [1, 2, 4, 1], [1, 3, 1, 1], board=pieces(red=TEMPLE_1[:11]))
    story.when(RED, place("t2-01")).stands({"/outcome": None})


def test_row_22_the_twelfth_piece_fills_the_temple_and_wins() -> None:
    story = in_turn("place", RED, [1, 2, 4, 1], [1, 3, 1, 1], board=pieces(red=TEMPLE_1[:11]))
    story.when(RED, place("t1-12")).happened("piece_placed", "game_ended")
    story.stands({"/outcome/reason": "temple_filled", "/outcome/winners": [0], "/remaining": 0})


def test_nothing_follows_a_temple_that_is_filled_without_a_decision() -> None:
    """Red has room for one of three pieces: it fills temple 1, and the two others find no place in a game that is over."""
    story = both_lay([1, 2, 1, 3], [1, 3, 4, 4], board=pieces(red=TEMPLE_1[:11]))
    assert kinds(story)[-3:] == ["placement_started", "piece_placed", "game_ended"]
    story.stands({"/outcome/reason": "temple_filled", "/outcome/winners": [RED], "/to_act": [], "/dead": []})


def test_row_23_an_opposing_piece_on_a_colour_forbids_to_win_with_it() -> None:
    board = pieces(red=GREEN[:13], blue=GREEN[13:])
    for action in in_turn("place", RED, [1, 2, 4, 1], [1, 3, 1, 1], board=board).legal(RED):
        story = in_turn("place", RED, [1, 2, 4, 1], [1, 3, 1, 1], board=board)
        story.when(RED, action).stands({"/outcome": None})


def test_row_24_a_removal_never_wins() -> None:
    board = pieces(red=(*YELLOW[:13], "t1-09", "t1-10"))
    story = in_turn("remove", BLUE, [1, 4, 1, 1], [1, 3, 4, 1], board=board, first_seat=BLUE)
    story.when(BLUE, remove("t1-09")).happened("piece_removed", "placement_started")
    story.stands({"/outcome": None})


def test_row_37_decks_last_nine_rounds_and_are_rebuilt_when_a_card_is_needed() -> None:
    players = ({"deck": [2, 1, 1, 1]}, {"deck": [2, 3, 1, 1]})
    story = in_turn("place", BLUE, [1, 2, 3, 4], [1, 3, 1, 1], round=8, remaining=1, players=players)
    story.when(BLUE, place("t1-01"))
    story.stands({"/round": 9, "/players/0/deck_count": 0, "/players/1/deck_count": 0})
    story.when(RED, allocate(1, 1, 1, 2)).when(BLUE, allocate(1, 2, 1, 3))
    while story.state.round == 9:
        (seat,) = story.state.to_act
        story.when(seat, story.legal(seat)[-1])
    rebuilt = [fact for fact in story.facts if fact.__struct_config__.tag == "deck_reshuffled"]
    assert [(fact.seat, fact.deck_count) for fact in rebuilt] == [(RED, 36), (BLUE, 36)]
    assert [draw.label for draw in story.draws] == ["deck/0/1", "deck/1/1"]
    story.stands({"/players/0/deck_count": 32, "/players/1/deck_count": 32})


def test_row_38_no_position_has_thirty_pieces_of_a_seat() -> None:
    board = pieces(red=(*TEMPLE_1[:11], *YELLOW[4:13], "t2-05", "t2-06"))
    sentence = refuses_to_begin(ATON, "invalid_position", {"board": board, "dead": [RED] * 8}, seats=2)
    assert "seat 0 has more than 29 pieces" in sentence


def test_row_39_no_position_has_ten_cards_of_a_value() -> None:
    players = [{"hand": [4, 4, 4, 4], "discard": [4] * 6}, {}]
    refuses_to_begin(ATON, "invalid_position", {"players": players}, seats=2)


def test_row_40_the_winning_score_is_no_option() -> None:
    refuses_to_begin(ATON, "invalid_options", seats=2, options={"winning_score": 30})


def test_row_41_after_the_end_only_the_shape_of_an_action_comes_before_game_over() -> None:
    story = given().withdraws(RED)
    for action in (EXCHANGE, allocate(1, 2, 3, 4), place("nowhere")):
        story.refuses(BLUE, action, "game_over")
    story.refuses(BLUE, allocate(1, 2, 3), "malformed_action")
    story.refuses(BLUE, {"type": "pass"}, "unknown_action")


def test_row_42_the_turn_is_checked_before_the_phase() -> None:
    story = in_turn("place", RED, [1, 2, 4, 1], [1, 3, 1, 1])
    story.refuses(BLUE, place("t1-01"), "not_your_turn").refuses(BLUE, allocate(1, 2, 3, 4), "not_your_turn")
    story.refuses(RED, allocate(1, 2, 3, 4), "wrong_phase")


def test_row_43_in_the_first_round_a_two_is_skipped_because_of_the_round() -> None:
    story = both_lay([1, 2, 1, 1], [1, 3, 1, 1], round=1)
    assert told(story, "removal_skipped").reason == "first_round"


def test_row_44_cards_laid_before_a_withdrawal_are_never_turned_up() -> None:
    story = given({"players": [{"hand": [1, 2, 3, 4]}, {}]}).when(RED, allocate(4, 3, 2, 1)).withdraws(BLUE)
    story.stands({"/outcome/winners": [0], "/outcome/reason": "resigned", "/players/1/hand_count": 4})
    for viewer in (BLUE, None):
        story.shows(viewer, {"/players/0/cartouches": None, "/players/0/cartouches_count": 4})
    story.shows(RED, {"/players/0/cartouches": [4, 3, 2, 1], "/players/1/hand": None})


def test_row_48_if_all_pairs_are_equal_red_starts_and_the_decks_are_as_before() -> None:
    cards = [1, 1, 1, 1]
    deck = ([4, 3, 2] * 9) + [1] * 5
    players = [{"cartouches": cards, "deck": deck}, {"cartouches": cards, "deck": deck}]
    story = given({"round": 2, "players": players})
    assert kinds(story).count("order_cards_drawn") == 32
    order = told(story, "order_determined")
    assert (order.first_seat, order.by) == (RED, "default")
    story.stands({"/players/0/deck": deck, "/players/1/deck": deck, "/players/0/rebuilds": 0})
