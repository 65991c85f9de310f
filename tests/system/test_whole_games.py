"""Whole games over HTTP, watched live by someone who sees only what spectators see."""

import threading
from contextlib import suppress
from random import Random
from typing import Any

import httpx
import pytest

from games import RULESETS
from games.kernel import Ruleset
from replays.audit.verify import verify
from tests.rulesets.story import builtins
from tests.servers import PATIENCE, wait_until
from tests.system.stele import Player, Stele, events, sit_down, stele_up


class Watcher(threading.Thread):
    """Watches a game by SSE and folds the redacted facts over what it has seen so far."""

    def __init__(self, server: Stele, path: str, ruleset: Ruleset[Any, Any]) -> None:
        super().__init__(daemon=True)
        self.server, self.path, self.ruleset = server, path, ruleset
        self.view: Any = None
        self.seen: list[int] = []

    def run(self) -> None:
        with suppress(httpx.TransportError):  # a server that stops may cut the stream in the middle
            for event in events(self.server, self.path):
                self.seen.append(event["seq"])
                if facts := event["data"].get("facts"):
                    self.view = self.ruleset.fold(self.view, self.ruleset.read_facts(facts))


def play_to_the_end(players: list[Player], dice: Random) -> None:
    """Whoever is to act does something legal, until nobody is."""
    while to_act := players[0].look()["to_act"]:
        player = players[to_act[0]]
        done = player.act(dice.choice(player.legal()))
        assert done.status_code == 201, done.text


@pytest.mark.parametrize("edition", ["2013", "2000"])
def test_two_clients_play_babel_to_its_end_and_a_watcher_folds_what_it_sees(
    stele: Stele, edition: str
) -> None:
    players = sit_down(stele, "babel", options={"edition": edition})
    spectator = Player(stele, players[0].path, None)
    watcher = Watcher(stele, spectator.path, RULESETS.latest("babel"))
    watcher.start()
    play_to_the_end(players, Random(edition))
    watcher.join(PATIENCE)
    assert not watcher.is_alive(), "the stream did not close after the settlement"
    ended = spectator.look()
    assert (ended["status"], ended["settled"]) == ("ended", True)
    assert watcher.seen == list(range(1, ended["version"] + 1))
    assert builtins(watcher.view) == ended["view"]
    assert {check.verdict for check in verify(spectator.get("/record"))} == {"pass"}
    assert spectator.get("/audit")["verdict"] == "pass"


def test_the_server_stops_though_streams_are_open_that_never_end() -> None:
    with stele_up() as server:
        path = sit_down(server, "babel")[0].path
        watchers = [Watcher(server, path, RULESETS.latest("babel")) for _ in range(5)]
        for watcher in watchers:
            watcher.start()
        wait_until(lambda: all(watcher.seen for watcher in watchers), "the streams to begin")
        assert "stele_watchers 5.0" in server.http.get(f"{server.url}/metrics").text
        server.stop()
        for watcher in watchers:
            watcher.join(PATIENCE)
            assert not watcher.is_alive()
