"""Feed and webhooks tell nothing that a spectator may not know: not in a line of the store, not in a delivery."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from redis import Redis

from events.batch import EntryFactory
from games.canonical import canonical
from projections.host_events import HOST_EVENT_TYPES, Interest
from services.core.webhooks import Webhook, Webhooks, check_of, secret_of
from services.worker.queue import WorkQueue
from services.worker.webhook_sender import WebhookSender
from tests.api.client import CLUB, NAMES, TOKEN_KEY, Api, Table, build_api
from tests.leaks.test_what_never_appears import RULESETS, long_zones, played, secrets_of, tokens_of
from tests.rulesets.story import builtins
from tests.servers import ValkeyServer
from tests.worker.receiver import receiving

DATABASE = 5
KEY = TOKEN_KEY.encode()
EVENT = {"id", "type", "at", "game", "version", "status", "tags", "seats", "to_act"}


@pytest.fixture
def watched(valkey: ValkeyServer) -> Iterator[Api]:
    """An API on which time goes on as it does, so that what happens is news."""
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    api = build_api(f"{valkey.url}?db={DATABASE}", entry_factory=EntryFactory())
    yield api
    api.close()


def deliveries(api: Api, game_of: Any) -> tuple[Table, list[Any], bytes]:
    """A game that a receiver hears of: the events, and every byte that it was sent."""
    client = cast(Redis, api.context.store.client)
    with receiving() as receiver:
        secret = secret_of(KEY, "wh_1")
        Webhooks(client).add(Webhook("wh_1", "club", receiver.url, key_check=check_of(secret)))
        game = game_of(api)
        WebhookSender(client, WorkQueue(client), KEY, allow_private=True).deliver("wh_1")
        sent = b"".join(unsigned(headers).encode() + body for headers, body in receiver.taken)
        return game, [event["data"] for event in receiver.events(secret)], sent


def unsigned(headers: Any) -> str:
    """Headers without the signature, whose letters may happen to be a name."""
    return str({name: value for name, value in headers.items() if name.lower() != "webhook-signature"})


@pytest.mark.parametrize("ruleset", RULESETS)
def test_deliveries_and_lines_hold_no_secret_no_name_and_no_hidden_zone(watched: Api, ruleset: str) -> None:
    game, events, sent = deliveries(watched, lambda api: played(api, ruleset, private=True)[0])
    assert {event["type"] for event in events} == {"game_created", "seat_taken", "game_started", "turn"}
    assert all(set(event) == EVENT for event in events)
    interest = Interest(None, None, frozenset(HOST_EVENT_TYPES))
    lines = [cast(Any, watched.context.store.client.xrange(stream)) for stream in interest.streams]
    heard = sent + str(lines).encode()
    hidden = secrets_of(game) | tokens_of(game) | {f"name {name}": name for name in NAMES}
    hidden["code"] = game.created["join_code"]
    for name, value in hidden.items():
        assert value.encode() not in heard, name
    state = builtins(watched.context.ledger.get(game.id).game.state)
    for zone in long_zones(state, game.get("", CLUB).json["view"]):
        assert canonical(zone) not in heard


def test_events_tell_what_a_spectator_reads_of_the_game_at_that_moment(watched: Api) -> None:
    game, events, _ = deliveries(watched, lambda api: played(api, "aton")[0])
    shown = game.show()
    last = events[-1]
    assert last["type"] == "turn"
    assert {name: last[name] for name in ("version", "status", "to_act", "tags")} == {
        name: shown[name] for name in ("version", "status", "to_act", "tags")
    }
    assert last["seats"] == [{"seat": seat["seat"], "ref": seat["ref"]} for seat in shown["seats"]]
