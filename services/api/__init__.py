"""The HTTP API: Flask at the edge, nothing but translation in its routes."""

from services.api.app import create_app
from services.api.context import Context

__all__ = ["Context", "create_app"]
