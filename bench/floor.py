"""The floor: a bare Flask route that does one append, behind the same front and server as the API."""

import os
from itertools import count

from flask import Flask, Response, request

from bench.store import RAW
from games import RULESETS
from services.core.connections import connect
from services.front.live import Live
from services.front.rsgi import Front

PAYLOAD = b'{"note":"' + b"x" * 900 + b'"}'


def front() -> Front:
    """What each server process runs."""
    url = os.environ["STELE_STORE_URL"]
    app, numbers = Flask("floor"), count(1)
    append = connect(url).register_script(RAW)

    @app.post("/append")
    def one_append() -> Response:
        request.get_data()
        number = next(numbers)
        stream = f"floor:{os.getpid()}:{number}"
        append(keys=[stream, "feed", f"{stream}:key"], args=["0-0", "1-0", PAYLOAD, "0" * 64])
        return Response(b'{"ok":true}', 201, mimetype="application/json")

    return Front(app, Live(url, RULESETS))
