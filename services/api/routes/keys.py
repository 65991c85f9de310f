"""The server's public keys."""

from services.api.context import context
from services.api.responses import json_response
from services.api.table import TABLE
from services.bodies.audit import KeyBody, KeysBody, LogKeyBody
from services.http.messages import Response
from services.http.routing import Returns

route = TABLE.section("keys")


@route("GET", "/.well-known/stele-keys.json", returns={200: Returns(KeysBody)}, errors=("store_unavailable",))
def list_keys() -> Response:
    """Every key that signs heads here or ever did, the present one first; and those of the transparency log."""
    here = context()
    keys = [KeyBody(**key) for key in here.keys.listed()]
    logs = [LogKeyBody(**key) for key in here.log.listed_keys()] if here.log else []
    return json_response(KeysBody(keys=keys, logs=logs))
