"""A cache of choices changes no choice: the same actions in golden positions, and the same words left to draw."""

from pathlib import Path

import pytest

from events.game import ruleset_of, unfold
from games import RULESETS
from games.chance import Stream
from games.kernel.bots import RandomBot
from games.memory import CachingBot
from replays.record import entries_of
from tests.golden.records import RECORDS, golden

LONGEST_OF_EACH = [
    max((path for path in RECORDS if path.parent.name == name), key=lambda path: path.stat().st_size)
    for name in ("aton", "babel", "sa_re", "temple_of_five")
]


@pytest.mark.parametrize("path", LONGEST_OF_EACH, ids=lambda path: path.parent.name)
def test_a_cached_choice_is_the_choice_of_the_bot_itself(path: Path) -> None:
    games = [
        game
        for _, game in unfold(entries_of(golden(path)), RULESETS)
        if game.state and not game.state.outcome
    ]
    ruleset = ruleset_of(games[0], RULESETS)
    cached = CachingBot(ruleset.greedy)
    for _ in range(2):
        for game in games:
            for seat in game.state.to_act:
                view = ruleset.view(game.state, seat)
                plain_dice, cached_dice = (Stream(game.hash.encode(), "choice") for _ in range(2))
                assert cached.choose(view, seat, cached_dice) == ruleset.greedy.choose(view, seat, plain_dice)
                assert cached_dice.word() == plain_dice.word()


def test_what_a_bot_leaves_to_chance_is_left_to_chance_again() -> None:
    ruleset = RULESETS.latest("babel")
    path = next(path for path in RECORDS if path.parent.name == "babel")
    game = next(game for _, game in unfold(entries_of(golden(path)), RULESETS) if game.state)
    bot = RandomBot(ruleset.legal_actions)
    cached = CachingBot(bot)
    seat = game.state.to_act[0]
    view = ruleset.view(game.state, seat)
    chosen = [cached.choose(view, seat, Stream(bytes([number]), "choice")) for number in range(20)]
    assert chosen == [bot.choose(view, seat, Stream(bytes([number]), "choice")) for number in range(20)]
    assert len(set(map(str, chosen))) > 1
