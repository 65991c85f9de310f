"""Push messages: one for each turn of a seat that is away, and one at the end; none is lost, none tells a secret."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from events import commands
from events.batch import EntryBatch
from events.store_errors import UNAVAILABLE
from projections.pushes import PRESENT, Registration, presence_key
from services.core.ledger import Dossier
from services.core.web_push import PushKey
from services.worker.push_sender import PUSH_TTL, PushSender
from tests.servers import ValkeyServer, wait_until
from tests.worker.browser import Browser
from tests.worker.house import House, processes
from tests.worker.receiver import Receiver, receiving

KEY = PushKey("5c" * 32)


@pytest.fixture
def house(store: ValkeyServer) -> Iterator[House]:
    with store.client() as client:
        client.flushall()
        yield House(client, client)
        wait_until(lambda: not senders(), "messages to be sent: the next test has the same store")


def senders() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("push ")]


@pytest.fixture
def service() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
def browser(service: Receiver) -> Browser:
    return Browser(service)


def sender(house: House) -> PushSender:
    return PushSender(house.ledger, house.queue, KEY, allow_private=True)


def begun(house: House, browser: Browser | None = None, seat: int = 0) -> str:
    """A game of Babel in which seat 0 begins; this browser wants to be told of a seat."""
    game = house.create("babel", (None, None), options={"begins": 0})
    if browser:
        register(house, game, browser.registration(), seat)
    return game


def register(house: House, game: str, registration: Registration, seat: int = 0) -> None:
    house.projections.pushes.register(game, seat, registration)
    house.workshop.project([game])


def end_turn(house: House, game: str, seat: int) -> None:
    """The seat plays its turn to the end, while nobody projects."""
    while seat in house.game(game).to_act:
        legal = house.rulesets.latest("babel").legal_actions(house.game(game).state, seat)
        raw = sorted(map(msgspec.to_builtins, legal), key=lambda action: bool(action["type"] != "end_turn"))

        def write(batch: EntryBatch, now: Dossier, action: Any = raw[0]) -> None:
            commands.act(batch, seat, action, house.rulesets, now.seed)

        house.ledger.change(game, write)


def next_turn(house: House, game: str) -> None:
    """Both players play, and it is the first one's turn again."""
    end_turn(house, game, 0)
    end_turn(house, game, 1)
    house.workshop.project([game])


def withdraw(house: House, game: str, seat: int) -> None:
    house.ledger.change(
        game, lambda batch, _: commands.withdraw(batch, seat, "resigned", {"seat": seat}, house.rulesets)
    )
    house.workshop.project([game])


def waiting(house: House) -> int:
    return len(list(house.projections.pushes.due(time.time() + 1e6)))


def test_a_seat_that_is_to_act_is_told_who_plays_what(house: House, browser: Browser) -> None:
    game = begun(house, browser)
    sender(house).send_due(game)
    (message,) = browser.messages
    assert (message["type"], message["game"], message["seat"]) == ("turn", game, 0)
    assert (message["ruleset"], message["lang"]) == ("babel", "en")
    assert message["text"] == "Your turn in Babel against Player 1"
    ((headers, _),) = browser.service.taken
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["TTL"] == str(PUSH_TTL)
    assert headers["Authorization"].endswith(KEY.public)


def test_in_french_too(house: House, browser: Browser) -> None:
    game = begun(house)
    register(house, game, browser.registration(language="fr"))
    sender(house).send_due(game)
    assert [each["text"] for each in browser.messages] == ["À vous de jouer : Babel, contre Player 1"]


def test_a_seat_is_told_once_in_a_turn_and_again_in_the_next(house: House, browser: Browser) -> None:
    game = begun(house, browser)
    for _ in range(3):
        house.workshop.project([game])
        sender(house).send_due(game)
    house.act(game, 0)  # it plays on without looking at a stream
    assert 0 in house.game(game).to_act
    house.workshop.project([game])
    sender(house).send_due(game)
    assert len(browser.messages) == 1
    next_turn(house, game)
    sender(house).send_due(game)
    assert [each["type"] for each in browser.messages] == ["turn", "turn"]


def test_whoever_has_acted_meanwhile_is_not_told(house: House, browser: Browser) -> None:
    game = begun(house, browser)
    end_turn(house, game, 0)
    sender(house).send_due(game)
    assert browser.messages == []
    assert waiting(house) == 0


def test_a_message_waits_as_long_as_the_seat_has_asked(house: House, browser: Browser) -> None:
    game = begun(house)
    register(house, game, browser.registration(after_seconds=600))
    sender(house).send_due(game)
    assert browser.messages == []
    (due,) = house.projections.pushes.due(time.time() + 601)
    assert (due.game, due.seat) == (game, 0)
    assert not list(house.projections.pushes.due(time.time() + 590))


def test_both_are_told_of_the_end_and_nothing_is_kept_then(house: House, browser: Browser) -> None:
    game = begun(house, browser, seat=1)
    house.projections.pushes.register(game, 0, browser.registration(after_seconds=600))
    withdraw(house, game, 0)
    sender(house).send_due(game)
    assert {(each["type"], each["seat"]) for each in browser.messages} == {("end", 0), ("end", 1)}
    assert {each["text"] for each in browser.messages} == {
        "Babel against Player 0 is over",
        "Babel against Player 1 is over",
    }
    house.workshop.settle(game)
    house.workshop.project([game])
    sender(house).send_due(game)
    assert len(browser.messages) == 2
    assert house.projections.pushes.of_game(game) == {}
    sender(house).send_due(game)
    assert list(house.client.scan_iter("stele:{*push*")) == []


def test_a_seat_that_looks_on_live_is_not_told_of_this_turn(house: House, browser: Browser) -> None:
    game = begun(house, browser)
    house.client.zadd(presence_key(game), {"0 some-process": time.time() + 60})
    sender(house).send_due(game)
    house.client.delete(presence_key(game))
    house.workshop.project([game])
    sender(house).send_due(game)
    assert browser.messages == []
    assert presence_key(game).endswith(PRESENT)


def test_another_seat_that_looks_on_and_one_that_has_left_do_not_matter(
    house: House, browser: Browser
) -> None:
    game = begun(house, browser)
    house.client.zadd(presence_key(game), {"1 some-process": time.time() + 60, "0 other": time.time() - 1})
    sender(house).send_due(game)
    assert len(browser.messages) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_dead_subscription_is_deleted(house: House, browser: Browser, status: int) -> None:
    game = begun(house, browser)
    browser.service.status = status
    sender(house).send_due(game)
    assert house.projections.pushes.of_game(game) == {}
    assert waiting(house) == 0


def test_a_push_service_that_refuses_is_tried_again_and_given_up_after_a_while(
    house: House, browser: Browser
) -> None:
    game = begun(house, browser)
    browser.service.status = 503
    for tried in range(1, 6):
        sender(house).send_due(game)
        assert len(browser.messages) == tried
        for due in list(house.projections.pushes.due(time.time() + 1e6)):
            house.client.zadd(f"stele:{{{game[:2]}}}:push:due", {due.member: 0})
    assert waiting(house) == 0
    browser.service.status = 204
    next_turn(house, game)
    sender(house).send_due(game)
    assert len(browser.messages) == 6, "the next turn begins anew"


def test_who_holds_the_seat_after_another_is_not_told_for_them(house: House, browser: Browser) -> None:
    game = begun(house)
    register(house, game, browser.registration(generation=3))
    sender(house).send_due(game)
    assert browser.messages == []
    assert house.projections.pushes.of_game(game) == {}


def test_a_slow_push_service_delays_nobody_else(house: House, browser: Browser, service: Receiver) -> None:
    with receiving() as slow:
        slow.pause.clear()
        held, other = begun(house, Browser(slow)), begun(house, browser)
        sending = sender(house)
        sending.start_sending(held)
        wait_until(lambda: bool(slow.taken), "the slow one to be asked")
        sending.start_sending(held)
        sending.start_sending(other)
        wait_until(lambda: bool(service.taken), "the other one to be sent")
        assert len(slow.taken) == 1
        slow.pause.set()
        wait_until(lambda: waiting(house) == 0, "both to be done with")


def test_the_projector_asks_for_what_is_due_and_a_killed_sender_loses_nothing(
    house: House, browser: Browser, store: ValkeyServer
) -> None:
    """A message may come twice, of which a browser shows one: both have the same topic."""
    begun(house, browser)
    house.sweeper.look_at_pushes(time.time())
    house.sweeper.look_at_pushes(time.time())
    assert house.queue.patient.count == 1
    with processes(store.url, STELE_WEBHOOK_ALLOW_PRIVATE="1", STELE_PUSH_KEY="5c" * 32) as group:
        doomed = group.start("worker", STELE_FAULT="between a push message and its mark")
        assert group.wait_for_death(doomed) == 86
        assert len(browser.messages) == 1
        assert waiting(house) == 1
        house.forget_claims()
        group.start("worker")
        group.start("projector")
        wait_until(lambda: waiting(house) == 0, "the message to be done with")
    assert [each["text"] for each in browser.messages] == ["Your turn in Babel against Player 1"] * 2
    assert len({headers["Topic"] for headers, _ in browser.service.taken}) == 1


def test_what_was_not_scheduled_is_scheduled_by_the_next_sweep(
    house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begun(house)

    def away(*_: object) -> None:
        raise UNAVAILABLE[0]

    with monkeypatch.context() as patch:
        patch.setattr("projections.pushes.Pushes.schedule", away)
        with suppress(*UNAVAILABLE):
            register(house, game, browser.registration())
    assert waiting(house) == 0
    house.sweeper.sweep()
    assert waiting(house) == 1


def test_games_without_registrations_leave_nothing_behind(house: House) -> None:
    game = begun(house)
    house.workshop.project([game])
    withdraw(house, game, 0)
    assert list(house.client.scan_iter("stele:{*push*")) == []
