"""Translation of refusals into the caller's language: English as the rules and the API write them, French by code.

A French sentence is filled with what the caller sent and what the problem tells anyway, so it can give nothing away.
"""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from importlib.resources import files
from typing import Any

import msgspec
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from events.game import Game, ruleset_of
from games.kernel import IllegalAction, Refusal
from games.words import Words
from replays.narration import LANGUAGES, narration_words
from replays.sentences import Sentences
from services.api.context import context
from services.http.messages import CURRENT

ENGLISH = "en"
PROBLEMS: Mapping[str, Mapping[str, Mapping[str, str]]] = msgspec.json.decode(
    files("services.api").joinpath("problems.json").read_bytes()
)
"""By language other than English: titles by status, details by code, names of things."""
NO_WORDS = Words({}, {}, {}, {})


def language() -> str:
    """What the caller would rather read: `fr-CA` is French, and whoever does not say reads English."""
    current = CURRENT.get(None)
    return language_of(current.languages if current else ())


def language_of(accepted: Iterable[tuple[str, float]]) -> str:
    wanted = (tag.partition("-")[0].lower() for tag, quality in accepted if quality)
    return next((tag for tag in wanted if tag in LANGUAGES), ENGLISH)


def translate_problem(body: bytes, accept_language: str) -> tuple[bytes, str]:
    """A problem that the front has written in English, in the caller's language; and which that is."""
    chosen = language_of(parse_accept_header(accept_language, LanguageAccept))
    problem = msgspec.json.decode(body, type=dict[str, Any])
    words = PROBLEMS.get(chosen)
    if words is None or problem["code"] not in words["details"]:
        return body, ENGLISH
    template = words["details"][problem["code"]]
    problem["title"] = words["titles"].get(str(problem["status"]), problem["title"])
    problem["detail"] = Sentences(NO_WORDS, chosen, ()).sentence(template, {"detail": problem["detail"]})
    return msgspec.json.encode(problem), chosen


def title(status: int) -> str:
    """What a status means."""
    phrase = HTTPStatus(status).phrase
    return PROBLEMS[language()]["titles"].get(str(status), phrase) if language() in PROBLEMS else phrase


def detail(code: str, english: str, more: Mapping[str, Any]) -> str:
    """A sentence of the API about a problem; the English one where the language has none for it."""
    if language() not in PROBLEMS or code not in PROBLEMS[language()]["details"]:
        return english
    template = PROBLEMS[language()]["details"][code]
    return Sentences(NO_WORDS, language(), ()).sentence(template, {**more, "detail": english})


def detail_of(refusal: Refusal) -> str:
    """Why something is refused."""
    return detail(refusal.code, refusal.message, getattr(refusal, "more", {}))


def in_callers_language(illegal: IllegalAction, game: Game, action: Any) -> IllegalAction:
    """What the rules refuse, refused in the caller's language."""
    sentence = None if language() == ENGLISH else translated_refusal(illegal, game, action)
    return IllegalAction(illegal.code, sentence) if sentence else illegal


def translated_refusal(illegal: IllegalAction, game: Game, action: Any) -> str | None:
    """Why the rules refuse an action, in a language other than English; None if there are no words for it."""
    words = narration_words(ruleset_of(game, context().rulesets), language())
    if illegal.code not in words.refusals:
        return None
    sent = action if isinstance(action, Mapping) else {}
    sentences = Sentences(words, language(), ())
    sentence = sentences.sentence(words.refusals[illegal.code], {**sent, "detail": illegal.message})
    return sentence + whose_turn(game) if illegal.code == "not_your_turn" else sentence


def whose_turn(game: Game) -> str:
    """Who is to act, in a language other than English."""
    names = PROBLEMS[language()]["names"]
    seats = ", ".join(f"{names['seat']} {seat}" for seat in game.to_act)
    return f" {names['to_act']} {seats}." if seats else ""
