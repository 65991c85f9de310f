"""Everything that a server answers about its games, to everyone; and how far another one's answers are the same.

Later versions may tell more: a member that was told must be told as it was, new ones may stand beside it. States, views
and entries are hashed or compared whole, so they must be the very same.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import httpx

from tests.system.stele import Stele

LINES = "application/x-ndjson"
LISTS = (
    "/v1/games",
    "/v1/games?status=open",
    "/v1/games?status=playing",
    "/v1/games?status=ended",
    "/v1/games?ruleset=aton",
    "/v1/games?player=ada",
    "/v1/results",
    "/v1/results?ruleset=babel",
    "/v1/results?player=ben",
    "/v1/games?host=club",
    "/v1/games?tag=cup-7",
    "/v1/games?to_act=ada",
    "/v1/results?tag=cup-7",
    "/v1/standings?tag=cup-7",
    "/v1/standings?host=club",
    "/v1/standings?ruleset=babel",
)
"""Those from `host=club` on came with 0.2.0: of 0.1.0 nothing is kept that they could be compared with."""
WHOLE = frozenset({"view", "event", "events", "options", "outcome", "origin", "clock"})
"""Members that must be the very same."""
PASSING = frozenset({"detail", "now"})
"""Members that may change if they were told: words for people may be put better, and time goes on."""


class House:
    """A running server with the games that it is asked about."""

    def __init__(self, server: Stele, house: Any) -> None:
        self.server = server
        self.games: dict[str, Any] = house["games"]
        self.hosts: dict[str, str] = house["hosts"]
        self.club = self.hosts["club"]
        self.operator: str = house["operator"]

    def send(self, method: str, path: str, token: str | None = None, body: Any = None, **headers: str) -> Any:
        """Ask, as whoever has that token. Header names are given with underscores."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        content = None if body is None else json.dumps(body).encode()
        if content:
            sent["Content-Type"] = "application/json"
        return self.server.http.request(method, self.server.url + path, content=content, headers=sent)

    def get(self, path: str, token: str | None = None) -> Any:
        answer = self.send("GET", path, token)
        return answer.json() if answer.is_success else problem(answer)

    def lines(self, path: str, token: str | None) -> list[Any]:
        answer = self.send("GET", path, token, Accept=LINES)
        lines = answer.text.splitlines()
        return [json.loads(line) for line in lines] if answer.is_success else [problem(answer)]

    def post(self, path: str, body: Any = None, token: str | None = None, key: str | None = None) -> Any:
        headers = {"Idempotency_Key": key} if key else {}
        return self.send("POST", path, token, body, **headers)

    # -- looking ----------------------------------------------------------------------------------------------------

    def look(self) -> Any:
        """All that is asked about the games."""
        return {name: self.look_at(game) for name, game in self.games.items()}

    def look_at(self, game: Any) -> Any:
        """A game as each of its seats, its host, an operator and a spectator see it, now and looking back."""
        path = f"/v1/games/{game['id']}"
        full = self.get(f"{path}?view=full", self.operator)
        seats = {f"seat {seat}": token for seat, token in game["tokens"].items()}
        viewers = {"spectator": None, "host": self.club, "operator": self.operator, **seats}
        found = {
            "full": full,
            "head": self.head(game),
            "shown": {viewer: self.get(path, token) for viewer, token in viewers.items()},
            "actions": {viewer: self.actions(path, token) for viewer, token in seats.items()},
        }
        if full["settled"]:
            return found | self.look_at_settled(path, len(full["seats"]))
        watching = seats if full["private"] else {"spectator": None, **seats}
        return found | {
            "events": {viewer: self.events(path, token) for viewer, token in watching.items()},
            "frames": {viewer: self.frames(path, token) for viewer, token in watching.items()},
        }

    def look_at_settled(self, path: str, seats: int) -> Any:
        """What opens with the settlement."""
        eyes = ["spectator", *map(str, range(seats))]
        return {
            "audit": self.get(f"{path}/audit", self.operator),
            "record": digest(self.get(f"{path}/record", self.operator)),
            "forks": self.get(f"{path}/forks", self.operator),
            "events": self.events(path, self.operator),
            "open frames": self.frames(path, self.operator),
            "frames": {viewer: self.frames(path, self.operator, f"?as={viewer}") for viewer in eyes},
        }

    def head(self, game: Any) -> Any:
        return self.get(f"/v1/games/{game['id']}/head", self.operator)

    def actions(self, path: str, token: str | None) -> Any:
        told = self.get(f"{path}/actions", token)
        return sorted(map(canonical, told["actions"])) if "actions" in told else told

    def events(self, path: str, token: str | None) -> list[str]:
        return [digest(event) for event in self.lines(f"{path}/events", token)]

    def frames(self, path: str, token: str | None, query: str = "") -> Any:
        """The whole replay, and single moments of it, which the server finds by its keyframes."""
        frames = self.lines(f"{path}/replay{query}", token)
        moments = {1, len(frames) // 2, 65, len(frames)} & {*range(1, len(frames) + 1)}
        single = {str(at): self.get(f"{path}/replay/{at}{query}", token) for at in sorted(moments)}
        return {
            "all": [frame_digest(frame) for frame in frames],
            "single": {at: frame_digest(frame) for at, frame in single.items()},
        }

    def lists(self) -> Any:
        """All pages of the lists."""
        return {path: self.all_pages(path) for path in LISTS}

    def webhooks(self) -> Any:
        """What hosts are told of their webhooks, without their fortunes."""
        return {
            token: [
                {name: row[name] for name in ("id", "url", "types", "tag", "host")}
                for row in self.get("/v1/webhooks", token)["items"]
            ]
            for token in (*self.hosts.values(), self.operator)
        }

    def reviews(self) -> Any:
        """The review of every game, or that there is none."""
        games = self.games.items()
        return {name: self.get(f"/v1/games/{game['id']}/review", self.operator) for name, game in games}

    def all_pages(self, path: str) -> list[Any]:
        found: list[Any] = []
        cursor = ""
        while True:
            page = self.get(f"{path}{'&' if '?' in path else '?'}limit=100{cursor}")
            found += page["items"]
            if page["next"] is None:
                return found
            cursor = f"&cursor={page['next']}"


def problem(answer: httpx.Response) -> Any:
    return {"status": answer.status_code, "code": answer.json()["code"]}


def frame_digest(frame: Any) -> str:
    return digest({name: frame.get(name) for name in ("version", "event", "view")})


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:16]


# -- comparing ----------------------------------------------------------------------------------------------------------


def differences(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """Where an answer does not say what it said before; members that have come since are no difference."""
    if isinstance(before, dict) and isinstance(now, dict) and where.rpartition("/")[2] not in WHOLE:
        for name, value in before.items():
            if name not in now:
                yield f"{where}/{name} is gone"
            elif name not in PASSING or value is None:
                yield from differences(value, now[name], f"{where}/{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for place, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from differences(old, new, f"{where}/{place}")
    elif before != now:
        yield f"{where} was {str(before)[:200]}, is {str(now)[:200]}"
