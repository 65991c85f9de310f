"""compose.yaml, without a container engine: each service's command and environment as processes of this machine."""

import os
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

from services.core.settings import ROWS, unknown_variables, variable
from services.host import leash
from services.host.up import answers
from tests.servers import ValkeyServer, free_ports, short_directory, wait_until

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = sorted(set(SERVICES) - {"store"})


def command(service: str) -> list[str]:
    """The command of a service, by the programs of this installation."""
    program, *arguments = shlex.split(SERVICES[service]["command"])
    return [str(Path(sys.executable).with_name(program)), *arguments]


def environment(service: str, store: str, port: int, directory: Path) -> dict[str, str]:
    """The environment of a service, with this machine's places in it."""
    told = {
        name: str(value).replace("redis://store:6379", store)
        for name, value in SERVICES[service]["environment"].items()
    }
    here = {"STELE_PORT": str(port), "STELE_HOST": "127.0.0.1", "STELE_DATA_DIR": str(directory / service)}
    settings = {variable(field) for field in ROWS}
    clean = {name: value for name, value in os.environ.items() if name not in settings}
    return clean | told | {name: value for name, value in here.items() if name in told}


@contextmanager
def composed() -> Iterator[str]:
    """All services, in the order of the file; the address of the API."""
    port, store_port = free_ports(2)
    with short_directory() as directory, ExitStack() as on_exit:
        store = ValkeyServer(directory / "store", port=store_port, options=store_options())
        store.start()
        on_exit.callback(store.stop)
        for service in OURS:
            env = environment(service, store.tcp_url, port, directory)
            process = leash.start(command(service), env=env)
            on_exit.callback(end, process)
        yield f"http://127.0.0.1:{port}"


def store_options() -> tuple[str, ...]:
    _, *options = shlex.split(SERVICES["store"]["command"])
    return tuple(options)


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    assert process.wait(10) == 0


def test_a_game_of_bots_is_played_and_settled_by_the_services_of_the_compose_file() -> None:
    with composed() as address:
        wait_until(lambda: answers(address), "the API to answer")
        wanted = {
            "ruleset": "babel",
            "players": [{"bot": "greedy"}, {"bot": "random"}],
        }
        game = httpx.post(f"{address}/v1/games", json=wanted).raise_for_status().json()
        place = f"{address}{game['links']['self']}"
        wait_until(
            lambda: httpx.get(place).json()["settled"], "the bots to play and the game to be settled", 60
        )
        assert httpx.get(f"{place}/audit").json()["verdict"] == "pass"


@pytest.mark.parametrize("service", OURS)
def test_the_file_sets_no_setting_that_does_not_exist(service: str) -> None:
    assert unknown_variables(SERVICES[service]["environment"]) == []


def test_the_store_of_the_file_keeps_what_it_acknowledges() -> None:
    assert "--appendonly yes --appendfsync always" in SERVICES["store"]["command"]
    (volume,) = SERVICES["store"]["volumes"]
    assert volume.partition(":")[0] in COMPOSE["volumes"]
