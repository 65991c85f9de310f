"""The server's public keys."""

from services.api.context import context
from services.api.responses import json_response
from services.api.schemas.audit import KeysSchema
from services.api.table import TABLE
from services.http.messages import Response
from services.http.routing import Returns

route = TABLE.section("keys")


@route(
    "GET", "/.well-known/stele-keys.json", returns={200: Returns(KeysSchema)}, errors=("store_unavailable",)
)
def list_keys() -> Response:
    """Every key that signs heads here or ever did, the present one first; and those of the transparency log."""
    here = context()
    return json_response({"keys": here.keys.listed(), "logs": here.log.listed_keys() if here.log else []})
