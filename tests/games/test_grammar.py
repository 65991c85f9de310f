"""What the grammar of games does for all of them: gather kinds, hide what is one seat's, say who stays and who leads."""

import pickle

from games import RULESETS, toy
from games.kernel import Action, Fact, kinds_in, leading
from games.toy import LANTERNS, CardLaid, CardsRevealed, DeckRebuilt


def test_kinds_are_gathered_in_the_order_of_their_definition_without_what_they_share() -> None:
    facts = kinds_in(Fact, toy)
    assert facts[:3] == (CardLaid, CardsRevealed, DeckRebuilt)
    assert toy.OwnCard not in facts
    assert kinds_in(Action, toy) == (toy.Lay,)


def test_no_kind_is_missing_from_a_ruleset_and_none_is_there_twice() -> None:
    for ruleset in (*RULESETS, LANTERNS):
        for kinds in (ruleset.action_types, ruleset.fact_types):
            tags = [kind.__struct_config__.tag for kind in kinds]
            assert len(set(tags)) == len(tags)
            assert all(
                kind.__subclasses__() == [] or kind.__module__.startswith("games.kernel") for kind in kinds
            )


def test_what_is_for_a_seat_alone_is_null_for_all_others() -> None:
    fact = CardLaid(1, card=3)
    assert fact.seen_by(1) is fact
    assert fact.seen_by(0) == fact.seen_by(None) == CardLaid(1, card=None)


def test_those_lead_that_have_most_among_the_seats_asked_about() -> None:
    assert leading((0, 1, 2), [4, 7, 7]) == (1, 2)
    assert leading((0, 2), [4, 7, 3]) == (0,)


def test_rulesets_reach_other_processes() -> None:
    for ruleset in RULESETS:
        copy = pickle.loads(pickle.dumps(ruleset))
        assert copy.action_types == ruleset.action_types
        assert copy.fact_types == ruleset.fact_types
