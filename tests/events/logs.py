"""Logs for tests: games of the toy ruleset, written to a page or to a store."""

import json
from collections.abc import Callable
from itertools import count
from typing import Any

from events import acts
from events.entries import Sealed, body_hash, request_key
from events.game import Game
from events.keys import game_id
from events.scribe import Call, Page, Scribe
from events.seeds import name_hash
from events.store import Head
from games.kernel import Registry
from tests.toy import Lanterns

TOYS = Registry([Lanterns()])
SERVER_SEED = bytes(range(32))
NONCE = bytes(16)


def ticking_scribe() -> Scribe:
    """Times and salts that are the same in every run."""
    ticks, salts = count(), count()
    return Scribe(
        now=lambda: f"2026-11-16T09:30:{next(ticks) // 1000 % 60:02d}.{next(ticks) % 1000:03d}Z",
        salt=lambda: f"{next(salts):032x}",
    )


def created(
    game: str | None = None,
    scribe: Scribe | None = None,
    sitters: tuple[acts.Sitter, ...] = (acts.Sitter(),) * 3,
    **settings: Any,
) -> Page:
    """A page with a new game of Lanterns and who sits at it."""
    page = Page(scribe or ticking_scribe(), None, game or game_id())
    given: dict[str, Any] = {"options": {}, "seats": 3, "server_seed": SERVER_SEED, **settings}
    acts.create(page, {"anonymous": True}, acts.NewGame(TOYS.latest("lanterns"), **given))
    for seat, sitter in enumerate(sitters):
        acts.sit(page, seat, sitter)
    acts.start_if_ready(page, TOYS, given["server_seed"])
    return page


def named(name: str) -> acts.Sitter:
    """A sitter with a name, whose nonce the tests know."""
    return acts.Sitter(name_hash(NONCE, name))


def person(name: str) -> bytes:
    return json.dumps({"name": name, "nonce": NONCE.hex()}).encode()


def next_action(game: Game) -> tuple[int, dict[str, Any]]:
    """The first seat to act and its first legal action."""
    seat = game.to_act[0]
    action = TOYS.latest("lanterns").legal_actions(game.state, seat)[0]
    return seat, {"type": "lay", "card": action.card}


def play_on(page: Page, seed: bytes, until: Callable[[Game], bool] = lambda game: False) -> None:
    """Play first legal actions until the end, or until someone says stop."""
    while page.game.to_act and not until(page.game):
        seat, action = next_action(page.game)
        acts.act(page, seat, action, TOYS, page.game.seed(seed))


def finished(settled: bool = True, **settings: Any) -> list[Sealed]:
    """The log of a whole game, settled or not."""
    page = created(**settings)
    play_on(page, SERVER_SEED)
    if settled:
        audit: dict[str, Any] = {"verdict": "pass", "checks": [], "fairness": page.game.fairness, "head": {}}
        acts.settle(page, SERVER_SEED, audit)
    return page.seal()


def head_of(entries: list[Sealed]) -> Head:
    return Head(entries[-1].seq, entries[-1].hash)


def call(key: str = "a key", body: Any = None) -> Call:
    """A request as the store sees it."""

    return Call(request_key("0", key), body_hash(body))
