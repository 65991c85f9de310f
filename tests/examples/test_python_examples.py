"""The Python examples by themselves: the bot plays, the receiver believes nobody without a signature."""

import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from stele_client import Stele
from tests.seeding import rotated
from tests.system import stele as system

EXAMPLES = Path(__file__).parents[2] / "examples"
SECRET = "whsec_c3RlbGUtZXhhbXBsZS1zZWNyZXQtb2YtMzItYnl0ZXM="


@pytest.fixture(scope="module")
def served() -> Iterator[system.Stele]:
    with system.stele_up() as server:
        yield server


def bot(*arguments: str) -> str:
    command = [sys.executable, str(EXAMPLES / "bot.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def test_the_bot_fits_on_a_screen() -> None:
    assert len((EXAMPLES / "bot.py").read_text(encoding="utf-8").splitlines()) < 60


@pytest.mark.parametrize("ruleset", rotated(["babel", "aton", "temple_of_five"]))
def test_the_bot_plays_against_the_servers_own(served: system.Stele, ruleset: str) -> None:
    assert "'winners': [" in bot(served.url, ruleset)


def test_the_bot_joins_a_game_that_waits_and_plays_a_seat_that_it_is_given(served: system.Stele) -> None:
    with Stele(served.url) as stele:
        waiting = stele.create("babel", [{"bot": "random"}], seats=2).game.id
        assert waiting in bot(served.url, "--join", waiting)
        table = stele.create("babel", [{"name": "Ann"}, {"bot": "random"}])
        assert table.game.id in bot(
            served.url, "--join", table.game.id, "--token", table.players[0].token or ""
        )


def test_the_receiver_handles_an_event_once_and_believes_only_what_is_signed() -> None:
    handled: list[Any] = []
    inbox = runpy.run_path(str(EXAMPLES / "webhook_receiver.py"))["Inbox"](SECRET, handled.append)
    body = json.dumps({"type": "turn", "data": {"id": "g.7.turn"}}).encode()

    def delivery(name: str, signed: bytes = body) -> dict[str, str]:
        now = datetime.now(UTC)
        signature = Webhook(SECRET).sign(name, now, signed.decode())
        return {
            "webhook-id": name,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": signature,
        }

    assert inbox.take(delivery("g.7.turn"), body) == 204
    assert inbox.take(delivery("g.7.turn"), body) == 204
    assert inbox.take(delivery("g.8.turn", b"{}"), body) == 401
    assert inbox.take({}, body) == 401
    assert handled == [{"id": "g.7.turn"}]
