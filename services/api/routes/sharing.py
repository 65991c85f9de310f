"""Games on other pages: addresses to share, frames, oEmbed, and the element that shows a game anywhere."""

import re
import time
from html import escape
from urllib.parse import urlencode, urlsplit

from events.canonical import canonical
from events.keys import is_game_id
from games.kernel import Refusal, UnknownRuleset
from services.api.context import context
from services.api.page import (
    ASK_AGAIN,
    CONTENT_TYPES,
    ELEMENT,
    POLICY,
    SAFE,
    page,
    sent,
    site,
    wanted_file,
)
from services.api.parameters import LANGUAGES, NUMBER, THEMES, query
from services.api.previews import (
    PREVIEW_WORDS,
    Preview,
    game_preview,
    head_of,
    oembed_of,
    own_origin,
    public_game,
)
from services.api.problems import Problem
from services.api.requests import choice_parameter, integer_parameter
from services.api.table import TABLE
from services.api.translation import language
from services.bodies.sharing import OEmbedBody
from services.core.greenlet_bridge import sleep
from services.core.ledger import Dossier
from services.http.messages import Response, response, this_request
from services.http.routing import Returns

route = TABLE.section("sharing")

HIDDEN_SECONDS = 0.05
"""When the answer goes out for a game that is not shown: no sooner and no later for one that is private than for none."""
GAME_ADDRESS = re.compile(r"/(?:g|embed)/([^/]+)(?:/([0-9]{1,16}))?/?")
EMBEDDED = {
    name: re.compile(form)
    for name, form in {
        "at": "[0-9]{1,16}",
        "as": "[0-9]|spectator",
        "theme": "|".join(THEMES),
        "controls": "[a-z]{1,16}",
    }.items()
}
"""What an address may say of how a game is shown, beside the language."""
PLAIN_TITLE, PLAIN_DESCRIPTION = b"<title>Stele</title>", re.compile(rb'<meta name="description"[^>]*>\s*')


def shown_game(game_id: str) -> Dossier | None:
    """The game of an address that anybody may open; of one that is hidden nothing, after a while that is always the same."""
    began = time.monotonic()
    dossier = public_game(game_id)
    if dossier is None:
        sleep(max(0.0, began + HIDDEN_SECONDS - time.monotonic()))
    return dossier


# -- pages --------------------------------------------------------------------------------------------------------------


@route("GET", "/g/<game_id>", runs_in="loop", documented=False)
@route("GET", "/g/<game_id>/<int:version>", runs_in="loop", documented=False)
def share_game(game_id: str, version: int | None = None) -> Response:
    """The page with a preview of a public game; of any other the page as it is, whatever the reason."""
    dossier = shown_game(game_id)
    return page_with(game_preview(dossier, version, language())) if dossier else page()


@route("GET", "/new/<ruleset>", runs_in="loop", documented=False)
def share_ruleset(ruleset: str) -> Response:
    """The page's form for a new game, filled in: nothing is created before its button is pressed."""
    try:
        rules = context().rulesets.latest(ruleset)
    except UnknownRuleset:
        return page()
    spoken = language()
    guide, called = rules.guide(spoken), rules.names[spoken][ruleset]
    title, about = PREVIEW_WORDS[spoken]["play"].format(game=called), guide.about if guide else called
    return page_with(Preview(f"/new/{ruleset}", title, about, None, spoken, embeddable=False))


def page_with(preview: Preview) -> Response:
    """The page, with a preview in its head. No cache keeps for one host what was made for another."""
    whole = PLAIN_DESCRIPTION.sub(b"", site().page.body, count=1)
    body = whole.replace(PLAIN_TITLE, head_of(preview, own_origin()).encode(), 1)
    caching = ASK_AGAIN if context().public_url else "no-store"
    return response(body, CONTENT_TYPES[".html"], **SAFE, cache_control=caching, vary="Accept-Language, Host")


@route("GET", "/embed/<game_id>", runs_in="loop", documented=False)
def embed_game(game_id: str) -> Response:
    """A game alone, to be framed by other pages and only looked at. What it shows, it asks for as a spectator.

    The page says the same of every game, so it looks none up.
    """
    if not is_game_id(game_id):
        raise Refusal("not_found", "There is nothing at this address; `/docs` shows what there is.")
    there, wanted = site(), this_request().args
    spoken = wanted["lang"] if wanted.get("lang") in LANGUAGES else language()
    given = {
        name: text for name, form in EMBEDDED.items() if (text := wanted.get(name)) and form.fullmatch(text)
    }
    attributes: dict[str, str] = {"game": game_id, "lang": spoken, **given}
    moment = f"/replay/{attributes['at']}" if "at" in attributes else ""
    look = urlencode([(name, attributes[name]) for name in ("as", "lang", "theme") if name in attributes])
    body = EMBED.format(
        lang=spoken,
        files=f"/web/{there.digest}",
        attributes=" ".join(f'{name}="{escape(text)}"' for name, text in attributes.items()),
        link=f"/g/{game_id}" + (f"/{attributes['at']}" if moment else ""),
        board=escape(f"/v1/games/{game_id}{moment}/board.svg?{look}"),
    )
    policy = POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(ancestors())}")
    headers = {
        **SAFE,
        "content_security_policy": policy,
        "cache_control": ASK_AGAIN,
        "vary": "Accept-Language",
    }
    return response(body.encode(), CONTENT_TYPES[".html"], **headers)


def ancestors() -> list[str]:
    """Whose pages may frame a game, as a policy says it."""
    return ["'none'" if each == "none" else each for each in context().embed_ancestors]


EMBED = """<!doctype html>
<html lang="{lang}">
  <head>
    <meta charset="utf-8">
    <title>Stele</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="referrer" content="no-referrer">
    <link rel="stylesheet" href="{files}/embed.css">
    <script type="module" src="{files}/element/stele-board.js"></script>
  </head>
  <body>
    <stele-board {attributes}><a href="{link}" target="_blank" rel="noopener"><img src="{board}" alt="Stele"></a></stele-board>
  </body>
</html>
"""
"""Where no script runs, or none may ask this server (a sandboxed frame), the board is a picture that leads to the game."""


@route("GET", f"/{ELEMENT}", runs_in="loop", documented=False)
def board_element() -> Response:
    """The custom element `<stele-board>`, for pages of every origin: it holds nothing of any game."""
    shared = {"access_control_allow_origin": "*", "cross_origin_resource_policy": "cross-origin"}
    return sent(wanted_file(ELEMENT), ASK_AGAIN).with_headers(**shared)


# -- oEmbed ---------------------------------------------------------------------------------------------------------------

GAME_URL = query(
    "url",
    "The address of a game: `/g/{id}`, `/g/{id}/{version}` or `/embed/{id}` of this server.",
    type="string",
)
OEMBED_FORMATS = ("json", "xml")
OEMBED_FORMAT = query(
    "format", "`xml` is not spoken here: 501, as oEmbed has it.", type="string", enum=OEMBED_FORMATS
)
LARGEST = 10_000
MAX_WIDTH, MAX_HEIGHT = (
    query(name, "Pixels that are there for it.", **{**NUMBER, "minimum": 1})
    for name in ("maxwidth", "maxheight")
)
DNT = query("dnt", "Sent by some; nobody is tracked in any case.", type="string")


@route(
    "GET",
    "/v1/oembed",
    runs_in="loop",
    params=({**GAME_URL, "required": True}, OEMBED_FORMAT, MAX_WIDTH, MAX_HEIGHT, DNT),
    returns={200: Returns(OEmbedBody)},
    errors=("bad_request", "invalid_request", "not_found", "not_implemented", "store_unavailable"),
)
def oembed() -> Response:
    """How to show a public game on another page (oEmbed 1.0)."""
    wanted = this_request().args
    most = tuple(integer_parameter(name, least=1) or LARGEST for name in ("maxwidth", "maxheight"))
    if choice_parameter("format", OEMBED_FORMATS) == "xml":
        raise Refusal("not_implemented", "Only `format=json` is spoken here.")
    if "url" not in wanted:
        raise Problem("invalid_request", "`url` is missing.", errors={"query": {"url": ["Missing."]}})
    origin = own_origin()
    game_id, version = game_at(wanted["url"], origin)
    dossier = shown_game(game_id)
    if dossier is None:
        raise Refusal("not_found", "There is no game to show at this address.")
    preview = game_preview(dossier, version, language())
    shown = version if version and preview.address.endswith(f"/{version}") else None
    body = canonical(oembed_of(preview, origin, game_id, shown, (most[0], most[1])))
    caching = "public, max-age=300" if context().public_url else "no-store"
    return response(body, "application/json", cache_control=caching, vary="Accept-Language, Host")


def game_at(url: str, origin: str) -> tuple[str, int | None]:
    """The game that an address of this server shows, and which moment of it; no game if it is another's."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", None
    found = GAME_ADDRESS.fullmatch(parts.path)
    own = f"{parts.scheme}://{parts.netloc}" == origin or parts.netloc == this_request().headers.get("host")
    if not (found and own and parts.scheme in ("http", "https")):
        return "", None
    return found[1], int(found[2]) if found[2] else None
