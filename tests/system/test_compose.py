"""compose.yaml, without a container engine: each service's command and environment as processes of this machine."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from redis.exceptions import AuthenticationError

from services.core.settings import ROWS, unknown_variables, variable
from services.host import die_with_parent
from services.host.up import api_is_alive
from tests.servers import PATIENCE, ValkeyServer, free_ports, short_directory, wait_until

ROOT = Path(__file__).parents[2]
SECRETS = {"STELE_STORE_PASSWORD": "a1" * 32, "STELE_TOKEN_KEY": "b2" * 32, "STELE_SIGNING_KEY": "c3" * 32}
"""What a file `.env` would hold."""


def with_secrets(text: str) -> str:
    """The text with the secrets in it; compose refuses one that is missing."""
    return re.sub(r"\$\{(\w+):[?-][^}]*\}", lambda match: SECRETS.get(match[1], ""), text)


COMPOSE: dict[str, Any] = yaml.safe_load(with_secrets((ROOT / "compose.yaml").read_text()))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = sorted(set(SERVICES) - {"store"})


def command(service: str) -> list[str]:
    """The command of a service, by the programs of this installation."""
    program, *arguments = shlex.split(SERVICES[service]["command"])
    return [str(Path(sys.executable).with_name(program)), *arguments]


def environment(service: str, port: int, store: int, directory: Path) -> dict[str, str]:
    """The environment of a service, with this machine's places in it."""
    variables = {
        name: ("" if value is None else str(value)).replace("@store:6379", f"@127.0.0.1:{store}")
        for name, value in SERVICES[service]["environment"].items()
    }
    here = {
        "STELE_PORT": str(port),
        "STELE_HOST": "127.0.0.1",
        "STELE_DATA_DIR": str(directory / "data"),
        "STELE_ARCHIVE_DIR": str(directory / "data" / "archive"),
        "PROMETHEUS_MULTIPROC_DIR": str(directory / "metrics"),
    }
    opened = {"STELE_BOT_GAMES": "open"}
    settings = {variable(field) for field in ROWS}
    clean = {name: value for name, value in os.environ.items() if name not in settings}
    return clean | opened | variables | {name: value for name, value in here.items() if name in variables}


@contextmanager
def composed() -> Iterator[str]:
    """All services, in the order of the file; the address of the API."""
    port, store_port = free_ports(2)
    with short_directory() as directory, ExitStack() as on_exit:
        store = ValkeyServer(
            directory / "store",
            port=store_port,
            options=store_options(),
            password=SECRETS["STELE_STORE_PASSWORD"],
        )
        store.start()
        (directory / "metrics").mkdir()
        on_exit.callback(store.stop)
        for service in OURS:
            env = environment(service, port, store_port, directory)
            process = die_with_parent.start(command(service), env=env)
            on_exit.callback(end, process)
        yield f"http://127.0.0.1:{port}"


def store_options() -> tuple[str, ...]:
    _, *options = shlex.split(SERVICES["store"]["command"])
    return tuple(options)


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    assert process.wait(PATIENCE) == 0


def test_a_game_of_bots_is_played_and_settled_by_the_services_of_the_compose_file() -> None:
    with composed() as address:
        wait_until(lambda: api_is_alive(address), "the API to answer")
        wanted = {
            "ruleset": "sa_re",
            "options": {"max_rounds": 1},
            "players": [{"bot": "keen"}, {"bot": "greedy"}],
        }
        game = httpx.post(f"{address}/v1/games", json=wanted).raise_for_status().json()
        place = f"{address}{game['links']['self']}"
        wait_until(
            lambda: httpx.get(place).json()["settled"], "the bots to play and the game to be settled", 120
        )
        assert httpx.get(f"{place}/audit").json()["verdict"] == "pass"
        counted = httpx.get(f"{address}/metrics").text
        assert re.search(r'stele_thought_seconds_count\{level="keen"\} [1-9]', counted), "and thinkers"
        assert re.search(r'stele_jobs_total\{job="settle",result="done"\} 1\.0', counted), (
            "workers count there too"
        )


def test_nobody_reaches_the_store_of_the_file_without_its_password() -> None:
    with short_directory() as directory:
        password = SECRETS["STELE_STORE_PASSWORD"]
        store = ValkeyServer(directory, options=store_options(), password=password)
        store.start()
        try:
            with store.client(password=None) as stranger, pytest.raises(AuthenticationError):
                stranger.ping()
        finally:
            store.stop()


@pytest.mark.parametrize("service", OURS)
@pytest.mark.parametrize("secret", ["STELE_TOKEN_KEY", "STELE_SIGNING_KEY"])
def test_all_services_of_the_file_share_the_keys(service: str, secret: str) -> None:
    assert SERVICES[service]["environment"][secret] == SECRETS[secret]


@pytest.mark.parametrize("service", OURS)
def test_the_file_sets_no_setting_that_does_not_exist(service: str) -> None:
    assert unknown_variables(SERVICES[service]["environment"]) == []


def test_the_store_of_the_file_keeps_what_it_acknowledges() -> None:
    assert "--appendonly yes --appendfsync always" in SERVICES["store"]["command"]
    (volume,) = SERVICES["store"]["volumes"]
    assert volume.partition(":")[0] in COMPOSE["volumes"]
