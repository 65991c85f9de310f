"""The OpenAPI document: what the routes say of themselves, completed by what games define, and made once a process.

Nothing of this happens at the time of any other request.
"""

from services.api.document.assembly import openapi_document
from services.api.document.rulesets import schemas_of

__all__ = ["openapi_document", "schemas_of"]
