"""The examples of the document: every one is sent, to a server with games for all of them, and is accepted."""

from typing import Any

import pytest

from services.api.document.operations import EXAMPLE_GAME_ID, OPERATIONS, WEBHOOK
from tests.api.client import CLUB, OPERATOR, Answer, Api, Table, new_game
from tests.api.conftest import MakeApi
from tests.api.test_docs import operations

SEED = f"{1:064x}"
"""With which the examples' actions are legal."""
SETTLED = (
    "fork_game",
    "list_forks",
    "show_record",
    "show_audit",
    "begin_review",
    "show_review",
    "drop_review",
    "ask_for_rematch",
)
ON_THE_CLOCK = ("add_time", "pause", "resume")
NOT_PLAIN = {"open_socket": 426, "show_checkpoint": 404, "show_tile": 404}
"""What is answered where there is no WebSocket, and no transparency log: `tests/transparency` has one."""
BY_OPERATOR = (
    "create_games",
    "add_time",
    "pause",
    "resume",
    "renew_token",
    "abort_game",
    "adjudicate",
    "show_feed",
    "add_webhook",
    "list_webhooks",
)


class Stage:
    """A server with a game for every example."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.playing = new_game(api, "babel", seed=SEED)
        self.settled = new_game(api, "babel", seed=SEED)
        self.settled.post("/resignation", token=self.settled.token(0))
        self.settled.settle()
        self.open = new_game(api, "babel", 0, seats=2)
        self.clocked = new_game(api, "babel", clock={"total_seconds": 600, "increment_seconds": 5})
        against_a_bot = [{"name": "Ada"}, {"bot": "greedy"}]
        self.alone = new_game(api, "babel", against_a_bot, options={"begins": 0})
        self.seated: dict[int, str] = {}
        hook = {"url": "https://club.example/other"}
        self.webhook = str(api.post("/v1/webhooks", hook, OPERATOR).json["id"])

    def game_for(self, name: str) -> Table:
        """The game that an operation is shown on."""
        if name in SETTLED:
            return self.settled
        if name in ("take_seat", "open_seal"):
            return self.open
        if name in ("ask_for_hint", "show_hint"):
            return self.alone
        if name in ON_THE_CLOCK:
            return self.clocked
        if name == "leave_seat":
            return new_game(self.api, "temple_of_five", ["Ada", "Ben"], seats=3)
        if name in ("abort_game", "adjudicate", "renew_token", "resign", "hand_over", "take_over"):
            return new_game(self.api, "babel")
        return self.playing

    def token_for(self, name: str, game: Table) -> str | None:
        """Who shows it."""
        if name in BY_OPERATOR or "webhook" in name:
            return OPERATOR
        if name == "open_seal":
            return self.seated[1]
        return game.token(0) if game.tokens else None

    def send(self, name: str, method: str, path: str, query: dict[str, Any], body: Any) -> Answer:
        game = self.game_for(name)
        text = "&".join(f"{key}={value}" for key, value in query.items())
        token = game.token(1) if name == "leave_seat" else self.token_for(name, game)
        full = f"{path}?{text}" if text else path
        full = full.replace(EXAMPLE_GAME_ID, game.id).replace(WEBHOOK, self.webhook)
        if name.endswith("_notifications"):
            full = full.replace("/seats/1/", "/seats/0/")
        if name in ("hand_over", "take_over"):
            full = full.replace("/seats/1/", "/seats/0/")
            token, body = self.handing_over(name, game, body)
        if method == "put":
            answer = self.api.put(full, body, token)
        elif method == "post" and body is not None:
            answer = self.api.post(full, body, CLUB if name == "create_game" else token)
        else:
            answer = self.api.send(method.upper(), full, None, token)
        if name == "take_seat" and answer.status == 201:
            self.seated[answer.json["seat"]] = answer.json["token"]
        return answer

    def handing_over(self, name: str, game: Table, body: Any) -> tuple[str | None, Any]:
        """The host names somebody; the seat hands out a code, by which somebody takes it over."""
        if name == "hand_over":
            return (OPERATOR if body else game.token(0)), body
        return None, {**body, "code": game.post("/seats/0/handover", {}, game.token(0)).json["code"]}


@pytest.fixture
def stage(make_api: MakeApi) -> Stage:
    """Under the public address that the example of oEmbed names."""
    return Stage(make_api(public_url="https://club.example"))


def filled(path: str, item: Any) -> str:
    """A path with the examples of its parameters."""
    for parameter in item.get("parameters", ()):
        path = path.replace(f"{{{parameter['name']}}}", str(parameter["example"]))
    return path


def bodies_of(operation: Any) -> list[Any]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = [example["value"] for example in content.get("examples", {}).values()]
    assert examples or not content, f"{operation['operationId']} shows no body"
    return examples or [None]


def test_every_example_is_accepted(stage: Stage) -> None:
    document = stage.api.get("/openapi.json").json
    order = list(OPERATIONS)
    every = sorted(operations(document), key=lambda each: place(order, each[2]["operationId"]))
    for method, path, operation in every:
        name = operation["operationId"]
        query = {each["name"]: each["example"] for each in operation["parameters"] if "example" in each}
        for body in bodies_of(operation):
            address = filled(path, document["paths"][path])
            answer = stage.send(name, method, address, query, body)
            if name in NOT_PLAIN:
                assert answer.status == NOT_PLAIN[name]
            else:
                assert 200 <= answer.status < 300, f"{name}: {answer!r}"


def place(order: list[str], name: str) -> int:
    """What removes something is shown last."""
    return order.index(name) + 1000 * name.startswith(("remove", "drop")) if name in order else 0
