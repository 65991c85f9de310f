"""A server: its games, and what runs across them."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from types import TracebackType
from typing import Any, Literal, TypeVar

import msgspec

from stele_client._sync.game import BATCH, BatchItem, Game, Table, batch_item, table_of
from stele_client._sync.transport import Caller, Transport, TicketSource
from stele_client.calls import Call, change, decoded, get, members
from stele_client.errors import SteleError
from stele_client.models import (
    Audit,
    Batch,
    Clock,
    FeedEvent,
    GameRow,
    GameState,
    NewGame,
    Page,
    Player,
    PlayerRating,
    Result,
    Standing,
    Webhook,
)
from stele_client.retrying import Retries
from stele_client.sealing import Seal
from stele_client.signing import SigningKey, new_keys, with_keys

T = TypeVar("T")


class Stele:
    """A Stele server. `token` is a host's or an operator's; players need none here.

        with Stele("http://127.0.0.1:8000") as stele:
            table = stele.create("babel", [{"name": "Ann"}, {"bot": "greedy"}])

    `language` ("en", "fr") is that of the sentences in errors.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str | None = None,
        retries: Retries | None = None,
    ) -> None:
        self.url = url
        self._transport = Transport(url, language, retries or Retries())
        self._caller = Caller(token)

    def __enter__(self) -> "Stele":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._transport.close()

    def _fetch(self, call: Call, shape: type[T]) -> T:
        return self._transport.fetch(call, self._caller, shape)

    def _pages(self, path: str, shape: type[T], **query: Any) -> Iterator[T]:
        """The items of a list, page by page."""
        cursor: Any = None
        while True:
            call = get(path, limit=BATCH, cursor=cursor, **query)
            page = self._fetch(call, Page[shape])  # type: ignore[valid-type]  # a type at run time, too
            for item in page.items:
                yield item
            cursor = page.next
            if cursor is None:
                return

    # -- what can be played -------------------------------------------------------------------------------------------

    def rulesets(self) -> list[dict[str, Any]]:
        """The games that can be played."""
        return (self._fetch(get("/v1/rulesets"), Page[dict[str, Any]])).items

    def ruleset(self, name: str) -> dict[str, Any]:
        """All about one of them: options and actions as JSON Schema, components, words, layout."""
        return self._fetch(get(f"/v1/rulesets/{name}"), dict[str, Any])

    def guide(self, name: str, *, lang: Literal["en", "fr"] | None = None) -> dict[str, Any]:
        """The rules of one of them in short, as data."""
        return self._fetch(get(f"/v1/rulesets/{name}/guide", lang=lang), dict[str, Any])

    def lessons(self, name: str, *, lang: Literal["en", "fr"] | None = None) -> list[dict[str, Any]]:
        """Its lessons: `create` begins one by its id (`lesson`)."""
        call = get(f"/v1/rulesets/{name}/lessons", lang=lang)
        return (self._fetch(call, Page[dict[str, Any]])).items

    def example_board(
        self,
        name: str,
        *,
        lang: Literal["en", "fr"] | None = None,
        theme: Literal["light", "dark"] | None = None,
    ) -> str:
        """A board of it in the middle of a game, as an SVG."""
        call = get(f"/v1/rulesets/{name}/board.svg", lang=lang, theme=theme)
        return (self._transport.send(call, self._caller)).text

    # -- games --------------------------------------------------------------------------------------------------------

    def create(  # noqa: PLR0913  # as many as a new game can have
        self,
        ruleset: str,
        players: Sequence[Player] | None = None,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        private: bool | None = None,
        clock: Clock | None = None,
        tags: Sequence[str] | None = None,
        seed: str | None = None,
        position: Mapping[str, Any] | None = None,
        lesson: str | None = None,
        takebacks: bool | None = None,
        signed: bool = False,
        key: str | None = None,
    ) -> Table:
        """A new game. With every seat named it starts at once; free seats are for whoever joins.

        `signed` makes a key for each person named: their seats sign what they do (see `SigningKey`).
        """
        keys = new_keys(players or ()) if signed else {}
        body = members(
            ruleset=ruleset,
            players=None if players is None else with_keys(players, keys),
            seats=seats,
            options=options,
            private=private,
            clock=clock,
            tags=None if tags is None else list(tags),
            seed=seed,
            position=position,
            lesson=lesson,
            takebacks=takebacks,
        )
        state = self._fetch(change("/v1/games", body, key=key), GameState)
        return table_of(self._transport, state, self._caller, keys)

    def create_many(self, games: Sequence[NewGame]) -> list[BatchItem]:
        """Up to 200 new games at once (hosts, operators): if one would be refused, none is created.

        Sending the same games again completes what was cut short: their keys tell them apart.
        """
        call = Call("POST", "/v1/games/batch", body=msgspec.json.encode({"items": list(games)}), wait=60)
        items = (self._fetch(call, Batch)).items
        return [batch_item(self._transport, item, self._caller) for item in items]

    def game(
        self,
        game_id: str,
        token: str | None = None,
        *,
        join_code: str | None = None,
        tickets: TicketSource | None = None,
        seal: Seal | None = None,
        signing_key: SigningKey | None = None,
    ) -> Game:
        """A game as its seat sees it (`token`), an invited spectator (`join_code`), or who calls here."""
        caller = Caller(token or (None if join_code else self._caller.token), join_code, tickets)
        return Game(self._transport, game_id, caller, seal, signing_key)

    def join(  # noqa: PLR0913  # as many as a player can bring
        self,
        game_id: str,
        name: str,
        *,
        seat: int | None = None,
        join_code: str | None = None,
        ref: str | None = None,
        entropy: str | None = None,
        seal: Seal | None = None,
        signing_key: SigningKey | None = None,
        key: str | None = None,
    ) -> Game:
        """Sit down at a game, a private one by its code: the game as your seat sees it."""
        game = self.game(game_id, join_code=join_code)
        return game.sit(
            name, seat=seat, ref=ref, entropy=entropy, seal=seal, signing_key=signing_key, key=key
        )

    # -- lists --------------------------------------------------------------------------------------------------------

    def games(
        self,
        *,
        status: Literal["open", "playing", "ended"] | None = None,
        ruleset: str | None = None,
        host: str | None = None,
        tag: str | None = None,
        player: str | None = None,
        to_act: str | None = None,
    ) -> Iterator[GameRow]:
        """The lobby, newest first. `player` and `to_act` are refs."""
        query = {"status": status, "ruleset": ruleset, "host": host, "tag": tag}
        for row in self._pages("/v1/games", GameRow, player=player, to_act=to_act, **query):
            yield row

    def results(
        self,
        *,
        ruleset: str | None = None,
        host: str | None = None,
        tag: str | None = None,
        player: str | None = None,
    ) -> Iterator[Result]:
        """How settled games ended, newest first."""
        query = {"ruleset": ruleset, "host": host, "tag": tag, "player": player}
        for result in self._pages("/v1/results", Result, **query):
            yield result

    def standings(
        self, *, ruleset: str | None = None, host: str | None = None, tag: str | None = None
    ) -> Iterator[Standing]:
        """What players have achieved, most points first."""
        query = {"ruleset": ruleset, "host": host, "tag": tag}
        for standing in self._pages("/v1/standings", Standing, **query):
            yield standing

    def ratings(self, ruleset: str, *, host: str | None = None) -> Iterator[PlayerRating]:
        """How strong the players of a host are in a ruleset, best first."""
        for rating in self._pages("/v1/ratings", PlayerRating, ruleset=ruleset, host=host):
            yield rating

    def export(
        self,
        *,
        ruleset: str | None = None,
        tag: str | None = None,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
    ) -> Generator[bytes, None, None]:
        """The records of all settled games that you may see, latest first; `after` is the game of the last one you have.

        Moments are written like `2026-11-18T00:00:00Z`. Where the list breaks off it is taken up again.
        """
        call = get("/v1/export", ruleset=ruleset, tag=tag, since=since, until=until)
        with closing(self._transport.records(call, self._caller, after)) as records:
            for record in records:
                yield record

    # -- for hosts ----------------------------------------------------------------------------------------------------

    def feed(
        self, *, tag: str | None = None, types: Sequence[str] | None = None, after: str | None = None
    ) -> Generator[FeedEvent, None, None]:
        """What happens in all your games, live, from now or after a `cursor`; it has no end."""
        call = get("/v1/feed", tag=tag, types=None if types is None else list(types))
        with closing(self._transport.follow(call, self._caller, after)) as stream:
            for sent in stream:
                event = decoded(sent.data, FeedEvent)
                yield msgspec.structs.replace(event, cursor=sent.id or "")

    def add_webhook(
        self,
        url: str,
        *,
        types: Sequence[str] | None = None,
        tag: str | None = None,
        key: str | None = None,
    ) -> Webhook:
        """Have what happens sent to an address, signed with the `secret` of the answer."""
        body = members(url=url, types=None if types is None else list(types), tag=tag)
        return self._fetch(change("/v1/webhooks", body, key=key), Webhook)

    def webhooks(self) -> list[Webhook]:
        """Your webhooks, and how they fare."""
        return (self._fetch(get("/v1/webhooks"), Page[Webhook])).items

    def remove_webhook(self, webhook_id: str) -> None:
        """Have nothing more sent there. One that is gone already is fine."""
        try:
            self._transport.send(Call("DELETE", f"/v1/webhooks/{webhook_id}"), self._caller)
        except SteleError as error:
            if error.status != 404:
                raise

    def test_webhook(self, webhook_id: str) -> str:
        """Have an event of type `test` sent there: its id."""
        call = Call("POST", f"/v1/webhooks/{webhook_id}/test")
        return (self._fetch(call, dict[str, str]))["id"]

    # -- checking -----------------------------------------------------------------------------------------------------

    def audit_record(self, record: bytes, *, keep: bool = False) -> Audit:
        """The audit of a record from anywhere; an operator may have the server keep it."""
        call = Call("POST", "/v1/records", {"import": True if keep else None}, body=record, wait=60)
        return self._fetch(call, Audit)

    def oembed(
        self, url: str, *, max_width: int | None = None, max_height: int | None = None
    ) -> dict[str, Any]:
        """How another page shows the public game at this address of the server (oEmbed)."""
        return self._fetch(
            get("/v1/oembed", url=url, maxwidth=max_width, maxheight=max_height), dict[str, Any]
        )

    def push_key(self) -> str:
        """The key of the server with which a browser subscribes to its push messages (`applicationServerKey`)."""
        return (self._fetch(get("/v1/push-key"), dict[str, str]))["key"]

    def signing_keys(self) -> list[dict[str, Any]]:
        """The public keys with which the server's heads are checked."""
        return (self._fetch(get("/.well-known/stele-keys.json"), dict[str, list[dict[str, Any]]]))[
            "keys"
        ]

    def is_ready(self) -> bool:
        """Is the server up and able to serve? Asked once."""
        try:
            self._transport.send(get("/readyz"), self._caller, Retries(seconds=0))
        except SteleError:
            return False
        return True
