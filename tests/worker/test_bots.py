"""Bots as opponents: they decide from what their seat sees, when they are asked, and play games of their own out."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from events import acts
from games.chance import Stream
from games.kernel import Registry, Ruleset
from games.toy import LANTERNS, HighestCard, State
from services.worker.bots import DecisionPassed, play_bot
from tests.worker.house import GAMES, House


@pytest.mark.parametrize("ruleset", sorted({ruleset.name for ruleset in GAMES}))
def test_a_game_of_bots_plays_itself_out_and_is_settled(house: House, ruleset: str) -> None:
    seats = house.rulesets.latest(ruleset).seat_counts[-1]
    game = house.create(ruleset, ("greedy", "random", *["greedy"] * (seats - 2)))
    house.run()
    house.check_done(game)
    house.check_projected(game)
    assert list(house.projections.todo()) == []


def test_bots_wait_for_the_players_among_them(house: House) -> None:
    game = house.create(bots=("random", None, "random"))
    house.run()
    assert house.game(game).to_act == (1,)
    while house.game(game).to_act == (1,):
        house.act(game, 1)
        house.run()
    house.check_done(game)


def test_a_bot_decides_only_what_it_was_asked(house: House) -> None:
    game = house.create(bots=("greedy", None, None))
    asked = house.game(game).decisions[0]
    play_bot(house.ledger, game, 0, asked)
    with pytest.raises(DecisionPassed):
        play_bot(house.ledger, game, 0, asked)
    assert house.types(game).count("action_taken") == 1


def test_a_bot_that_was_slower_than_a_player_looks_again(house: House) -> None:
    """The player's move comes between the bot's look and its append."""
    others = House(house.client, house.queue.connection)
    game = house.create(bots=("greedy", None, None))
    asked = house.ledger.cached(game).game.decisions[0]
    others.act(game, 1)
    after = play_bot(house.ledger, game, 0, asked)
    assert after.to_act == (2,)
    assert [carved.entry.actor for carved in house.log(game)[-2:]] == [{"seat": 1}, {"seat": 0}]


def test_the_dice_of_a_bot_are_those_of_its_seat_and_the_version_it_looked_at(house: House) -> None:
    game = house.create(bots=("random", None, None))
    dossier = house.ledger.get(game)
    ruleset: Ruleset[Any, Any] = house.rulesets.latest("lanterns")
    dice = Stream(dossier.seed, f"bot/0/{dossier.game.version}")
    expected = ruleset.bot("random").choose(ruleset.view(dossier.game.state, 0), 0, dice)
    house.run()
    assert house.log(game)[-1].data.action == msgspec.to_builtins(expected)


def test_a_bot_sees_what_its_seat_sees_and_nothing_else(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[State, int]] = []

    def choose(self: HighestCard, view: State, seat: int, dice: Stream) -> Any:
        seen.append((view, seat))
        return LANTERNS.legal_actions(view, seat)[0]

    monkeypatch.setattr(HighestCard, "choose", choose)
    house.create(bots=("greedy", "greedy", None))
    house.run()
    assert [seat for _, seat in seen] == [0, 1]
    for view, seat in seen:
        assert view.deck is None
        assert [player.hand is not None for player in view.players] == [s == seat for s in range(3)]


def test_a_withdrawn_seat_of_a_larger_game_is_played_on_by_the_greedy_bot(house: House) -> None:
    game = house.create(bots=(None, None, "random"))
    house.ledger.change(game, lambda page, _: acts.withdraw(page, 0, "resigned", {"seat": 0}, house.rulesets))
    house.run()
    hand = house.log(game)[4].data.facts[0]["state"]["players"][0]["hand"]
    (move,) = [
        carved
        for carved in house.log(game)
        if carved.entry.actor == {"seat": 0} and carved.entry.type == "action_taken"
    ]
    assert move.data.action == {"type": "lay", "card": max(hand)}
    while 1 in house.game(game).to_act:
        house.act(game, 1)
        house.run()
    house.check_done(game)
    assert 0 not in house.game(game).outcome.winners


def test_a_withdrawn_seat_of_two_ends_the_game(house: House) -> None:
    game = house.create("babel", (None, "greedy"))
    house.ledger.change(game, lambda page, _: acts.withdraw(page, 0, "resigned", {"seat": 0}, house.rulesets))
    house.run()
    house.check_done(game)
    assert house.game(game).outcome.winners == (1,)


def test_a_seat_is_played_by_the_bot_of_the_version_the_game_began_with(house: House) -> None:
    class Newer(HighestCard):
        def choose(self, view: State, seat: int, dice: Stream) -> Any:
            raise AssertionError("a newer version plays no older game")

    house.rulesets = Registry([LANTERNS])
    game = house.create(bots=("greedy",) * 3)
    newer = House(
        house.client,
        house.queue.connection,
        Registry([LANTERNS, replace(LANTERNS, version=2, greedy=Newer())]),
    )
    newer.run()
    newer.check_done(game)
