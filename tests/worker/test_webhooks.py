"""Webhooks: each event is delivered at least once, in order, signed; receivers that fail are left alone more and more."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from events import commands
from events.clocks import utc_now
from events.store_errors import UNAVAILABLE
from projections.host_events import HOST_EVENT_TYPES
from services.cli.commands.webhooks import webhooks as webhooks_command
from services.core.backoff import DELIVERY_REFUSED
from services.core.backup import Backup, Restore
from services.core.webhooks import (
    GIVE_UP_SECONDS,
    Trouble,
    Webhook,
    Webhooks,
    check_of,
    secret_of,
)
from services.worker.webhook_sender import WebhookSender
from tests.servers import ValkeyServer, wait_until
from tests.worker.house import House, processes
from tests.worker.receiver import Receiver, receiving

KEY = b"a key of thirty-two characters.."


@pytest.fixture
def house(store: ValkeyServer) -> Iterator[House]:
    with store.client() as client:
        client.flushall()
        yield House(client, client)
        wait_until(lambda: not deliveries(), "deliveries to end: the next test has the same store")


def deliveries() -> list[threading.Thread]:
    """The deliveries that go on in this process."""
    return [thread for thread in threading.enumerate() if thread.name.startswith("deliver ")]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


def couriers(house: House, key: bytes = KEY) -> WebhookSender:
    return WebhookSender(house.client, house.queue, key, allow_private=True)


def register(house: House, url: str, name: str = "wh_1", host: str | None = "club", **more: Any) -> str:
    """A webhook; its secret."""
    secret = secret_of(KEY, name)
    Webhooks(house.client).add(
        Webhook(name, host, url, created=utc_now(), key_check=check_of(secret), **more)
    )
    return secret


def play(house: House, host: str | None = "club", **more: Any) -> str:
    """A short game from its creation to its settlement."""
    game = house.create("babel", (None, None), host=host, refs=("ada", "ben"), **more)
    house.workshop.project([game])
    house.ledger.change(
        game, lambda batch, _: commands.withdraw(batch, 0, "resigned", {"seat": 0}, house.rulesets)
    )
    house.workshop.settle(game)
    house.workshop.project([game])
    return game


def trouble_of(house: House) -> Trouble:
    trouble = Webhooks(house.client).trouble("wh_1")
    assert trouble
    return trouble


WHOLE = ["game_created", "seat_taken", "seat_taken", "game_started", "turn", "game_ended", "game_settled"]


def test_what_happens_is_delivered_in_order_signed_and_once(house: House, receiver: Receiver) -> None:
    play(house)  # before anyone was registered
    secret = register(house, receiver.url)
    game = play(house)
    play(house, host="school")
    courier = couriers(house)
    for _ in range(2):
        courier.deliver("wh_1")
    events = receiver.events(secret)
    assert [event["type"] for event in events] == [event["data"]["type"] for event in events] == WHOLE
    assert {event["data"]["game"] for event in events} == {game}
    assert [headers["webhook-id"] for headers, _ in receiver.taken] == [
        event["data"]["id"] for event in events
    ]
    assert events[0]["timestamp"] == events[0]["data"]["at"]


def test_types_and_tag_choose_and_an_operator_hears_of_every_game(house: House, receiver: Receiver) -> None:
    secret = register(house, receiver.url, host=None, types=("game_settled",), tag="cup")
    games = {play(house, tags=("cup",)), play(house, host="school", tags=("cup",))}
    play(house)
    couriers(house).deliver("wh_1")
    events = receiver.events(secret)
    assert {event["data"]["game"] for event in events} == games
    assert {event["type"] for event in events} == {"game_settled"}


def test_a_store_that_is_away_when_a_delivery_begins_is_no_reason_never_to_begin_it(
    house: House, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise UNAVAILABLE[0]("nobody listens")

    register(house, receiver.url)
    play(house)
    courier = couriers(house)
    with monkeypatch.context() as patch, suppress(*UNAVAILABLE):
        patch.setattr(house.queue, "begin", away)
        courier.start_delivery("wh_1")
        wait_until(lambda: not deliveries(), "it to be broken off")

    def ask_again() -> bool:
        courier.start_delivery("wh_1")
        return len(receiver.taken) == len(WHOLE)

    wait_until(ask_again, "everything to be delivered")


def test_what_is_owed_to_many_webhooks_is_asked_for_in_one_round_trip(
    house: House, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        register(house, receiver.url, name=f"wh_{number}")
    play(house)
    registered = Webhooks(house.client)
    assert registered.owed(time.time()) == [f"wh_{number}" for number in range(5)]
    trips: list[str] = []
    commands: Any = house.client.execute_command
    pipeline: Any = house.client.pipeline

    def execute_command(*command: Any, **options: Any) -> Any:
        trips.append(command[0])
        return commands(*command, **options)

    def open_pipeline(*arguments: Any, **named: Any) -> Any:
        trips.append("pipeline")
        return pipeline(*arguments, **named)

    monkeypatch.setattr(house.client, "execute_command", execute_command)
    monkeypatch.setattr(house.client, "pipeline", open_pipeline)
    assert len(registered.owed(time.time())) == 5
    assert trips == ["pipeline"]


def test_the_sweeper_asks_for_what_is_owed_and_for_nothing_else(house: House, receiver: Receiver) -> None:
    register(house, receiver.url)
    registered = Webhooks(house.client)
    assert registered.owed(time.time()) == []
    play(house)
    assert registered.owed(time.time()) == ["wh_1"]
    house.clear_queue()
    for _ in range(2):
        house.sweeper.look_at_webhooks(time.time())
    assert [each for each in house.queue.jobs_on_games() if each.job == "deliver"] == [("deliver", "wh_1")]
    couriers(house).deliver("wh_1")
    assert registered.owed(time.time()) == []


def test_a_delivery_that_is_killed_is_made_again_under_the_same_id(
    house: House, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = register(house, receiver.url)
    play(house)

    class Killed(BaseException):
        pass

    def kill(where: str) -> None:
        raise Killed(where)

    with monkeypatch.context() as patch:
        patch.setattr("services.worker.webhook_sender.crash_point", kill)
        with pytest.raises(Killed):
            couriers(house).deliver("wh_1")
    couriers(house).deliver("wh_1")
    ids = [event["data"]["id"] for event in receiver.events(secret)]
    assert len(ids) == len(WHOLE) + 1
    assert ids[0] == ids[1]
    assert len(set(ids)) == len(WHOLE)


@pytest.mark.parametrize("status", [500, 404, 302])
def test_a_receiver_that_refuses_is_tried_ever_more_seldom_for_a_day(
    house: House, receiver: Receiver, status: int
) -> None:
    secret = register(house, receiver.url)
    play(house)
    receiver.status = status
    registered, courier = Webhooks(house.client), couriers(house)
    courier.deliver("wh_1")
    assert len(receiver.taken) == 1, "neither the next event nor a redirect was tried"
    trouble = trouble_of(house)
    assert trouble.reason == f"it answered {status}"
    assert registered.owed(time.time()) == [] != registered.owed(trouble.until)
    receiver.status = 204
    courier.deliver("wh_1")
    assert registered.trouble("wh_1") is None
    assert [event["type"] for event in receiver.events(secret)][1:] == WHOLE


def test_pauses_grow_and_after_a_day_it_is_disabled_and_shown(house: House, store: ValkeyServer) -> None:
    register(house, "http://127.0.0.1:9/")
    registered, now, pauses = Webhooks(house.client), 1_000_000.0, []
    begun = now
    while not (trouble := registered.trouble("wh_1")) or not trouble.disabled:
        registered.failed("wh_1", "it answered 500", now)
        trouble = registered.trouble("wh_1")
        assert trouble
        pauses.append(trouble.until - now)
        now = trouble.until
    assert now - begun <= GIVE_UP_SECONDS + 2 * DELIVERY_REFUSED.longest
    assert pauses[0] < 10 < pauses[3] < max(pauses) <= DELIVERY_REFUSED.longest
    assert 20 < len(pauses) < 60
    play(house)
    assert registered.owed(now + 10 * GIVE_UP_SECONDS) == []
    said = CliRunner().invoke(webhooks_command, env={"STELE_STORE_URL": store.url, "COLUMNS": "200"})
    assert "disabled" in said.output
    assert "it answered 500" in said.output


def test_a_receiver_that_is_gone_is_disabled_at_once(house: House, receiver: Receiver) -> None:
    register(house, receiver.url)
    assert Webhooks(house.client).lags(time.time() + 5) == {"wh_1": 0.0}
    play(house)
    assert Webhooks(house.client).lags(time.time() + 5)["wh_1"] >= 5, "nothing was taken yet"
    receiver.status = 410
    couriers(house).deliver("wh_1")
    assert trouble_of(house).disabled


def test_one_that_fell_behind_what_is_kept_is_disabled_and_says_so(
    house: House, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(house, receiver.url)
    game = house.create("babel", (None, None), host="club")
    house.workshop.project([game])
    time.sleep(0.02)
    monkeypatch.setattr("projections.registry.host_events.KEPT_MS", 10)
    house.act(game, house.game(game).to_act[0])
    house.workshop.project([game])
    couriers(house).deliver("wh_1")
    assert trouble_of(house).disabled
    assert "fell so far behind" in trouble_of(house).reason
    assert receiver.taken == []


def test_a_slow_receiver_delays_nobody(house: House, receiver: Receiver) -> None:
    receiver.pause.clear()
    register(house, receiver.url, "wh_slow")
    with receiving() as quick:
        secret = register(house, quick.url, "wh_quick")
        play(house)
        courier = couriers(house)
        courier.start_delivery("wh_slow")
        wait_until(lambda: len(receiver.taken) == 1, "the slow one to be called")
        courier.start_delivery("wh_quick")
        wait_until(lambda: len(quick.taken) == len(WHOLE), "the quick one to be told everything")
        assert len(receiver.taken) == 1
        assert [event["type"] for event in quick.events(secret)] == WHOLE
    receiver.pause.set()
    wait_until(lambda: len(receiver.taken) == len(WHOLE), "the slow one to be told everything")


def test_a_game_whose_event_is_refused_delays_no_other_game(house: House, receiver: Receiver) -> None:
    secret = register(house, receiver.url)
    refused, other = play(house), play(house)
    receiver.refuses = refused.encode()
    registered, courier = Webhooks(house.client), couriers(house)
    for _ in range(2):  # a first refusal may be a moment's weakness
        courier.deliver("wh_1")

    def delivered(game: str) -> list[str]:
        events = [event for event in receiver.events(secret) if event["data"]["game"] == game]
        return [event["type"] for event in events]

    assert delivered(other) == WHOLE
    assert registered.trouble("wh_1") is None
    (waiting,) = registered.parked("wh_1").values()
    assert registered.lags(waiting.since + 60) == {"wh_1": pytest.approx(60)}
    assert registered.owed(time.time()) == [] != registered.owed(waiting.until)
    receiver.taken.clear()
    receiver.refuses = b""
    registered.park("wh_1", refused, msgspec.structs.replace(waiting, until=0.0))
    courier.deliver("wh_1")
    assert delivered(refused) == WHOLE, "in order, each at least once"
    assert registered.parked("wh_1") == {}
    receiver.refuses = refused.encode()
    old = msgspec.structs.replace(waiting, until=0.0, since=time.time() - GIVE_UP_SECONDS)
    registered.park("wh_1", refused, old)
    courier.deliver("wh_1")
    assert trouble_of(house).disabled, "after a day"
    assert registered.lags(time.time()) == {}


def test_a_test_is_delivered_once(house: House, receiver: Receiver) -> None:
    secret = register(house, receiver.url)
    registered = Webhooks(house.client)
    event = registered.ask_for_test("wh_1")
    assert registered.owed(time.time()) == ["wh_1"]
    for _ in range(2):
        couriers(house).deliver("wh_1")
    assert [each["data"] for each in receiver.events(secret)] == [{"id": event, "type": "test"}]


def test_a_worker_with_another_key_delivers_nothing(house: House, receiver: Receiver) -> None:
    register(house, receiver.url)
    play(house)
    couriers(house, b"another key").deliver("wh_1")
    assert receiver.taken == []
    assert "STELE_TOKEN_KEY" in trouble_of(house).reason


def test_registrations_are_in_backups_and_go_on_with_what_happens_then(
    house: House, receiver: Receiver, tmp_path: Path
) -> None:
    secret = register(house, receiver.url, types=HOST_EVENT_TYPES[:1])
    game = play(house)
    assert all(problem is None for _, problem in Backup(house.ledger.store, tmp_path).run([game]))
    house.client.flushall()
    restore = Restore(house.ledger.store, house.projections, tmp_path)
    list(restore.check())
    assert all(problem is None for _, problem in restore.run())
    later = play(house)
    couriers(house).deliver("wh_1")
    assert [event["data"]["game"] for event in receiver.events(secret)] == [later]


def test_projector_and_workers_deliver_by_themselves_though_a_worker_is_killed(
    house: House, receiver: Receiver, store: ValkeyServer
) -> None:
    secret = register(house, receiver.url)
    settings = {"STELE_TOKEN_KEY": KEY.decode(), "STELE_WEBHOOK_ALLOW_PRIVATE": "1"}
    receiver.pause.clear()
    with processes(store.url, "projector", **settings) as group:
        worker = group.start("worker")
        play(house)
        wait_until(lambda: bool(receiver.taken), "the first delivery")
        group.kill(worker)
        receiver.pause.set()
        house.forget_claims()
        group.start("worker")
        wait_until(
            lambda: len({each["data"]["id"] for each in receiver.events(secret)}) == len(WHOLE), "all of it"
        )
    first_seen = dict.fromkeys(
        each["data"]["type"] + str(each["data"]["version"]) for each in receiver.events(secret)
    )
    assert [name.rstrip("0123456789") for name in first_seen] == WHOLE
