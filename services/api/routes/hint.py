"""Hints: a good move for a player whose opponents are all bots, found by the thinkers."""

import msgspec

from events import commands
from events.game import Game, ruleset_of
from games.kernel import IllegalAction, Refusal
from projections.hints import HintRequest
from replays.hints import Hint
from replays.narration import teller_of
from services.api.authentication import SeatCaller
from services.api.context import context
from services.api.parameters import LANG, LANGUAGES
from services.api.requests import choice_parameter, json_body, seat_caller
from services.api.responses import json_response, name_of
from services.api.returns import ABOUT_A_GAME, BODY
from services.api.routes.play import check_may_act
from services.api.routes.review import asker
from services.api.table import TABLE
from services.api.translation import in_callers_language, language
from services.bodies.play import HintBody, HintProgressBody
from services.core.ledger import Dossier
from services.core.public_status import hint_seat
from services.http.messages import Response
from services.http.routing import Returns

route = TABLE.section("play")

OF_A_HINT = (
    *ABOUT_A_GAME,
    "forbidden",
    "game_not_started",
    "game_over",
    "no_hints",
    "not_your_turn",
    "paused",
    "seat_is_bot",
    "seat_withdrawn",
)
WAITING = HintProgressBody(status="waiting")


@route(
    "POST",
    "/v1/games/<game_id>/hint",
    runs_in="loop",
    returns={202: Returns(HintProgressBody)},
    errors=(*OF_A_HINT, *BODY, "store_full"),
)
def ask_for_hint(game_id: str) -> Response:
    """Have the search look for a good move, where all other seats are bots; it is made by what your seat sees."""
    json_body()
    caller, dossier = let_seat_in(game_id)
    here, game = context(), dossier.game
    if here.hints.find(game.id, game.version, game.hash).body is None:
        here.check_writable()
        here.hints.ask(HintRequest(game.id, game.version, asker(caller)))
    return json_response(WAITING, 202)


@route(
    "GET",
    "/v1/games/<game_id>/hint",
    runs_in="loop",
    params=(LANG,),
    returns={200: Returns(HintBody), 202: Returns(HintProgressBody, description="It is being made.")},
    errors=(*OF_A_HINT, "no_hint"),
)
def show_hint(game_id: str) -> Response:
    """The hint for the game as it stands; one for an earlier version is gone."""
    _, dossier = let_seat_in(game_id)
    game = dossier.game
    found = context().hints.find(game.id, game.version, game.hash)
    if found.body is not None:
        hint = msgspec.json.decode(found.body, type=Hint)
        return json_response(HintBody(action=hint.action, label=label_of(hint, dossier)))
    if found.waiting:
        return json_response(WAITING, 202)
    raise Refusal(
        "no_hint", "Nobody has asked for a hint for the game as it stands: POST to this address does."
    )


def let_seat_in(game_id: str) -> tuple[SeatCaller, Dossier]:
    """The seat that may have hints now, and its game."""
    caller = seat_caller(game_id)
    dossier = context().ledger.get(game_id)
    check_may_act(caller, dossier.game)
    check_may_have_hints(dossier.game, caller.seat)
    return caller, dossier


def check_may_have_hints(game: Game, seat: int) -> None:
    commands.check_playing(game)
    if any(not chair.bot for other, chair in enumerate(game.chairs) if other != seat):
        raise Refusal("no_hints", "Hints are given where bots sit at all other seats.")
    commands.check_not_paused(game)
    if hint_seat(game) != seat:
        early = IllegalAction("not_your_turn", "It is not your turn: there is nothing to choose.")
        raise in_callers_language(early, game, None)


def label_of(hint: Hint, dossier: Dossier) -> str:
    """What the move does, as a sentence in the caller's language."""
    game = dossier.game
    names = [
        name_of(chair.taken, chair.bot, dossier.people.get(seat)) for seat, chair in enumerate(game.chairs)
    ]
    chosen = choice_parameter("lang", LANGUAGES) or language()
    teller = teller_of(ruleset_of(game, context().rulesets), chosen, names)
    return teller.option({"action": hint.action, "fact": hint.fact})
