"""Until a game is settled nobody is told what opens only then, nor ever anyone's tokens; and no log tells either."""

import logging
import secrets
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from events.batch import EntryFactory
from games.canonical import canonical
from services.core.logs import JsonLines
from tests.api.client import (
    CLUB,
    GAMES,
    HOSTS,
    NAMES,
    OPERATOR,
    SCHOOL,
    TOKEN_KEY,
    Answer,
    Api,
    Table,
    build_api,
    new_game,
)
from tests.api.conftest import MakeApi
from tests.events.logs import Watch
from tests.games.aton.kit import BEFORE_A_SCORING
from tests.leaks.twins import LINES, PLACES
from tests.rulesets.hidden import at, holes
from tests.rulesets.story import builtins
from tests.servers import ValkeyServer

DATABASE = 4
RULESETS = ("lanterns", "aton", "babel", "sa_re", "temple_of_five")
EVENT = {"actor", "at", "data", "game", "hash", "prev", "seq", "type", "v"}
DATA = {
    "game_created": {"ruleset", "ruleset_version", "component_set", "options", "seats", "seed_commitment"}
    | {"private", "clock", "host", "origin", "terms", "takebacks", "rematch_of"},
    "seat_taken": {"seat", "player", "bot", "entropy", "entropy_commitment", "public_key", "bot_version"},
    "seat_token_renewed": {"seat", "generation"},
    "game_started": {"facts"},
    "action_taken": {"action", "facts"},
    "seat_withdrawn": {"seat", "cause", "facts"},
}
SIGNED = {"action_taken", "seat_withdrawn"}
"""What a seat may sign; nobody else sees whether and how it did."""
KEY = "an-idempotency-key-of-somebody"
FEW_CARDS = ("lanterns", "sa_re")
"""Games that hide, early on, too few cards to recognise them."""
LONG = 6
"""Items of a list by which it is recognised wherever it appears."""

Told = list[tuple[str | None, Answer]]


class Recorded(NamedTuple):
    """A game in play, what anyone was told of it on the way, and the salts of its entries."""

    game: Table
    told: Told
    salts: list[str]


@pytest.fixture(scope="module", params=RULESETS)
def recorded(valkey: ValkeyServer, request: pytest.FixtureRequest) -> Iterator[Recorded]:
    """A few moves of each game, with all eyes on it."""
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    salts: list[str] = []
    api = build_api(f"{valkey.url}?db={DATABASE}", entry_factory=noting_scribe(salts))
    yield Recorded(*played(api, request.param), salts)
    api.close()


def noting_scribe(salts: list[str]) -> EntryFactory:
    """A scribe whose salts the test knows."""

    def salt() -> str:
        salts.append(secrets.token_hex(16))
        return salts[-1]

    return EntryFactory(now=Watch(), salt=salt)


def everything_told(
    game: Table, *viewers: int | None, tokens: tuple[str, ...] = (SCHOOL, CLUB, OPERATOR)
) -> Told:
    """What each of these is told about a game now, wherever it looks."""
    told: Told = []
    for token in (*(game.token(viewer) for viewer in viewers), *tokens):
        places = [
            place for place in PLACES if token != OPERATOR or place not in ("?view=full", "/replay?as=0")
        ]
        told += [(token, game.get(place, token)) for place in places]
        told += [(token, game.get(place, token, Accept=LINES)) for place in ("/events", "/replay")]
        told.append((token, game.api.get("/v1/games", token)))
    return told


def played(api: Api, ruleset: str, moves: int = 5, **more: Any) -> tuple[Table, Told]:
    """A game in play, and all that anyone was told of it on the way."""
    game = new_game(api, ruleset, key=KEY, **more)
    viewers = (None, *game.tokens)
    told = everything_told(game, *viewers)
    for move in range(moves):
        seat = game.show(0)["to_act"][0]
        answer = game.act(seat, game.legal(seat)[-1], Idempotency_Key=f"{KEY}-{move}")
        assert answer.status == 201, answer
        told.append((game.token(seat), answer))
    api.project(game.id)
    return game, told + everything_told(game, *viewers)


def secrets_of(game: Table) -> dict[str, str]:
    """What nobody may be told of a game in play."""
    dossier = game.api.context.ledger.get(game.id)
    entries = [carved.entry for carved in game.api.context.store.walk(game.id)]
    found = {"server seed": dossier.server_seed.hex(), "game seed": dossier.seed.hex(), "key": TOKEN_KEY}
    found |= {f"state {entry.seq}": entry.state for entry in entries if entry.state}
    found |= {f"request {entry.seq}": entry.req.key for entry in entries if entry.req}
    found |= {f"body {entry.seq}": entry.req.body for entry in entries if entry.req}
    return found | {"idempotency key": KEY}


def tokens_of(game: Table) -> dict[str, str]:
    return (
        {f"seat {seat}": token for seat, token in game.tokens.items()} | dict(HOSTS) | {"operator": OPERATOR}
    )


def test_nobody_is_told_the_seed_the_salts_or_a_token(recorded: Recorded) -> None:
    game, told, salts = recorded
    hidden = secrets_of(game) | tokens_of(game) | {f"salt {n}": salt for n, salt in enumerate(salts)}
    for token, answer in told:
        for name, value in hidden.items():
            assert value.encode() not in answer.bytes, f"{name} told to {token}"


def test_no_hidden_zone_is_told_under_any_name(recorded: Recorded) -> None:
    game, told, _ = recorded
    state = game.api.context.ledger.get(game.id).game.state
    rules, found = GAMES.latest(game.created["ruleset"]), 0
    for viewer in (None, *game.tokens):
        seen = builtins(rules.view(state, viewer))
        heard = b"".join(answer.bytes for token, answer in told if token == game.token(viewer))
        for zone in long_zones(builtins(state), seen):
            found += 1
            assert canonical(zone) not in heard
    assert found or rules.name in FEW_CARDS


def test_events_hold_nothing_that_opens_with_the_settlement(recorded: Recorded) -> None:
    game, _, _ = recorded
    game.post("/seats/1/token", token=CLUB)
    game.post("/resignation", token=game.token(0))
    for token in (None, game.token(0), SCHOOL, CLUB, OPERATOR):
        events = game.get("/events", token).json["items"]
        assert {event["type"] for event in events} == DATA.keys()
        for event in events:
            assert set(event) == EVENT
            own = token == game.token(0) and event["actor"] == {"seat": 0} and event["type"] in SIGNED
            assert set(event["data"]) == DATA[event["type"]] | ({"signed"} if own else set())


def test_after_the_settlement_everyone_is_told_everything(recorded: Recorded) -> None:
    """So the tests above could find what they look for."""
    game, _, salts = recorded
    game.post("/abort", token=OPERATOR)
    hidden = secrets_of(game)
    game.settle()
    heard = b"".join(answer.bytes for _, answer in everything_told(game, None, tokens=()))
    opened = {name for name in hidden if hidden[name].encode() in heard}
    assert opened == hidden.keys() - {"game seed", "key", "idempotency key"}
    assert all(salt.encode() in heard for salt in salts)
    assert not any(token.encode() in heard for token in tokens_of(game).values())


def long_zones(whole: Any, seen: Any) -> Iterator[list[Any]]:
    for path in holes(whole, seen):
        zone = at(whole, path)
        if isinstance(zone, list) and len(zone) >= LONG:
            yield zone


def test_a_position_is_not_told_before_the_settlement(api: Api) -> None:
    game, told = played(api, "aton", moves=2, position=BEFORE_A_SCORING, token=OPERATOR)
    for token, answer in told:
        assert b'"position":' not in answer.bytes, token
    assert game.show()["origin"] == {"kind": "position", "seeded": False}
    assert game.show()["fairness"] is None


def test_a_seeded_game_does_not_tell_its_seed(api: Api) -> None:
    seed = secrets.token_hex(32)
    game, told = played(api, "babel", seed=seed)
    assert all(seed.encode() not in answer.bytes for _, answer in told)
    assert game.show()["origin"] == {"kind": "seeded"}


def test_a_join_code_is_told_to_whoever_creates_the_game_and_nobody_else(api: Api) -> None:
    game = new_game(api, "babel", 1, private=True, seats=2)
    code = game.created["join_code"].encode()
    joined = game.post("/seats", {"name": "Zoe", "join_code": code.decode()})
    assert joined.status == 201
    assert code not in joined.bytes
    told = everything_told(game, 0)
    assert all(code not in answer.bytes for _, answer in told)


def test_no_log_tells_tokens_tickets_codes_keys_names_or_hidden_cards(
    make_api: MakeApi, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    salts: list[str] = []
    api = make_api(entry_factory=noting_scribe(salts))
    game, told = played(api, "babel", private=True)
    ticket = game.post("/tickets", token=game.token(0)).json["ticket"]
    code = game.created["join_code"]
    told_now = [game.get(f"?ticket={ticket}"), game.get("/events?ticket=wrong"), game.get("", "wrong-token")]
    told_now += [game.post("/seats", {"name": "Zoe", "join_code": code}), game.act(0, {"type": "nonsense"})]
    told_now += [
        api.send("POST", game.path + "/actions", b"{", game.token(0), Content_Type="application/json")
    ]
    assert [answer.status for answer in told_now] == [200, 404, 404, 409, 422, 400]
    zones = long_zones(builtins(api.context.ledger.get(game.id).game.state), game.show(0)["view"])
    hidden = secrets_of(game) | tokens_of(game) | {"ticket": ticket, "code": code, "wrong": "wrong-token"}
    hidden |= {f"salt {n}": salt for n, salt in enumerate(salts)} | {f"name {name}": name for name in NAMES}
    hidden |= {f"zone {n}": canonical(zone).decode() for n, zone in enumerate(zones)}
    assert len(caplog.records) > len(told)
    lines = "\n".join(JsonLines().format(record) for record in caplog.records)
    for name, value in hidden.items():
        assert value not in lines, name
