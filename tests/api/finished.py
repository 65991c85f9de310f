"""Games played to their end through the API, and settled as a worker does."""

from typing import Any

from services.worker.settlement import settle_game
from tests.api.client import Api, Table, new_game


def settled_game(api: Api, ruleset: str = "lanterns", **wanted: Any) -> Table:
    """A game played to its end by first legal actions, and settled."""
    game = new_game(api, ruleset, **wanted)
    return finish(game)


def finish(game: Table) -> Table:
    """Play on to the end, and settle."""
    while to_act := game.show(0)["to_act"]:
        answer = game.act(to_act[0], game.legal(to_act[0])[0])
        assert answer.status == 201, answer
    return close(game)


def close(game: Table) -> Table:
    """Settle a game that is over."""
    assert settle_game(game.api.context.ledger, game.id)
    game.api.project(game.id)
    return game


def verdicts(audit: Any) -> dict[str, str]:
    """What an audit says of each check."""
    return {check["check"]: check["verdict"] for check in audit["checks"]}
