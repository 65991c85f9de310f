"""Games to look at: golden records, which an operator brings in."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.golden.records import HERE
from tests.system.stele import Stele

OPERATOR = "token-of-an-operator-of-the-page"


def golden_file(name: str) -> Path:
    """A golden record, by game and name: `babel/fork`."""
    return HERE / f"{name}.json"


@cache
def bring_in(stele: Stele, name: str) -> Any:
    """The game of a golden record, on this server."""
    source = golden_file(name).read_bytes()
    headers = {"Authorization": f"Bearer {OPERATOR}", "Content-Type": "application/json"}
    answer = stele.http.post(f"{stele.url}/v1/records?import=true", content=source, headers=headers)
    assert answer.status_code == 200, answer.text
    game = json.loads(source)["game"]
    return stele.http.get(f"{stele.url}/v1/games/{game}").raise_for_status().json()
