"""`python -m services.api.document FILE` writes the OpenAPI document of the games of the house."""

import sys
from pathlib import Path

import msgspec

from games import RULESETS
from services.api.document import openapi_document

if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(msgspec.json.format(openapi_document(RULESETS)) + b"\n")
