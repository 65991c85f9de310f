"""A server that is told to stop while requests are under way."""

import json
import os
import signal
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.api.client import CLUB, SEED
from tests.api.live import live_api
from tests.servers import PATIENCE, running_valkey


def call(connection: HTTPConnection, method: str, path: str, token: str, body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def test_an_action_under_way_when_the_server_is_told_to_stop_is_appended_and_answered(tmp_path: Path) -> None:
    players = [{"name": "Ada"}, {"name": "Ben"}]
    answers = []
    with running_valkey() as store:
        with live_api(store.url, tmp_path) as port:
            connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            _, game = call(
                connection, "POST", "/v1/games", CLUB, {"ruleset": "babel", "seed": SEED, "players": players}
            )
            token = game["seats"][game["to_act"][0]]["token"]
            path = f"/v1/games/{game['id']}/actions"
            _, legal = call(connection, "GET", path, token)
            action = legal["actions"][0]
            os.kill(store.pid, signal.SIGSTOP)
            try:
                request = threading.Thread(
                    target=lambda: answers.append(call(connection, "POST", path, token, action))
                )
                request.start()
                time.sleep(0.3)
                threading.Timer(0.5, os.kill, (store.pid, signal.SIGCONT)).start()
            except BaseException:
                os.kill(store.pid, signal.SIGCONT)
                raise
        request.join(PATIENCE)
        (status, body) = answers[0]
        assert status == 201
        with store.client() as client:
            stream = f"stele:{{{game['id'][:2]}}}:game:{game['id']}:log"
            assert client.xlen(stream) == body["version"] == game["version"] + 1
