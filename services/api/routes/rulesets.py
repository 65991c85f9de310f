"""The games that can be played."""

from functools import lru_cache

from msgspec import to_builtins

from events.canonical import canonical
from games.kernel import Registry, UnknownRuleset
from replays.pictures import example_picture
from services.api.context import context
from services.api.parameters import IF_NONE_MATCH, LANG, LANGUAGES, THEME, THEMES
from services.api.problems import problem
from services.api.requests import choice_parameter
from services.api.responses import public_response
from services.api.returns import NOT_MODIFIED, TAG_HEADER, TEXT
from services.api.routes.pictures import PICTURE_HEADERS, SVG
from services.api.ruleset_description import description, summary
from services.api.table import TABLE
from services.bodies.guides import GuideBody, LessonsBody
from services.bodies.rulesets import RulesetBody, RulesetsBody
from services.http.messages import Response
from services.http.routing import Returns

route = TABLE.section("rulesets")


@route(
    "GET",
    "/v1/rulesets",
    params=(IF_NONE_MATCH,),
    returns={200: Returns(RulesetsBody, headers=TAG_HEADER), 304: NOT_MODIFIED},
    errors=("invalid_request",),
)
def list_rulesets() -> Response:
    """Every game, its players, options and actions."""
    return public_response(all_summaries(context().rulesets))


@route(
    "GET",
    "/v1/rulesets/<ruleset>",
    params=(IF_NONE_MATCH,),
    returns={200: Returns(RulesetBody, headers=TAG_HEADER), 304: NOT_MODIFIED},
    errors=("invalid_request", "not_found", (404, "unknown_ruleset")),
)
def show_ruleset(ruleset: str) -> Response:
    """One game, with its whole component set."""
    try:
        return public_response(whole_description(context().rulesets, ruleset))
    except UnknownRuleset as unknown:
        return problem(unknown.code, unknown.message, 404)


@route(
    "GET",
    "/v1/rulesets/<ruleset>/guide",
    params=(LANG, IF_NONE_MATCH),
    returns={200: Returns(GuideBody, headers=TAG_HEADER), 304: NOT_MODIFIED},
    errors=("invalid_request", "not_found", (404, "unknown_ruleset")),
)
def show_guide(ruleset: str) -> Response:
    """The player's guide of a game: what it is about, its turn, actions, things, scoring and tips."""
    language = choice_parameter("lang", LANGUAGES) or LANGUAGES[0]
    try:
        guide = guide_in(context().rulesets, ruleset, language)
    except UnknownRuleset as unknown:
        return problem(unknown.code, unknown.message, 404)
    return public_response(guide) if guide else problem("not_found", "This game has no guide.", 404)


@route(
    "GET",
    "/v1/rulesets/<ruleset>/lessons",
    params=(LANG, IF_NONE_MATCH),
    returns={200: Returns(LessonsBody, headers=TAG_HEADER), 304: NOT_MODIFIED},
    errors=("invalid_request", "not_found", (404, "unknown_ruleset")),
)
def show_lessons(ruleset: str) -> Response:
    """The guided first games of a game; `POST /v1/games` starts one by its id."""
    language = choice_parameter("lang", LANGUAGES) or LANGUAGES[0]
    try:
        return public_response(lessons_in(context().rulesets, ruleset, language))
    except UnknownRuleset as unknown:
        return problem(unknown.code, unknown.message, 404)


@route(
    "GET",
    "/v1/rulesets/<ruleset>/board.svg",
    runs_in="slow",
    params=(LANG, THEME, IF_NONE_MATCH),
    returns={200: Returns(TEXT, headers=TAG_HEADER, content_type=SVG), 304: NOT_MODIFIED},
    errors=("invalid_request", "not_found", (404, "unknown_ruleset")),
)
def show_example_board(ruleset: str) -> Response:
    """The board of the worked example in the guide of a game: what a game of it looks like."""
    language = choice_parameter("lang", LANGUAGES) or LANGUAGES[0]
    theme = choice_parameter("theme", THEMES) or THEMES[0]
    try:
        drawn = example_board(context().rulesets, ruleset, language, theme)
    except UnknownRuleset as unknown:
        return problem(unknown.code, unknown.message, 404)
    if drawn is None:
        return problem("not_found", "This game has no guide.", 404)
    return public_response(drawn, f"{SVG}; charset=utf-8").with_headers(**PICTURE_HEADERS)


@lru_cache(64)
def example_board(rulesets: Registry, name: str, language: str, theme: str) -> bytes | None:
    """The example board of a ruleset, which never changes."""
    drawn = example_picture(rulesets.latest(name), language, theme)
    return drawn.encode() if drawn else None


@lru_cache(64)
def guide_in(rulesets: Registry, name: str, language: str) -> bytes | None:
    """The guide of a ruleset in a language, which never changes; None if it has none."""
    guide = rulesets.latest(name).guide(language)
    return canonical(to_builtins(guide)) if guide else None


@lru_cache(64)
def lessons_in(rulesets: Registry, name: str, language: str) -> bytes:
    """The lessons of a ruleset in a language, which never change."""
    lessons = rulesets.latest(name).lessons(language)
    return canonical({"items": to_builtins(lessons), "next": None})


@lru_cache(8)
def all_summaries(rulesets: Registry) -> bytes:
    """The list of these rulesets, which never changes."""
    names = sorted({ruleset.name for ruleset in rulesets})
    return canonical({"items": [summary(rulesets.latest(name), rulesets) for name in names], "next": None})


@lru_cache(64)
def whole_description(rulesets: Registry, name: str) -> bytes:
    """All about the latest version of a ruleset, which never changes."""
    return canonical(description(rulesets.latest(name), rulesets))
