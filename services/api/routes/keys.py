"""The server's public keys."""

from flask import Response

from services.api.answers import answer
from services.api.context import context
from services.api.requests import StrictBlueprint
from services.api.schemas.audit import KeysSchema

blueprint = StrictBlueprint("keys", __name__, description="What the server's signatures are checked with.")


@blueprint.route("/.well-known/stele-keys.json")
@blueprint.refuses("store_unavailable")
@blueprint.response(200, KeysSchema)
def list_keys() -> Response:
    """Every key that signs heads here or ever did, the present one first."""
    return answer({"keys": context().keys.listed()})
