"""The API as people run it: a process of its own (`python -m services.api`) on a port of this machine."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from services.host import die_with_parent
from tests.api.client import CLUB, OPERATOR, SIGNING_KEY, TOKEN_KEY
from tests.servers import PATIENCE, UNLIMITED, free_ports, wait_until


@contextmanager
def live_api(
    store_url: str, directory: Path, *program: str, unlimited: bool = True, **more: str
) -> Iterator[int]:
    """The port of a server on this store, with one host and one operator; what it says is in the file `said`.

    `program` is the module that serves, with its arguments; in these `PORT` stands for the port.
    """
    (port,) = free_ports(1)
    arguments = [each.replace("PORT", str(port)) for each in program or ("services.api",)]
    settings = {
        "STELE_STORE_URL": store_url,
        "STELE_PORT": str(port),
        "STELE_DATA_DIR": str(directory / "data"),
        "STELE_TOKEN_KEY": TOKEN_KEY,
        "STELE_SIGNING_KEY": SIGNING_KEY,
        "STELE_HOST_TOKENS": f"club:{CLUB}",
        "STELE_OPERATOR_TOKENS": OPERATOR,
    }
    settings |= UNLIMITED if unlimited else {}
    said = directory / "said"
    with said.open("wb") as file:
        process = die_with_parent.start(
            [sys.executable, "-m", *arguments], env={**os.environ, **settings, **more}, output=file
        )

    def answers() -> bool:
        assert process.poll() is None, said.read_text()
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    try:
        wait_until(answers, "the API to answer")
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)
