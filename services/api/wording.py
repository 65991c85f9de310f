"""Refusals in the caller's language: English as the rules and the API say them, French by their codes.

A French sentence is filled with what the caller sent and what the problem tells anyway, so it can give nothing away.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from importlib.resources import files
from typing import Any

import msgspec

from events.game import Game, ruleset_of
from games.kernel import IllegalAction, Refusal
from games.words import Words
from replays.sentences import Sentences
from replays.telling import LANGUAGES, words_to_tell
from services.api.context import CURRENT, context

ENGLISH = "en"
PROBLEMS: Mapping[str, Mapping[str, Mapping[str, str]]] = msgspec.json.decode(
    files("services.api").joinpath("problems.json").read_bytes()
)
"""By language other than English: titles by status, details by code."""
NO_WORDS = Words({}, {}, {}, {})


def language() -> str:
    """What the caller would rather read: `fr-CA` is French, and whoever does not say reads English."""
    current = CURRENT.get(None)
    accepted = current.accept_languages if current else ()
    wanted = (tag.partition("-")[0].lower() for tag, quality in accepted if quality)
    return next((tag for tag in wanted if tag in LANGUAGES), ENGLISH)


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


@contextmanager
def rules_in_words(game: Game, action: Any) -> Iterator[None]:
    """What the rules refuse meanwhile is refused in the caller's language."""
    try:
        yield
    except IllegalAction as illegal:
        if language() == ENGLISH:
            raise
        words = words_to_tell(ruleset_of(game, context().rulesets), language())
        if illegal.code not in words.refusals:
            raise
        sent = action if isinstance(action, Mapping) else {}
        sentences = Sentences(words, language(), ())
        sentence = sentences.sentence(words.refusals[illegal.code], {**sent, "detail": illegal.message})
        raise IllegalAction(illegal.code, sentence) from None
