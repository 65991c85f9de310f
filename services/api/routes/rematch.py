"""Rematch: the players of a game that is over meet in the next one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from events import rematch
from events.batch import EntryBatch, IdempotencyKey
from events.commands import ANONYMOUS_ACTOR, Sitter, create, start_if_ready
from events.entries import GameCreated, SeatTaken
from events.game import Game
from events.keys import game_id as new_game_id
from games.kernel import Refusal
from projections.list_query import giver_of
from services.api.authentication import Caller, SeatCaller, authorize, denied
from services.api.command_handling import CommandResult, handle_command
from services.api.context import context
from services.api.game_creation import append_new_game, call_off_unjoined, people_then, sitter_of
from services.api.parameters import IDEMPOTENCY_KEY, MAX_WAIT, READER, WAIT
from services.api.requests import (
    idempotency,
    identify_or_hide,
    integer_parameter,
    json_body,
    json_of,
    visit,
)
from services.api.responses import game_body, json_response, name_of
from services.api.returns import ABOUT_A_GAME, BODY, REPLAYED_HEADER, RETRIED
from services.api.schemas.requests import RematchRequestSchema
from services.api.table import TABLE
from services.bodies.games import JoinedRematchBody, RematchBody
from services.core.ledger import Dossier, GameNotFound, KeyReused, new_seed
from services.http.messages import LongPoll, Response, this_request
from services.http.routing import Returns

route = TABLE.section("table")


@route(
    "POST",
    "/v1/games/<game_id>/rematch",
    runs_in="loop",
    body=json_of(RematchRequestSchema),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(JoinedRematchBody, headers=REPLAYED_HEADER)},
    errors=(*ABOUT_A_GAME, *BODY, *RETRIED, "forbidden", "game_over", "no_rematch", "seat_is_bot"),
)
def ask_for_rematch(wanted: dict[str, Any], game_id: str) -> Response:
    """Play again: the first player to ask creates the next game of the same table, the others join it.

    Everybody sits one seat further on. A repeated request gives the same game, seat and token. A host asks for all seats
    at once.
    """
    caller = identify_or_hide(game_id)
    before = context().ledger.get(game_id)
    check_may_ask(caller, before.game, wanted)
    rematch.check_rematch(before.game, by_seat=isinstance(caller, SeatCaller))
    next_id = next_game_id(game_id)
    present = find_game(next_id)
    seat = rematch.next_seat(caller.seat, before.game) if isinstance(caller, SeatCaller) else None
    asker = caller if seat is None else sitting(present and present.game, seat)
    idempotency_key = idempotency(asker, json_body(), next_id if present else None)
    try:
        done = Joining(caller, before, wanted, next_id, idempotency_key).carry_out(present)
    except rematch.JoinedAlready:
        done = CommandResult(context().ledger.get(next_id).game, [], repeated=False)
    return joined_answer(done, caller, seat)


def check_may_ask(caller: Caller, game: Game, wanted: Mapping[str, Any]) -> None:
    """A player asks for itself, whoever administers the game for everybody."""
    authorize(caller, game)
    if isinstance(caller, SeatCaller):
        if game.chairs[caller.seat].bot:
            raise Refusal("seat_is_bot", "A bot plays this seat.")
        return
    if not caller.administers(game):
        raise denied(caller, "Its players ask for a rematch, or its host or an operator for all of them.")
    if wanted:
        raise Refusal("invalid_request", "Entropy and keys are brought by players, not for them.")


def next_game_id(game_id: str) -> str:
    return new_game_id(context().authenticator.rematch_id(game_id))


def find_game(game_id: str) -> Dossier | None:
    try:
        return context().ledger.get(game_id)
    except GameNotFound:
        return None


def sitting(game: Game | None, seat: int) -> SeatCaller:
    """Whoever sits at a seat of the next game, or will."""
    return SeatCaller(seat, game.chairs[seat].generation if game else 0)


@dataclass(frozen=True)
class Joining:
    """A player, or a host for all of them, on the way into the next game."""

    caller: Caller
    before: Dossier
    wanted: Mapping[str, Any]
    next_id: str
    idempotency_key: IdempotencyKey | None

    @property
    def by(self) -> dict[str, Any] | None:
        """The actor that seats people; None: they sit down themselves."""
        return None if isinstance(self.caller, SeatCaller) else self.caller.actor

    def carry_out(self, present: Dossier | None) -> CommandResult:
        """Join the next game; if there is none yet, create it, unless another player is faster."""
        if present is None:
            try:
                return self._create()
            except KeyReused:
                if find_game(self.next_id) is None:
                    raise
        return handle_command(
            self.next_id,
            self.caller,
            self.idempotency_key,
            writes=(GameCreated, SeatTaken),
            check=admitted,
            write=self._join,
            admits=admitted,
        )

    def _create(self) -> CommandResult:
        here = context()
        new = rematch.rematch_of(self.before.game, here.rulesets, new_seed())
        actor = {"host": new.host} if new.host else self.by or ANONYMOUS_ACTOR

        def write(batch: EntryBatch) -> None:
            here.check_writable()
            if actor == ANONYMOUS_ACTOR:
                here.limits.check_creation(self.next_id, this_request(), call_off_unjoined)
            create(batch, actor, new)
            rematch.join(batch, bots_of(self.before) | self._people(), self.by)
            start_if_ready(batch, here.rulesets, new.server_seed)

        return append_new_game(self.next_id, new, write, self.idempotency_key)

    def _join(self, batch: EntryBatch, dossier: Dossier) -> None:
        bots = {} if self.by is None else bots_of(self.before)
        rematch.join(batch, bots | self._people(), self.by)
        start_if_ready(batch, context().rulesets, dossier.server_seed)

    def _people(self) -> dict[int, Sitter]:
        """Who is to sit down, by seat in the next game: the caller, or everybody for whom a host asks."""
        chairs = self.before.game.chairs
        asking = [self.caller.seat] if isinstance(self.caller, SeatCaller) else range(len(chairs))
        return {
            rematch.next_seat(seat, self.before.game): sitter_again(self.before, seat, **self.wanted)
            for seat in asking
            if chairs[seat].person
        }


def admitted(_: Dossier) -> None:
    """Who may ask was settled by the game before."""


def bots_of(before: Dossier) -> dict[int, Sitter]:
    """The bots of a game, by seat in the next one."""
    return {
        rematch.next_seat(seat, before.game): sitter_again(before, seat)
        for seat, chair in enumerate(before.game.chairs)
        if chair.bot
    }


def sitter_again(before: Dossier, seat: int, **wanted: Any) -> Sitter:
    """The person or bot of a seat as it sits down again: under its name, and with its ref if that is the host's own."""
    game, person = before.game, before.people.get(seat)
    chair = game.chairs[seat]
    own = chair.ref is not None and giver_of(game, seat) == (game.created.host or "")
    again = {
        "name": None if chair.bot and person is None else name_of(chair.taken, chair.bot, person),
        "bot": chair.bot,
        "ref": chair.ref if own else None,
    }
    return sitter_of(again | wanted)


def joined_answer(done: CommandResult, caller: Caller, seat: int | None) -> Response:
    """The next game as whoever asked sees it, and its token there."""
    here, game = context(), done.game
    dossier = here.ledger.cached(game.id)
    dossier = dossier._replace(people=people_then(dossier, game))
    tokens = {
        number: here.authenticator.seat_token(game.id, number, rematch.first_generation(game, number))
        for number, chair in enumerate(game.chairs)
        if chair.person and (number == seat or (seat is None and chair.seated_by == caller.actor))
    }
    viewer = caller if seat is None else SeatCaller(seat, rematch.first_generation(game, seat))
    body = game_body(game, dossier, viewer, tokens=tokens if seat is None else None)
    return done.answer(JoinedRematchBody(game=body, seat=seat, token=None if seat is None else tokens[seat]))


@route(
    "GET",
    "/v1/games/<game_id>/rematch",
    runs_in="loop",
    params=(WAIT, *READER),
    returns={200: Returns(RematchBody)},
    errors=ABOUT_A_GAME,
)
def show_rematch(game_id: str) -> Response | LongPoll:
    """Whether somebody has asked for a rematch. `?wait=S` holds the answer until somebody has."""
    wait = integer_parameter("wait", most=MAX_WAIT)
    game = visit(game_id).game
    next_id = next_game_id(game_id)
    present = find_game(next_id)
    if wait and present is None:
        return LongPoll(next_id, 0, wait, lambda: rematch_status(game, find_game(next_id)))
    return rematch_status(game, present)


def rematch_status(before: Game, present: Dossier | None) -> Response:
    """The next game's id, and who of this game sits there already."""
    if present is None:
        return json_response(RematchBody(game=None, asked=[]))
    chairs = present.game.chairs
    asked = [
        seat
        for seat, chair in enumerate(before.chairs)
        if chair.person and chairs[rematch.next_seat(seat, before)].taken
    ]
    return json_response(RematchBody(game=present.game.id, asked=asked))
