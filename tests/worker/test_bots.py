"""Bots as opponents: they decide from what their seat sees, when they are asked, and play games of their own out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest

from events import commands
from games.chance import Stream
from games.kernel import IllegalAction, Objection, Registry, Ruleset
from games.toy import LANTERNS, HighestCard, Lay, State
from services.worker import bots
from services.worker.bots import DecisionPassed, answer_time, choose_action, play_bot
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
    play_bot(house.ledger, house.ledger.get(game), 0, asked)
    with pytest.raises(DecisionPassed):
        play_bot(house.ledger, house.ledger.get(game), 0, asked)
    assert house.types(game).count("action_taken") == 1


class Interrupted:
    """While a bot thinks for the first time, something is done."""

    def __init__(self, patch: pytest.MonkeyPatch, meanwhile: Callable[[], None]) -> None:
        self.thoughts = 0
        self.meanwhile = meanwhile
        choose = HighestCard.choose

        def interrupted(bot: HighestCard, view: State, seat: int, dice: Stream) -> Lay:
            chosen = choose(bot, view, seat, dice)
            self.thoughts += 1
            if self.thoughts == 1:
                self.meanwhile()
            return chosen

        patch.setattr(HighestCard, "choose", interrupted)


def test_what_another_seat_does_meanwhile_does_not_cost_the_thought(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = House(house.client, house.queue.connection)
    game = house.create(bots=("greedy", None, None))
    bot = Interrupted(monkeypatch, lambda: others.act(game, 1))
    looked = house.ledger.get(game)
    after = play_bot(house.ledger, looked, 0, looked.game.decisions[0])
    assert (after.to_act, bot.thoughts) == ((2,), 1)
    assert [carved.entry.actor for carved in house.log(game)[-2:]] == [{"seat": 1}, {"seat": 0}]


def test_an_answer_that_another_seat_has_made_illegal_is_thought_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the rules forbade the highest card to whoever lays second."""
    others = House(house.client, house.queue.connection)
    low = high = 0
    while low == high:
        game = house.create(bots=("greedy", None, None))
        looked = house.ledger.get(game)
        low, high = looked.game.state.players[0].hand

    def second(state: State) -> bool:
        return state.players[1].laid_count > 0

    def against(lay: Lay, state: State, seat: int) -> Objection | None:
        taken = seat == 0 and lay.card == high and second(state)
        return Objection("taken", "Too late for that.") if taken else None

    def choose(bot: HighestCard, view: State, seat: int, dice: Stream) -> Lay:
        looks.append(second(view))
        if len(looks) == 1:
            others.act(game, 1)
        return Lay(low if second(view) else high)

    looks: list[bool] = []
    monkeypatch.setattr(Lay, "against", against)
    monkeypatch.setattr(HighestCard, "choose", choose)
    play_bot(house.ledger, looked, 0, looked.game.decisions[0])
    assert looks == [False, True]
    assert house.log(game)[-1].data.action["card"] == low


def test_a_bot_that_breaks_the_rules_thinks_once_and_fails(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HighestCard, "choose", lambda *_: Lay(99))
    game = house.create(bots=("greedy", None, None))
    looked = house.ledger.get(game)
    with pytest.raises(IllegalAction, match="You do not hold a 99"):
        play_bot(house.ledger, looked, 0, looked.game.decisions[0])


def test_a_thought_about_a_game_that_is_over_meanwhile_is_thrown_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = House(house.client, house.queue.connection)
    game = house.create(bots=("greedy", None, None))
    looked = house.ledger.get(game)

    def call_off() -> None:
        others.ledger.change(game, lambda batch, _: commands.abort(batch, {"operator": True}, "by_operator"))

    Interrupted(monkeypatch, call_off)
    with pytest.raises(DecisionPassed):
        play_bot(house.ledger, looked, 0, looked.game.decisions[0])
    assert house.types(game)[-1] == "game_aborted"


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
    house.ledger.change(
        game, lambda batch, _: commands.withdraw(batch, 0, "resigned", {"seat": 0}, house.rulesets)
    )
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
    house.ledger.change(
        game, lambda batch, _: commands.withdraw(batch, 0, "resigned", {"seat": 0}, house.rulesets)
    )
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


def test_bots_that_search_answer_at_points_of_a_grid_whatever_they_found() -> None:
    assert {answer_time(elapsed) for elapsed in (0, 0.001, 0.2, 0.49, 0.5)} == {0.5}
    assert [answer_time(elapsed) for elapsed in (0.51, 1, 1.01, 3.9, 4.1)] == [1, 1, 2, 4, 8]


@dataclass
class Thinker:
    """A clock, and a bot that takes its time."""

    thought: float
    now: float = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def bot(self, _level: str) -> "Thinker":
        return self

    def view(self, *_: Any) -> None: ...

    def choose(self, *_: Any) -> str:
        self.now += self.thought
        return "an action"


@pytest.mark.parametrize(("level", "answered"), [("keen", [0.5, 0.5]), ("greedy", [0.02, 0.3])])
def test_how_long_a_bot_that_searches_thought_does_not_show(
    house: House, monkeypatch: pytest.MonkeyPatch, level: str, answered: list[float]
) -> None:
    looked = house.ledger.get(house.create("babel", (level, None)))
    thinkers = [Thinker(0.02), Thinker(0.3)]
    for thinker in thinkers:
        monkeypatch.setattr(bots, "time", thinker)
        monkeypatch.setattr(bots, "ruleset_of", lambda *_, thinker=thinker: thinker)
        assert choose_action(house.ledger, looked, 0) == "an action"
    assert [thinker.now for thinker in thinkers] == answered
