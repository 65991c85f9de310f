"""The API as a plain WSGI application: whole games under the servers that people run Flask with."""

from pathlib import Path
from random import Random

import pytest

from replays.audit.verify import verify
from tests.api.client import Table, new_game
from tests.api.live import live_api
from tests.leaks.server import RemoteApi
from tests.seeding import rotated
from tests.servers import ValkeyServer

APP = "services.api.wsgi:app"
SERVERS = {
    "gunicorn": ("gunicorn", "--bind", "127.0.0.1:PORT", "--workers", "2", "--threads", "4", APP),
    "waitress": ("waitress", "--listen", "127.0.0.1:PORT", APP),
}
DATABASE = 7


def play_to_the_end(game: Table, dice: Random) -> None:
    while to_act := game.show()["to_act"]:
        seat = to_act[0]
        done = game.act(seat, dice.choice(game.legal(seat)))
        assert done.status == 201, done


@pytest.mark.parametrize("server", rotated(SERVERS))
def test_a_whole_game_is_played_and_audited_under_a_plain_wsgi_server(
    server: str, valkey: ValkeyServer, tmp_path: Path
) -> None:
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    url = f"{valkey.url}?db={DATABASE}"
    with live_api(url, tmp_path, *SERVERS[server]) as port:
        api = RemoteApi(url, port)
        game = new_game(api, "aton")
        play_to_the_end(game, Random(server))
        game.settle()
        ended = game.show()
        assert (ended["status"], ended["settled"]) == ("ended", True)
        assert {check.verdict for check in verify(game.get("/record").json)} == {"pass"}
        assert game.get("/audit").json["verdict"] == "pass"
        lines = game.get("/replay", Accept="application/x-ndjson").body.splitlines()
        assert len(lines) == ended["version"]
        assert game.get("/events", Accept="text/event-stream").code == "not_acceptable"
        assert game.get("?after=0&wait=5").json["version"] == ended["version"]
        assert api.send("PUT", "/v1/games").code == "method_not_allowed"
        api.close()
