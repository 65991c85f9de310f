"""Games that are reviewed, and what is needed to look at one of their positions as a review does."""

from collections.abc import Mapping, Sequence
from typing import Any

from events.entries import Carved
from events.game import Game, ruleset_of, unfold
from games import RULESETS
from games.kernel import Registry
from replays.narration import Teller, teller_of
from replays.record import entries_of
from replays.review.playouts import Playouts, seed_of, short_sighted
from replays.review.report import ReviewReport, review
from replays.review.steps import steps
from tests.events.logs import TOYS, Log, created, named
from tests.golden.records import HERE, golden

SITTERS = (named("Ada"), named("Ben"))
LITTLE = 16
"""Playouts for each decision: enough for what is plain."""


def reviewed(entries: Sequence[Carved], rulesets: Registry = TOYS, playouts: int = LITTLE) -> ReviewReport:
    return review(entries, list(steps(entries, rulesets, {}, playouts)))


def game_from(ruleset: str, position: Mapping[str, Any]) -> Log:
    """A game of two people that begins from a position."""
    origin = {"kind": "position", "position": dict(position)}
    batch = created(
        ruleset=RULESETS.latest(ruleset), seats=2, origin=origin, rulesets=RULESETS, sitters=SITTERS
    )
    return Log(batch, RULESETS)


def golden_before(name: str, version: int) -> tuple[Playouts, Game]:
    """A golden game before an entry, as its review sees it."""
    entries = entries_of(golden(HERE / name))
    game = next(game for _, game in unfold(entries, RULESETS) if game.version == version - 1)
    return Playouts(short_sighted(ruleset_of(game, RULESETS)), seed_of(entries)), game


def teller(ruleset: str, language: str) -> Teller:
    return teller_of(RULESETS.latest(ruleset), language, ["Ada", "Ben"])
