"""Creation of games, new ones and forks: who may create which, and the response."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from events import commands
from events.batch import EntryBatch, IdempotencyKey
from events.canonical import canonical
from events.entries import GameCreated
from events.game import Game
from events.keys import game_id as new_game_id
from events.seeds import name_hash
from events.times import milliseconds
from games.kernel import Refusal, is_lesson
from services.api.authentication import ANYONE, Caller, HostCaller, OperatorCaller, denied
from services.api.command_handling import CommandResult, command_result
from services.api.context import context
from services.api.responses import game_body
from services.core.ledger import Dossier, key_reused
from services.http.messages import Response, this_request

AS_IT_STOOD = {"redeal": "none"}
"""What origins of forks that do not say so stand for."""


def check_may_create(caller: Caller, wanted: dict[str, Any]) -> None:
    """Who may create games, and which ones."""
    here = context()
    privileged = isinstance(caller, HostCaller | OperatorCaller)
    if here.create == "host" and not privileged and "lesson" not in wanted:
        raise denied(caller, "Here only hosts create games: send a host's token.")
    players = wanted.get("players", [])
    special = "seed" in wanted or wanted.get("position") is not None
    if special and here.authenticator.has_roles and not privileged:
        raise denied(caller, "Seeded and positioned games are for hosts and operators here.")
    if only_bots_play(wanted) and here.bot_games == "host" and not privileged:
        raise denied(caller, "Games that only bots play are for hosts and operators here.")
    if any("ref" in player for player in players) and not privileged:
        raise denied(caller, "A player's `ref` is for hosts and operators.")
    if wanted.get("tags") and not privileged:
        raise denied(caller, "Tags are for hosts and operators.")


def only_bots_play(wanted: Mapping[str, Any]) -> bool:
    """Is a bot named for every seat?"""
    players = wanted.get("players", [])
    return bool(players) and wanted.get("seats", 0) <= len(players) and all("bot" in each for each in players)


def check_room(players: Sequence[Any], seats: int) -> None:
    if len(players) > seats:
        raise Refusal("invalid_seats", f"{len(players)} players are named for {seats} seats.")


def sitter_of(wanted: Mapping[str, Any]) -> commands.Sitter:
    """Someone who sits down. The log holds a name's hash; the name lies beside it, where it can be forgotten."""
    nonce = secrets.token_bytes(16)
    name = wanted.get("name")
    return commands.Sitter(
        name_hash=None if name is None else name_hash(nonce, name),
        ref=wanted.get("ref"),
        bot=wanted.get("bot"),
        entropy=wanted.get("entropy"),
        entropy_commitment=wanted.get("entropy_commitment"),
        person=None if name is None else canonical({"name": name, "nonce": nonce.hex()}).decode(),
        public_key=wanted.get("public_key"),
    )


def create_new_game(
    caller: Caller,
    new: commands.NewGame,
    players: Sequence[dict[str, Any]],
    idempotency_key: IdempotencyKey | None,
) -> Response:
    """Begin a game with those players at its first seats; with every seat named it starts at once."""
    key = this_request().headers["idempotency-key"] if idempotency_key else None
    table = NewTable(created_id(caller, key), caller, new, players, idempotency_key)
    return created_answer(table.create(), caller)


def created_id(caller: Caller, key: str | None) -> str:
    """A new game's id: the same for every retry with a key."""
    return new_game_id(None if key is None else context().authenticator.create_id(caller, key))


@dataclass(frozen=True)
class NewTable:
    """A game that is about to be created, and who is named to sit there."""

    game_id: str
    caller: Caller
    new: commands.NewGame
    players: Sequence[Mapping[str, Any]]
    idempotency_key: IdempotencyKey | None

    def seat(self, batch: EntryBatch) -> None:
        """Write its creation and its players; all that it can be refused for is refused here."""
        commands.create(batch, self.caller.actor, self.new)
        for seat, player in enumerate(self.players):
            commands.sit(batch, seat, sitter_of(player), by=self.caller.actor)

    def create(self) -> CommandResult:
        done = append_new_game(self.game_id, self.new, self._write, self.idempotency_key)
        if AS_IT_STOOD | done.game.created.origin != AS_IT_STOOD | self.new.origin:
            raise key_reused()
        return done

    def _write(self, batch: EntryBatch) -> None:
        here, new = context(), self.new
        here.check_writable()
        if self.caller is ANYONE:
            unfinished = None if is_lesson(new.ruleset.name, new.origin) else call_off_unjoined
            here.limits.check_creation(self.game_id, this_request(), unfinished)
        self.seat(batch)
        commands.start_if_ready(batch, here.rulesets, new.server_seed)


def append_new_game(
    game_id: str,
    new: commands.NewGame,
    write: Callable[[EntryBatch], None],
    idempotency_key: IdempotencyKey | None,
) -> CommandResult:
    """Begin the log of a new game; a private one gets the code by which others join."""
    came = context().ledger.create(
        game_id,
        write,
        server_seed=new.server_seed,
        join_code=secrets.token_hex(8) if new.private else None,
        idempotency_key=idempotency_key,
    )
    return command_result(game_id, came, GameCreated)


def call_off_unjoined(game_id: str) -> bool:
    """Call an open game off that nobody but its creator has joined: its address creates another. False if it may not be."""

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        game = dossier.game
        people = sum(chair.taken and not chair.bot for chair in game.chairs)
        if game.status != "open" or people > 1 or game.first_terms:
            raise Refusal("not_open", "This game is not open, or somebody has joined it.")
        waited = milliseconds(batch.at) - milliseconds(game.created_at)
        commands.abort(batch, commands.CLOCK_ACTOR, "never_filled", waited // 1000)

    try:
        context().ledger.change(game_id, write)
    except Refusal:
        return False
    return True


def people_then(dossier: Dossier, game: Game) -> dict[int, bytes]:
    """The names of those who sat there when a game stood like this, as far as they still do."""
    return {
        seat: person
        for seat, person in dossier.people.items()
        if dossier.game.chairs[seat].leavings == game.chairs[seat].leavings
    }


def tokens_of(game: Game) -> dict[int, str]:
    """The token of each seat where a person sits."""
    return {
        seat: context().authenticator.seat_token(game.id, seat, chair.generation)
        for seat, chair in enumerate(game.chairs)
        if chair.person
    }


def created_answer(done: CommandResult, caller: Caller) -> Response:
    """The new game, a token beside each named player's seat, and a private game's join code."""
    here, game = context(), done.game
    dossier = here.ledger.get(game.id) if done.repeated else here.ledger.cached(game.id)
    tokens = tokens_of(game)
    body = game_body(game, dossier._replace(people=people_then(dossier, game)), caller, tokens=tokens)
    if dossier.join_code:
        body.join_code = dossier.join_code
    return done.answer(body, location=body.links["self"])
