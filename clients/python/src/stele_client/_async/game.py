"""One game, as one caller sees it and plays it."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from stele_client._async.line import REWOUND
from stele_client._async.transport import AsyncCaller, AsyncTransport
from stele_client._async.turns import AsyncTurn, turn_of
from stele_client.calls import Call, change, decoded, get, members
from stele_client.errors import SteleError
from stele_client.models import (
    Acted,
    Action,
    Audit,
    Check,
    CreatedGame,
    Event,
    Fork,
    Frame,
    GameState,
    HandoverCode,
    Head,
    Hint,
    JoinedRematch,
    Left,
    LegalActions,
    Page,
    Player,
    Rematch,
    ReplayFrame,
    Review,
    Seated,
    Situation,
    Ticket,
)
from stele_client.sealing import Seal
from stele_client.signing import Signer, SigningKey, before_latest_action, public_key_of, signer_of

T = TypeVar("T")
Viewer = int | Literal["spectator"]
BATCH = 200
"""Items that are asked for at once, where there are many."""
SIGNATURE = "Stele-Signature"
SIGNED_ANEW = 8
"""How often something is signed anew, because the game has gone on since the seat looked."""


class AsyncGame:
    """A game, and who looks at it: a seat, a spectator, a host. Making one asks the server nothing.

    Every request that changes something has an Idempotency-Key, a new one unless `key` is given, so that it is carried
    out once however often it must be sent.
    """

    def __init__(
        self,
        transport: AsyncTransport,
        game_id: str,
        caller: AsyncCaller,
        seal: Seal | None = None,
        signing_key: SigningKey | None = None,
    ) -> None:
        self.id = game_id
        self.seal = seal
        """What this seat has sealed, if it has: `my_turns` opens it when it is time."""
        self.signing_key = signing_key
        """What this seat signs with, if it has a key; keep its `secret` beside the token."""
        self._signer = signer_of(game_id, caller.token, signing_key)
        self._transport = transport
        self._caller = caller
        self._path = f"/v1/games/{game_id}"

    @property
    def token(self) -> str | None:
        """What lets this caller in; keep a seat's token, it is the only proof of the seat."""
        return self._caller.token

    @property
    def join_code(self) -> str | None:
        return self._caller.join_code

    async def _fetch(self, call: Call, shape: type[T]) -> T:
        answer = await self._transport.fetch(call, self._caller, shape)
        if self._signer:
            self._signer.see(answer)
        return answer

    # -- looking ------------------------------------------------------------------------------------------------------

    async def look(
        self, *, after: int | None = None, wait: int | None = None, full: bool = False, actions: bool = False
    ) -> GameState:
        """The game as you may see it; with `after` and `wait` as soon as its version exceeds `after`.

        `actions` adds what you may do; `full` asks for the whole state, which opens when the game is settled.
        """
        query = {"after": after, "wait": wait, "view": "full" if full else None, "include": included(actions)}
        return await self._fetch(Call("GET", self._path, query, wait=wait or 0), GameState)

    async def actions(self) -> LegalActions:
        """What you may do now."""
        return await self._fetch(get(f"{self._path}/actions"), LegalActions)

    async def head(self) -> Head:
        """Where the log ends."""
        return await self._fetch(get(f"{self._path}/head"), Head)

    async def board(
        self,
        version: int | None = None,
        *,
        as_: Viewer | None = None,
        lang: str | None = None,
        theme: Literal["light", "dark"] | None = None,
    ) -> str:
        """The board as an SVG: now, or as it stood after an entry."""
        place = "" if version is None else f"/replay/{version}"
        call = get(f"{self._path}{place}/board.svg", lang=lang, theme=theme).with_query(**{"as": as_})
        return (await self._transport.send(call, self._caller)).text

    async def picture(
        self,
        version: int | None = None,
        *,
        as_: Viewer | None = None,
        lang: str | None = None,
        theme: Literal["light", "dark"] | None = None,
        width: int | None = None,
        card: bool = False,
    ) -> bytes:
        """The board as a PNG, so many pixels wide; `card` is what previews of links show."""
        place = "" if version is None else f"/replay/{version}"
        call = get(f"{self._path}{place}/board.png", lang=lang, theme=theme, width=width, card=card or None)
        return (await self._transport.send(call.with_query(**{"as": as_}), self._caller)).content

    async def ticket(self) -> str:
        """A read-only pass for ten minutes, for where no token can be sent (`?ticket=`)."""
        return (await self._fetch(Call("POST", f"{self._path}/tickets"), Ticket)).ticket

    def read_only(self) -> "AsyncGame":
        """The same game for who may see what you see, and nothing more: by tickets, renewed when they expire."""
        return AsyncGame(self._transport, self.id, AsyncCaller(tickets=self.ticket))

    # -- acting -------------------------------------------------------------------------------------------------------

    async def act(
        self,
        action: Action,
        *,
        decision: int | None = None,
        version: int | None = None,
        actions: bool = False,
        key: str | None = None,
    ) -> Acted:
        """Do something. With `decision` or `version` it is refused if that is not the present one."""
        return await self._act(self._acting(action, decision, version, actions, key), [action], decision)

    async def act_in_order(
        self,
        several: Sequence[Action],
        *,
        decision: int | None = None,
        version: int | None = None,
        actions: bool = False,
        key: str | None = None,
    ) -> Acted:
        """Do up to 32 things in order, up to the first that is refused: what was accepted stands."""
        call = self._acting(list(several), decision, version, actions, key)
        return await self._act(call, several, decision)

    def _acting(
        self, body: Any, decision: int | None, version: int | None, actions: bool, key: str | None
    ) -> Call:
        call = change(f"{self._path}/actions", body, key=key, decision=decision, include=included(actions))
        return at_version(call, version)

    async def _act(self, call: Call, actions: Sequence[Action], decision: int | None) -> Acted:
        """Act; a seat with a key signs, and so names the decision that it has."""
        if self._signer is None:
            return await self._fetch(call, Acted)
        try:
            return await self._fetch(await self._signed(self._signer, call, actions, decision), Acted)
        except SteleError as error:
            if error.code != "decision_passed" or decision is not None:
                raise
        await self.look()
        return await self._fetch(await self._signed(self._signer, call, actions, decision), Acted)

    async def _signed(
        self, signer: Signer, call: Call, actions: Sequence[Action], decision: int | None
    ) -> Call:
        if signer.decision is None or decision not in (None, signer.decision):
            await self.look()
        named = signer.decision if decision is None else decision
        signatures = {SIGNATURE: signer.sign_actions(actions)}
        return call.with_query(decision=named).with_headers(**signatures)

    async def _signed_at_head(
        self, signer: Signer, call: Call, sign: Callable[[], str], version: int | None
    ) -> Acted:
        """Send what is signed over the latest entry: if the game goes on meanwhile, it is signed anew."""
        for last in (*[False] * SIGNED_ANEW, True):
            await self.look()
            signed = at_version(call, signer.version if version is None else version)
            try:
                return await self._fetch(signed.with_headers(**{SIGNATURE: sign()}), Acted)
            except SteleError as error:
                if error.code != "version_conflict" or version is not None or last:
                    raise
        raise AssertionError("the last attempt raises")

    async def check(
        self, action: Action, *, decision: int | None = None, version: int | None = None
    ) -> Check:
        """Would this action be accepted now? Nothing changes by asking."""
        body = msgspec.json.encode(action)
        call = Call("POST", f"{self._path}/actions/check", {"decision": decision}, body=body)
        return await self._fetch(at_version(call, version), Check)

    async def resign(self, *, key: str | None = None) -> Acted:
        """Give up."""
        call = change(f"{self._path}/resignation", key=key)
        if self._signer is None:
            return await self._fetch(call, Acted)
        return await self._signed_at_head(self._signer, call, self._signer.sign_resignation, None)

    # -- at the table -------------------------------------------------------------------------------------------------

    async def take_back(
        self, to: int | None = None, *, version: int | None = None, key: str | None = None
    ) -> Acted:
        """Take back your latest actions, as far as `takeback` of the game says; the latest one, if `to` is left out."""
        signer = self._signer
        if signer and to is None and (lowest := (await self.look()).takeback) is not None:
            to = before_latest_action(lowest, [event async for event in self.events(lowest)])
        call = change(f"{self._path}/takebacks", members(to=to), key=key)
        if signer is None or to is None:
            return await self._fetch(at_version(call, version), Acted)
        return await self._signed_at_head(signer, call, partial(signer.sign_takeback, to), version)

    async def pause(self, *, key: str | None = None) -> Situation:
        """Ask for a pause or agree to one; the host, or an operator, pauses alone."""
        return await self._fetch(change(f"{self._path}/pause", key=key), Situation)

    async def resume(self, *, key: str | None = None) -> Acted:
        """End a pause."""
        return await self._fetch(change(f"{self._path}/resume", key=key), Acted)

    async def add_time(self, seat: int, seconds: int, *, key: str | None = None) -> Acted:
        """Give a seat more time (the game's host, an operator)."""
        return await self._fetch(
            change(f"{self._path}/seats/{seat}/time", {"seconds": seconds}, key=key), Acted
        )

    async def hand_over(
        self,
        seat: int,
        name: str,
        *,
        ref: str | None = None,
        public_key: str | None = None,
        key: str | None = None,
    ) -> "AsyncGame":
        """Let another person take over a seat (the game's host, an operator): the game as that seat sees it."""
        body = members(name=name, ref=ref, public_key=public_key)
        call = change(f"{self._path}/seats/{seat}/handover", body, key=key)
        return self._as(await self._fetch(call, dict[str, str]))

    async def handover_code(self) -> HandoverCode:
        """A code by which another person, or another device of yours, takes over your seat within ten minutes."""
        path = f"{self._path}/seats/{await self.my_seat()}/handover"
        return await self._fetch(Call("POST", path, body=b"{}"), HandoverCode)

    async def take_over(
        self,
        seat: int,
        code: str,
        name: str | None = None,
        *,
        signing_key: SigningKey | None = None,
        key: str | None = None,
    ) -> "AsyncGame":
        """Take over a seat by its code; without a name, as the same person on another device, with the same key."""
        body = members(code=code, name=name, public_key=public_key_of(signing_key) if name else None)
        call = change(f"{self._path}/seats/{seat}/takeover", body, key=key)
        return self._as(await self._fetch(call, dict[str, str]), signing_key)

    async def rematch(
        self,
        *,
        entropy: str | None = None,
        seal: Seal | None = None,
        signing_key: SigningKey | None = None,
        key: str | None = None,
    ) -> "AsyncTable":
        """Play again with the same people: the next game, as your seat there sees it. A host asks for everybody."""
        commitment = seal.commitment if seal else None
        public_key = public_key_of(signing_key)
        body = members(entropy=entropy, entropy_commitment=commitment, public_key=public_key)
        joined = await self._fetch(change(f"{self._path}/rematch", body, key=key), JoinedRematch)
        if joined.seat is None:
            return table_of(self._transport, joined.game, self._caller)
        mine = AsyncGame(self._transport, joined.game.id, AsyncCaller(joined.token), seal, signing_key)
        return AsyncTable(mine, {joined.seat: mine}, joined.game)

    async def rematch_status(self, *, wait: int | None = None) -> Rematch:
        """Whether somebody has asked for a rematch; with `wait` as soon as somebody has."""
        return await self._fetch(
            Call("GET", f"{self._path}/rematch", {"wait": wait}, wait=wait or 0), Rematch
        )

    # -- seats --------------------------------------------------------------------------------------------------------

    async def sit(  # noqa: PLR0913  # as many as a player can bring
        self,
        name: str | None = None,
        *,
        seat: int | None = None,
        bot: str | None = None,
        ref: str | None = None,
        entropy: str | None = None,
        seal: Seal | None = None,
        signing_key: SigningKey | None = None,
        key: str | None = None,
    ) -> "AsyncGame":
        """Take a seat, or seat a bot: the game as that seat sees it (as you do, for a bot's)."""
        body = members(
            name=name,
            seat=seat,
            bot=bot,
            ref=ref,
            entropy=entropy,
            entropy_commitment=seal.commitment if seal else None,
            join_code=None if self.token else self.join_code,
            public_key=public_key_of(signing_key),
        )
        seated = await self._fetch(change(f"{self._path}/seats", body, key=key), Seated)
        if seated.token is None:
            return self
        return AsyncGame(self._transport, self.id, AsyncCaller(seated.token), seal, signing_key)

    async def leave(self, seat: int | None = None, *, key: str | None = None) -> Left:
        """Give up a seat while the game is open: your own, or (its host) another's."""
        number = await self.my_seat() if seat is None else seat
        return await self._fetch(change(f"{self._path}/seats/{number}", method="DELETE", key=key), Left)

    async def open_seal(self, *, key: str | None = None) -> Seated:
        """Open what was sealed when sitting down, once the game is `sealing`."""
        if self.seal is None:
            raise ValueError("This seat has sealed nothing.")
        body = {"entropy": self.seal.entropy.hex()}
        return await self._fetch(
            change(f"{self._path}/seats/{await self.my_seat()}/entropy", body, key=key), Seated
        )

    async def renew_token(self, seat: int, *, key: str | None = None) -> "AsyncGame":
        """Replace a seat's lost token (hosts, operators): the game as that seat sees it."""
        renewed = await self._fetch(change(f"{self._path}/seats/{seat}/token", key=key), dict[str, str])
        return self._as(renewed)

    def _as(self, renewed: dict[str, str], signing_key: SigningKey | None = None) -> "AsyncGame":
        return AsyncGame(self._transport, self.id, AsyncCaller(renewed["token"]), signing_key=signing_key)

    async def my_seat(self) -> int:
        """The seat of this caller's token."""
        seat = (await self.look()).you
        if seat is None:
            raise ValueError("This caller has no seat.")
        return seat

    # -- ending from outside ------------------------------------------------------------------------------------------

    async def abort(self, *, key: str | None = None) -> GameState:
        """Call the game off: its host or creator before the start, an operator at any time."""
        return await self._fetch(change(f"{self._path}/abort", key=key), GameState)

    async def adjudicate(self, winners: Sequence[int], why: str, *, key: str | None = None) -> GameState:
        """End a running game by saying who has won (its host, an operator)."""
        body = {"winners": list(winners), "why": why}
        return await self._fetch(change(f"{self._path}/adjudication", body, key=key), GameState)

    # -- following ----------------------------------------------------------------------------------------------------

    async def events(self, after: int = 0) -> AsyncIterator[Event]:
        """The log so far, after entry `after`."""
        place: Any = after
        while place is not None:
            page = await self._fetch(get(f"{self._path}/events", after=place, limit=BATCH), Page[Event])
            for event in page.items:
                yield event
            place = page.next

    async def follow(self, after: int = 0) -> AsyncGenerator[Event, None]:
        """The log after entry `after`, live and without a gap, until the game is settled.

        Should a server lose entries that it has told, which takes a failover without copies, this ends with the error
        `rewound`: begin anew.
        """
        async with aclosing(self._stream(get(f"{self._path}/events"), str(after), Event)) as events:
            async for event in events:
                if event is None:
                    raise SteleError(REWOUND, "The server has lost the latest entries of this game.")
                yield event
                if event.type == "game_settled":
                    return

    async def frames(self, after: int | None = None, *, actions: bool = False) -> AsyncGenerator[Frame, None]:
        """The game live, as it stands now and after each entry to come, until it is settled.

        What is missed while the connection is away comes later, up to 64 versions; of more, only the latest.
        """
        async with aclosing(self._frames(after, actions)) as frames:
            async for frame in frames:
                if frame:
                    yield frame

    async def _frames(self, after: int | None, actions: bool) -> AsyncGenerator[Frame | None, None]:
        """The frames; None where the game was rewound, and the next one tells how it stands now."""
        call = get(f"{self._path}/events", frames=True, include=included(actions))
        async with aclosing(self._stream(call, None if after is None else str(after), Frame)) as frames:
            async for frame in frames:
                yield frame
                if frame and frame.event.type == "game_settled":
                    return

    async def _stream(self, call: Call, after: str | None, shape: type[T]) -> AsyncGenerator[T | None, None]:
        """What a stream tells, in its shape; None where it says that all before does not hold."""
        began = False
        try:
            async with aclosing(self._transport.follow(call, self._caller, after)) as stream:
                async for sent in stream:
                    began = True
                    told = None if sent.kind == REWOUND else decoded(sent.data, shape)
                    if self._signer:
                        self._signer.see(told)
                    yield told
        except SteleError as error:
            if not (began and self.join_code and error.code == "game_not_found"):
                raise  # else it is settled, and private: guests have seen what there was for them

    async def my_turns(self) -> AsyncGenerator[AsyncTurn, None]:
        """Each time it is this seat's turn: what it sees and may do. Ends when the game is over.

        Opens the seat's seal when it is time. A turn that was left without playing is not offered again.
        """
        seat = await self.my_seat()
        offered = version = 0
        async with aclosing(self._frames(None, actions=True)) as frames:
            async for frame in frames:
                if frame is None:
                    offered = version = 0
                    continue
                if frame.version <= version:
                    continue
                if frame.status == "sealing" and self.seal:
                    await self._open_once()
                stands: Situation = frame
                while turn := turn_of(self, stands, seat, offered):
                    offered = turn.decision
                    yield turn
                    if turn.answer is None:
                        break
                    stands, version = turn.answer, turn.answer.version
                if stands.is_over:
                    return

    async def _open_once(self) -> None:
        """Open the seal; that it is open already, or that the game has moved on, is fine."""
        try:
            await self.open_seal(key=f"open-{self.id}")
        except SteleError as error:
            if error.code != "not_sealing":
                raise

    # -- the past -----------------------------------------------------------------------------------------------------

    async def replay(
        self, first: int = 1, last: int | None = None, *, as_: Viewer | None = None, actions: bool = False
    ) -> AsyncIterator[ReplayFrame]:
        """The game as it stood after each entry; once settled all open, or as someone saw it then."""
        place: Any = first
        while place is not None:
            call = get(f"{self._path}/replay", to=last, limit=BATCH, include=included(actions))
            page = await self._fetch(call.with_query(**{"from": place, "as": as_}), Page[ReplayFrame])
            for frame in page.items:
                yield frame
            place = page.next

    async def frame(self, version: int, *, as_: Viewer | None = None, actions: bool = False) -> ReplayFrame:
        """The game as it stood after one entry."""
        call = get(f"{self._path}/replay/{version}", include=included(actions)).with_query(**{"as": as_})
        return await self._fetch(call, ReplayFrame)

    async def record(self) -> bytes:
        """The portable record of a settled game, to be kept and checked anywhere."""
        return (await self._transport.send(get(f"{self._path}/record"), self._caller)).content

    async def audit(self) -> Audit:
        """The audit of a settled game."""
        return await self._fetch(get(f"{self._path}/audit"), Audit)

    async def proof(self) -> dict[str, Any]:
        """Where the server's transparency log holds the beginning and the end of the game, with what proves it."""
        return await self._fetch(get(f"{self._path}/proof"), dict[str, Any])

    async def review(self) -> Review:
        """The review of a settled game, or how far it is; `no_review` if none was begun."""
        return await self._fetch(get(f"{self._path}/review"), Review)

    async def begin_review(self) -> Review:
        """Have a settled game reviewed; for its seats, its host and operators. How far it is."""
        return await self._fetch(change(f"{self._path}/review"), Review)

    async def drop_review(self) -> None:
        """Stop a review that is being made, or drop one that is there."""
        await self._transport.send(change(f"{self._path}/review", method="DELETE"), self._caller)

    async def hint(self, *, lang: Literal["en", "fr"] | None = None) -> Hint:
        """A good move for your seat as the game stands, or that it is being made; `no_hint` if none was asked for."""
        return await self._fetch(get(f"{self._path}/hint", lang=lang), Hint)

    async def ask_for_hint(self) -> Hint:
        """Have a good move found, where bots sit at all other seats: `hint` has it a moment later."""
        return await self._fetch(change(f"{self._path}/hint"), Hint)

    async def notify(self, push: Mapping[str, Any], *, after_seconds: int | None = None) -> None:
        """Have your seat told by Web Push: `push` is a browser's PushSubscription. Once in each turn, and at the end."""
        wanted = members(push=push, after_seconds=after_seconds)
        await self._transport.send(change(await self._notifications(), wanted, method="PUT"), self._caller)

    async def stop_notifying(self) -> None:
        """Have your seat told nothing more."""
        await self._transport.send(change(await self._notifications(), method="DELETE"), self._caller)

    async def _notifications(self) -> str:
        return f"{self._path}/seats/{await self.my_seat()}/notifications"

    async def forks(self) -> list[Fork]:
        """The games that began from positions of this one."""
        return (await self._fetch(get(f"{self._path}/forks"), Page[Fork])).items

    async def fork(
        self,
        version: int,
        players: Sequence[Player] | None = None,
        *,
        private: bool | None = None,
        redeal: Literal["none", "piles"] | None = None,
        key: str | None = None,
    ) -> "AsyncTable":
        """A new game from a position of this one, which is settled; `piles` deals anew what no seat had seen."""
        named = None if players is None else list(players)
        body = members(version=version, players=named, private=private, redeal=redeal)
        state = await self._fetch(change(f"{self._path}/forks", body, key=key), GameState)
        return table_of(self._transport, state, self._caller)


class AsyncTable(NamedTuple):
    """A new game: as its creator sees it, and for each player named its seat."""

    game: AsyncGame
    players: Mapping[int, AsyncGame]
    state: GameState


def table_of(
    transport: AsyncTransport,
    state: GameState,
    creator: AsyncCaller,
    keys: Mapping[int, SigningKey] = MappingProxyType({}),
) -> AsyncTable:
    """The table of a game that was just created; `keys` are those of the seats that sign."""
    caller = AsyncCaller(creator.token, state.join_code)
    players = {
        seat.seat: AsyncGame(transport, state.id, AsyncCaller(seat.token), signing_key=keys.get(seat.seat))
        for seat in state.seats
        if seat.token
    }
    return AsyncTable(AsyncGame(transport, state.id, caller), players, state)


class AsyncBatchItem(NamedTuple):
    """One of many new games: as its creator sees it, and for each player named its seat."""

    game: AsyncGame
    players: Mapping[int, AsyncGame]


def batch_item(transport: AsyncTransport, item: CreatedGame, creator: AsyncCaller) -> AsyncBatchItem:
    """One of many games that were just created."""
    players = {seat.seat: AsyncGame(transport, item.id, AsyncCaller(seat.token)) for seat in item.seats}
    return AsyncBatchItem(AsyncGame(transport, item.id, creator), players)


def at_version(call: Call, version: int | None) -> Call:
    """The request, refused unless the game is at this version."""
    return call if version is None else call.with_headers(**{"If-Match": f'"{version}"'})


def included(actions: bool) -> str | None:
    return "actions" if actions else None
