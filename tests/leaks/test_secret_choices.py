"""A choice made in secret shows others that it was made, and nothing else: whatever was chosen, they get the same."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import pytest

from games.kernel import Viewer
from tests.api.client import Api
from tests.leaks.twins import Twins, twins_from
from tests.rulesets.kit import Kit
from tests.rulesets.kits import KITS
from tests.rulesets.playing import GAMES_PER_SETTING, Moment, a_sample, played
from tests.rulesets.story import builtins

SECRETS = [
    ("lanterns", "lay"),
    ("aton", "allocate"),
    ("temple_of_five", "choose_goal"),
    ("temple_of_five", "exchange"),
    ("temple_of_five", "allot"),
]
games_made = count()


def moments_before(kit: Kit, kind: str) -> Iterator[Moment]:
    for setting in range(len(kit.settings)):
        for number in range(GAMES_PER_SETTING):
            game = played(kit, setting, number)
            for index, step in enumerate(game.steps):
                if step.action.__struct_config__.tag == kind:
                    yield Moment(game, index)


def two_choices(moment: Moment, kind: str, random: Random) -> tuple[Any, Any] | None:
    """Two different choices of the seat that acts next, of which the rules tell no other the difference."""
    rules, seat = moment.ruleset, moment.game.steps[moment.index].seat
    legal = [action for action in moment.legal(seat) if action.__struct_config__.tag == kind]
    choices = a_sample(legal, 12, random)
    others = [viewer for viewer in moment.game.viewers if viewer != seat]
    shown = [
        [[rules.redact(fact, viewer) for fact in moment.decide(seat, choice)] for viewer in others]
        for choice in choices
    ]
    for at, choice in enumerate(choices):
        for before in range(at):
            if shown[before] == shown[at]:
                return builtins(choices[before]), builtins(choice)
    return None


@pytest.mark.parametrize(("game", "kind"), SECRETS)
def test_others_cannot_tell_what_was_chosen(servers: tuple[Api, Api], game: str, kind: str) -> None:
    kit = next(kit for kit in KITS if kit.ruleset.name == game)
    random = Random(kind)
    chosen = ((moment, two_choices(moment, kind, random)) for moment in moments_before(kit, kind))
    moment, choices = next((moment, choices) for moment, choices in chosen if choices)
    seat = moment.game.steps[moment.index].seat
    others: list[Viewer] = [viewer for viewer in moment.game.viewers if viewer != seat]
    made = twins_from(
        servers, moment, (moment.state, moment.state), seat, random, f"secret-{next(games_made)}"
    )
    twins = [Twins(kit, viewer, made.games, random, made.vocabulary) for viewer in others]
    made.act_apart(seat, *choices)
    for each in twins:
        each.look()
    one, other = (table.get("/events", table.token(seat)).body for table in made.games)
    assert one != other, "the seat itself sees what it chose"
