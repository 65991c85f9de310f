"""The facts are the game: folded, they give its states; redacted and folded, its views."""

from hypothesis import given
from hypothesis import strategies as st

from games.canonical import canonical
from games.chance import Chance
from tests.rulesets.kit import Kit
from tests.rulesets.playing import a_few_games, a_sample, each_kit, games, moments, randoms, some_moments
from tests.rulesets.story import builtins


@each_kit
@a_few_games
@given(data=st.data())
def test_the_facts_as_the_log_holds_them_give_the_final_state(kit: Kit, data: st.DataObject) -> None:
    game = data.draw(games(kit))
    logged = [builtins(fact) for facts, _ in game.entries() for fact in facts]
    folded = kit.ruleset.fold(None, kit.ruleset.read_facts(logged))
    assert folded == game.end
    assert canonical(folded) == canonical(game.end)


@each_kit
@a_few_games
@given(data=st.data())
def test_a_viewer_who_folds_what_it_is_told_sees_what_it_may_see(kit: Kit, data: st.DataObject) -> None:
    game = data.draw(games(kit))
    viewer = data.draw(st.sampled_from(game.viewers))
    view = None
    for number, (facts, state) in enumerate(game.entries()):
        redacted = [kit.ruleset.redact(fact, viewer) for fact in facts]
        view = kit.ruleset.fold(view, redacted)
        assert view == kit.ruleset.view(state, viewer), f"after entry {number}: {redacted}"


@each_kit
@some_moments
@given(data=st.data())
def test_a_view_goes_on_from_where_it_was_fetched(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    viewer = data.draw(st.sampled_from(moment.game.viewers))
    fetched = kit.ruleset.read_state(builtins(kit.ruleset.view(moment.state, viewer)))
    seat = random.choice(moment.state.to_act)
    for action in a_sample(moment.legal(seat), 10, random):
        facts = moment.decide(seat, action)
        redacted = kit.ruleset.read_facts([builtins(kit.ruleset.redact(fact, viewer)) for fact in facts])
        after = kit.ruleset.view(kit.ruleset.fold(moment.state, facts), viewer)
        assert canonical(kit.ruleset.fold(fetched, redacted)) == canonical(after), action


@each_kit
@some_moments
@given(data=st.data())
def test_playing_leads_to_the_state_that_the_facts_fold_to(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit, undecided=True)), data.draw(randoms())
    seat = random.choice(moment.state.to_act)
    for action in a_sample(moment.legal(seat), 10, random):
        course = kit.ruleset.play(moment.state, seat, action, Chance(moment.seed))
        read = kit.ruleset.read_facts([builtins(fact) for fact in course.facts])
        assert canonical(course.state) == canonical(kit.ruleset.fold(moment.state, read)), action


@each_kit
@some_moments
@given(data=st.data())
def test_states_views_facts_and_actions_survive_json(kit: Kit, data: st.DataObject) -> None:
    moment, random = data.draw(moments(kit)), data.draw(randoms())
    viewer = data.draw(st.sampled_from(moment.game.viewers))
    ruleset = kit.ruleset
    for state in (moment.state, ruleset.view(moment.state, viewer)):
        assert ruleset.read_state(builtins(state)) == state
    for seat in moment.state.to_act:
        for action in a_sample(moment.legal(seat), 5, random):
            assert ruleset.read_action(builtins(action)) == action
            for fact in moment.decide(seat, action):
                for shown in (fact, ruleset.redact(fact, viewer)):
                    assert ruleset.read_facts([builtins(shown)])[0] == shown


@each_kit
@a_few_games
@given(data=st.data())
def test_a_game_begins_with_its_set_up_and_ends_once(kit: Kit, data: st.DataObject) -> None:
    game = data.draw(games(kit))
    kinds = [builtins(fact)["type"] for facts, _ in game.entries() for fact in facts]
    assert [kinds[0], kinds[-1]] == ["game_set_up", "game_ended"]
    assert kinds.count("game_set_up") == kinds.count("game_ended") == 1


@each_kit
@a_few_games
@given(data=st.data())
def test_the_same_actions_with_the_same_seed_give_the_same_bytes(kit: Kit, data: st.DataObject) -> None:
    game = data.draw(games(kit))
    setting = game.setting
    opening = kit.ruleset.new_game(setting.options, setting.seats, Chance(game.seed), setting.position)
    assert canonical(opening) == canonical(game.opening)
    state = kit.ruleset.fold(None, opening)
    for step in game.steps:
        action = kit.ruleset.read_action(builtins(step.action))
        facts = kit.ruleset.decide(state, step.seat, action, Chance(game.seed))
        assert canonical(facts) == canonical(step.facts)
        state = kit.ruleset.fold(state, facts)
