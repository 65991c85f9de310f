"""The HTTP API: routes that read a request, make one call, and answer."""

from services.api.app import create_app
from services.api.context import Context

__all__ = ["Context", "create_app"]
