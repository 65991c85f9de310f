"""The kits themselves: the suite is only as good as what they tell it."""

from collections import Counter
from random import Random

import pytest

from games import RULESETS
from games.kernel import InvalidSetup
from tests.golden.records import RECORDS, golden
from tests.rulesets.hidden import at, holes, zone
from tests.rulesets.kit import Kit
from tests.rulesets.kits import KITS
from tests.rulesets.playing import a_sample, each_kit, situations
from tests.rulesets.story import builtins


def test_every_ruleset_has_a_kit_or_is_pinned_by_records_if_a_later_version_has_one() -> None:
    with_a_kit = {(kit.ruleset.name, kit.ruleset.version) for kit in KITS}
    pinned = {(golden(path)["ruleset"], golden(path)["ruleset_version"]) for path in RECORDS}
    for ruleset in RULESETS:
        assert (ruleset.name, RULESETS.latest(ruleset.name).version) in with_a_kit
        assert (ruleset.name, ruleset.version) in pinned


@each_kit
def test_a_kit_plays_with_every_number_of_seats_and_every_option(kit: Kit) -> None:
    assert {setting.seats for setting in kit.settings} == set(kit.ruleset.seat_counts)
    chosen = [builtins(kit.ruleset.read_options(setting.options)) for setting in kit.settings]
    for option in kit.ruleset.options_type.__struct_fields__:
        if option != "component_set":
            assert len({repr(options[option]) for options in chosen}) > 1, f"{option} is never varied"


@each_kit
def test_an_exchange_leaves_nothing_as_it_is_that_is_hidden(kit: Kit) -> None:
    random = Random(1)
    hidden: Counter[str] = Counter()
    exchanged: Counter[str] = Counter()
    for moments in situations(kit).values():
        for moment in a_sample(moments, 40, random):
            whole, viewer = builtins(moment.state), random.choice(moment.game.viewers)
            permuted = builtins(kit.exchange(moment.state, viewer, random))
            for path in holes(whole, builtins(kit.ruleset.view(moment.state, viewer))):
                hidden[zone(path)] += bool(at(whole, path))
                exchanged[zone(path)] += at(whole, path) != at(permuted, path)
    assert set(hidden) == kit.hidden, "the zones hide something else than the kit says"
    assert {place for place in hidden if hidden[place] > 5 and not exchanged[place]} == set()


@each_kit
def test_the_games_that_are_looked_into_go_through_every_action(kit: Kit) -> None:
    actions = {
        action for moment in situations(kit) if moment != "ended" for action in [moment.split(": ")[1]]
    }
    assert actions == {str(action.__struct_config__.tag) for action in kit.ruleset.action_types}


@each_kit
def test_what_a_kit_says_of_facts_is_about_facts_of_the_game(kit: Kit) -> None:
    members = {
        (str(fact.__struct_config__.tag), member)
        for fact in kit.ruleset.fact_types
        for member in ("type", *fact.__struct_encode_fields__)
    }
    assert kit.fleeting <= kit.reveals <= members


@each_kit
def test_words_for_people_exist_in_both_languages(kit: Kit) -> None:
    names = kit.ruleset.names
    assert names["en"].keys() == names["fr"].keys()
    actions = {str(action.__struct_config__.tag) for action in kit.ruleset.action_types}
    assert {kit.ruleset.name, *actions} <= names["en"].keys()
    assert all(word.strip() for language in ("en", "fr") for word in names[language].values())


@each_kit
def test_other_numbers_of_seats_and_unknown_options_are_refused(kit: Kit) -> None:
    with pytest.raises(InvalidSetup, match="players") as refusal:
        kit.ruleset.check_seats(max(kit.ruleset.seat_counts) + 1)
    assert refusal.value.code == "invalid_seats"
    for options in ({"no_such_option": 1}, {"component_set": "no_such_set"}):
        with pytest.raises(InvalidSetup) as refusal:
            kit.ruleset.read_options(options)
        assert refusal.value.code == "invalid_options"
