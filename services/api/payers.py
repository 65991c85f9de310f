"""Who pays for expensive work: a host for all that it asks for, the operators, else an address."""

from services.api.authentication import ANYONE
from services.api.context import Context
from services.core.ledger import Denied
from services.http.messages import Request


def payer_of(context: Context, request: Request) -> str:
    """Who is counted as one caller. A seat counts as its address: whoever has many seats is one caller all the same."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        try:
            caller = context.authenticator.identify(token.strip())
        except Denied:  # a seat's token, or none that we know
            caller = ANYONE
        if caller is not ANYONE:
            return caller.name
    return context.limits.address(request)
