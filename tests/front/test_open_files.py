"""Few file descriptors: watchers are refused before the last ones, so that players and /healthz are served."""

import socket
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from services.front.open_files import KEPT_FOR_REQUESTS, MAX_CONNECTIONS, connection_limit, watcher_limit
from tests.api.client import OPERATOR, build_api, new_game
from tests.api.live import live_api
from tests.servers import PATIENCE, ValkeyServer

FILES = 256


@pytest.mark.parametrize("files", [64, 256, 1024, 10**6])
def test_watchers_leave_room_for_requests_and_all_leave_room_for_the_store(files: int) -> None:
    assert connection_limit(files) <= MAX_CONNECTIONS
    assert 1 <= watcher_limit(files) <= max(1, connection_limit(files) - KEPT_FOR_REQUESTS)


def test_with_few_files_a_crowd_of_watchers_leaves_the_server_alive(
    valkey: ValkeyServer, tmp_path: Path
) -> None:
    api = build_api(valkey.url)
    game = new_game(api, "babel")
    request = f"GET {game.path}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()
    statuses = []
    with live_api(valkey.url, tmp_path, "tests.front.few_files", str(FILES)) as port, ExitStack() as crowd:
        for _ in range(watcher_limit(FILES) + 20):
            watcher = crowd.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
            watcher.sendall(request)
            statuses.append(int(watcher.recv(4096).split(b" ")[1]))
        address = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{address}/healthz", timeout=PATIENCE).status_code == 200
        assert httpx.get(f"{address}{game.path}", timeout=PATIENCE).status_code == 200
        metrics = httpx.get(f"{address}/metrics", headers={"Authorization": f"Bearer {OPERATOR}"}).text
        assert f"stele_max_open_files {FILES}.0" in metrics
        assert 'stele_turned_away_total{place="open files"} 20.0' in metrics
    assert statuses == [200] * watcher_limit(FILES) + [503] * 20
    assert f"this process may open {FILES} files" in (tmp_path / "said").read_text()
    api.close()
