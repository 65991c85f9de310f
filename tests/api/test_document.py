"""The OpenAPI document: sound, complete, and kept. The live server never answers outside of it, and never with 500."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from events.keys import game_id
from games import RULESETS
from tests.api.client import CLUB, OPERATOR, Api, Table, build_api, new_game
from tests.api.live import live_api
from tests.servers import ValkeyServer

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
DATABASE = 5
SENSIBLE: dict[str, Any] = {
    "ruleset": "babel",
    "options": {},
    "seats": 2,
    "players": [{"name": "Ada"}],
    "position": None,
    "version": 5,
    "name": "Ada",
}
"""Members of bodies that are not refused at first sight."""
FINAL = ("/abort", "/resignation", "/token")
"""What leaves little to be done in a game."""
a_few_examples = settings(
    max_examples=15, deadline=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck)
)


@dataclass
class Live:
    """A live server with games in every state of play."""

    port: int
    games: list[Table]

    def some_game(self, random: Random) -> Table | None:
        """One of the games, or none of them."""
        return random.choice([*self.games, None])

    def some_token(self, game: Table | None, random: Random) -> str | None:
        """A token of the game, a role's, a wrong one, or none."""
        own: list[str] = list(game.tokens.values()) if game else []
        return random.choice([*own, CLUB, OPERATOR, "wrong", None, None])


@pytest.fixture(scope="module")
def live(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    url = f"{valkey.url}?db={DATABASE}"
    beside = build_api(url, rulesets=RULESETS)
    with live_api(url, tmp_path_factory.mktemp("live")) as port:
        yield Live(port, some_games(beside))
    beside.close()


def some_games(api: Api) -> list[Table]:
    """Open, sealing, private, in play, given up, settled, with bots and with a clock."""
    sealing = new_game(api, "babel", 1, seats=2)
    sealing.post("/seats", {"name": "Zoe", "entropy_commitment": "ab" * 32})
    settled = new_game(api, "aton")
    settled.play(2)
    settled.post("/resignation", token=settled.token(0))
    settled.settle()
    playing = [new_game(api, ruleset.name, clock={"turn_seconds": 900}) for ruleset in RULESETS]
    with_bots = new_game(api, "babel", [{"name": "Ada"}, {"bot": "greedy"}])
    opened = [new_game(api, "sa_re", 0), new_game(api, "temple_of_five", 1, seats=4, private=True)]
    for game in (settled, *playing, with_bots, *opened):
        api.project(game.id)
    return [sealing, settled, *playing, with_bots, *opened]


@pytest.fixture(scope="module")
def document(live: Live) -> Any:
    return schemathesis.openapi.from_url(f"http://127.0.0.1:{live.port}/openapi.json")


def test_the_document_is_sound_openapi(document: Any) -> None:
    assert document.raw_schema["openapi"].startswith("3.1.")
    document.validate()


def test_the_live_server_keeps_to_its_document(document: Any, live: Live) -> None:
    """Requests made up from the document, about games that are there, by callers of every kind."""
    operations = [result.ok() for result in document.get_all_operations()]
    assert len(operations) > 20
    for operation in sorted(operations, key=lambda each: each.path.endswith(FINAL)):

        @a_few_examples
        @given(case=operation.as_strategy())
        def keeps_to_it(case: Any) -> None:
            make_sensible(case, live)
            case.call_and_validate(checks=CHECKS)

        keeps_to_it()


def make_sensible(case: Any, live: Live) -> None:
    """Ask about a game that is there, mostly; by someone who may ask, often; for no longer than a moment."""
    random = Random(repr((case.path, case.query, case.body, case.path_parameters)))
    game = live.some_game(random)
    token = live.some_token(game, random)
    parameters = {"game_id": game.id if game else game_id(), "ruleset": "babel", "seat": random.randrange(3)}
    for name in case.path_parameters:
        if random.random() < 0.9:
            case.path_parameters[name] = parameters.get(name, random.randrange(9))
    if "wait" in (case.query or {}):
        case.query["wait"] = 0
    if "format" in (case.query or {}):
        case.query["format"] = "json"  # `xml` is 501 by the rules of oEmbed
    if isinstance(case.body, dict) and random.random() < 0.5:
        case.body |= {member: value for member, value in SENSIBLE.items() if member in case.body}
    if case.path.endswith("/actions") and case.method == "POST" and game and random.random() < 0.5:
        case.body, token = sensible_action(game, token)
    if token:
        case.headers["Authorization"] = f"Bearer {token}"


def sensible_action(game: Table, token: str | None) -> tuple[Any, str | None]:
    """What someone may do in this game now, and its token; nonsense if there is nobody."""
    for own in game.tokens.values():
        if actions := game.get("/actions", own).json.get("actions"):
            return actions[:2], own
    return {"type": "pass"}, token
