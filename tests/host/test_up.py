"""`stele up` as people use it, with a stand-in for the API."""

import http.server
import signal
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis

from services.cli.commands.up import up
from services.core.datadir import embedded_url, socket_of
from services.core.settings import Settings
from services.host.up import api_is_alive, programs, url
from tests.host.running import Running, processes_using, running
from tests.servers import ValkeyServer, free_ports, short_directory, wait_until

UP = """
import sys
from services.cli.commands.up import up
from services.host import up as host
from services.host.supervisor import Child
STAND_IN = '''
import http.server, os
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/healthz" else 404)
        self.end_headers()
    def log_message(self, *_): pass
place = (os.environ["STELE_HOST"], int(os.environ["STELE_PORT"]))
http.server.ThreadingHTTPServer(place, Health).serve_forever()
'''
real = host.programs
def programs(settings, environ):
    api, *_ = real(settings, environ)
    argv = [sys.executable, "-c", STAND_IN, str(settings.data_dir)]
    return [Child(api.name, argv, api.env, api.tells, api.ready)]
host.programs = programs
up(sys.argv[1:])
"""


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with short_directory() as directory:
        yield directory / "data"


@pytest.fixture
def port() -> int:
    return free_ports(1)[0]


@contextmanager
def stele_up(data_dir: Path, port: int, *, env: Mapping[str, str] | None = None) -> Iterator[Running]:
    flags = ["--host", "127.0.0.1", "--port", str(port), "--data-dir", str(data_dir)]
    with running(UP, *flags, env=env or {}, directory=data_dir.parent) as program:
        yield program


def test_it_tells_what_is_ready_and_where_and_stops_without_a_trace(data_dir: Path, port: int) -> None:
    with stele_up(data_dir, port) as program:
        program.wait_to_say("✓ api: http://127.0.0.1:")
        assert program.said.splitlines() == [
            f"✓ store: Valkey keeps the games in {data_dir}",
            f"✓ api: http://127.0.0.1:{port} (Ctrl-C stops everything)",
        ]
        assert api_is_alive(f"http://127.0.0.1:{port}")
        assert (program.stop(signal.SIGINT), processes_using(data_dir)) == (0, [])
        assert "killed" not in program.said
        assert not socket_of(data_dir).exists()


def test_after_kill_9_of_everything_it_finds_its_data_again(data_dir: Path, port: int) -> None:
    for round_ in range(2):
        with stele_up(data_dir, port) as program:
            program.wait_to_say("✓ api")
            with Redis.from_url(embedded_url(data_dir)) as client:
                assert client.llen("moves") == round_
                client.rpush("moves", round_)
            program.stop(signal.SIGKILL)
            wait_until(lambda: not processes_using(data_dir), "all to be gone")


def test_a_killed_one_leaves_no_place_where_it_counted_behind_for_long(
    data_dir: Path, port: int, tmp_path: Path
) -> None:
    for _ in range(2):
        with stele_up(data_dir, port, env={"TMPDIR": str(tmp_path)}) as program:
            program.wait_to_say("✓ api")
            (place,) = tmp_path.glob("stele-metrics-*")
            program.stop(signal.SIGKILL)
            wait_until(lambda: not processes_using(data_dir), "all to be gone")
        assert place.exists()
    with stele_up(data_dir, port, env={"TMPDIR": str(tmp_path)}) as program:
        program.wait_to_say("✓ api")
        program.stop()
    assert list(tmp_path.iterdir()) == []


def test_a_second_one_on_the_same_directory_is_refused_with_who_holds_it(data_dir: Path, port: int) -> None:
    with stele_up(data_dir, port) as program:
        program.wait_to_say("✓ store")
        refused = CliRunner().invoke(up, ["--data-dir", str(data_dir), "--port", str(free_ports(1)[0])])
        assert refused.exit_code == 1
        assert f"is in use by `stele up`, process {program.process.pid}, since 20" in refused.output
        assert len(refused.output.splitlines()) == 1


def test_a_port_in_use_is_refused_in_one_sentence(data_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        refused = CliRunner().invoke(up, ["--data-dir", str(data_dir), "--port", str(number)])
    assert refused.exit_code == 1
    assert refused.output == (
        f"Error: Port {number} of 127.0.0.1 is in use by another program:"
        " stop it, or choose another port with --port (STELE_PORT).\n"
    )


@pytest.mark.parametrize("host", ["203.0.113.7", "no such host"])
def test_a_host_that_is_not_this_machine_is_refused(data_dir: Path, port: int, host: str) -> None:
    refused = CliRunner().invoke(up, ["--data-dir", str(data_dir), "--port", str(port), "--host", host])
    assert refused.exit_code == 1
    assert f"Nothing can listen on port {port} of {host}" in refused.output


def test_a_data_directory_that_cannot_be_written_to_is_refused(data_dir: Path) -> None:
    data_dir.write_text("a file")
    refused = CliRunner().invoke(up, ["--data-dir", str(data_dir)])
    assert refused.exit_code == 1
    assert f"The data directory {data_dir} cannot be used: file exists." in refused.output


def test_a_flag_is_checked_like_its_variable(data_dir: Path) -> None:
    refused = CliRunner().invoke(up, ["--data-dir", str(data_dir), "--port", "0"])
    assert refused.exit_code == 1
    assert "STELE_PORT must be a whole number from 1 to 65535" in refused.output


def test_with_a_given_store_none_is_embedded(data_dir: Path, port: int, valkey: ValkeyServer) -> None:
    with stele_up(data_dir, port, env={"STELE_STORE_URL": valkey.url}) as program:
        program.wait_to_say("✓ api")
        assert f"✓ store: Valkey 9.1.2 at {valkey.url}" in program.said
        assert not (data_dir / "appendonlydir").exists()
        assert program.stop() == 0
    with valkey.client() as client:
        assert client.ping()


def test_a_disk_that_is_almost_full_is_told(data_dir: Path, port: int) -> None:
    with stele_up(data_dir, port, env={"STELE_MIN_FREE_MB": "999999999"}) as program:
        program.wait_to_say("games can be read, not played, until there are 999999999 (STELE_MIN_FREE_MB)")


def test_a_misspelt_setting_is_told(data_dir: Path, port: int) -> None:
    with stele_up(data_dir, port, env={"STELE_PROT": "1"}) as program:
        program.wait_to_say("STELE_PROT is set, but there is no such setting")


def test_the_address_told_is_one_that_a_browser_on_this_machine_can_open() -> None:
    assert url(Settings(host="0.0.0.0", port=80)) == "http://127.0.0.1:80"
    assert url(Settings(host="::", port=80)) == "http://[::1]:80"
    assert url(Settings(host="games.example.org", port=80)) == "http://games.example.org:80"


def test_an_api_that_answers_with_an_error_is_not_ready() -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert not api_is_alive(f"http://127.0.0.1:{server.server_port}")
        thread.join()


def test_workers_and_thinkers_run_in_the_numbers_that_are_set() -> None:
    def names(settings: Settings) -> list[str]:
        return [program.name for program in programs(settings, {})]

    usual = ["api", "projector", "worker 1", "worker 2", "thinker 1", "thinker 2"]
    assert names(Settings()) == usual
    assert names(Settings(workers=1, thinkers=0)) == usual[:3]
