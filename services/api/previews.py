"""What other pages show of a link to a game: a title, a sentence and a picture (Open Graph, Twitter cards, oEmbed)."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from events.game import Game, ruleset_of
from events.keys import is_game_id
from games.kernel import Refusal
from replays.share_cards import CARD_HEIGHT, CARD_WIDTH
from services.api.context import context
from services.api.limits import read_address
from services.api.responses import player_names
from services.bodies.sharing import OEmbedBody
from services.core.ledger import Dossier
from services.http.messages import this_request

SITE = "Stele"
HOST_AND_PORT = re.compile(r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
PREVIEW_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {"open": "A seat is free: join the game.", "sealing": "The game is about to start.", "playing": "To move: {who}.",
           "won": "Won by {who}.", "nobody": "Nobody won.", "aborted": "The game was called off.",
           "then": "The game after entry {version} of {last}.", "and": " and ", "title": "{game}: {who}", "free": "a free seat",
           "play": "Play {game}", "board": "The board of {title}"},
    "fr": {"open": "Une place est libre : rejoignez la partie.", "sealing": "La partie va commencer.",
           "playing": "À jouer : {who}.", "won": "Victoire : {who}.", "nobody": "Personne ne gagne.",
           "aborted": "La partie a été annulée.", "then": "La partie après l’entrée {version} sur {last}.", "and": " et ",
           "title": "{game} : {who}", "free": "une place libre", "play": "Jouer à {game}", "board": "Le plateau de {title}"},
}  # fmt: skip


class Preview(NamedTuple):
    """What is told of an address of this server."""

    address: str
    title: str
    description: str
    image: str | None
    """The address of a card."""
    language: str
    embeddable: bool
    """Can it be put into other pages?"""


def own_origin() -> str:
    """Where people reach this server: as it is set, else where this request was sent to."""
    here, request = context(), this_request()
    if here.public_url:
        return here.public_url
    host = request.headers.get("host", "")
    if not HOST_AND_PORT.fullmatch(host):
        raise Refusal("bad_request", "This request does not say to which host it was sent.")
    peer = read_address(request.peer)
    is_proxy = peer is not None and any(peer in network for network in here.limits.proxies)
    scheme = request.headers.get("x-forwarded-proto", "") if is_proxy else ""
    return f"{scheme if scheme in ('http', 'https') else 'http'}://{host}"


# -- a game -------------------------------------------------------------------------------------------------------------


def public_game(game_id: str) -> Dossier | None:
    """A game that everyone may see; None if it is private, erased or was never there: all are asked for alike."""
    if not is_game_id(game_id):
        return None
    here = context()
    first, stone = here.store.first(game_id), here.store.tombstone(game_id)
    hidden = first.data.private if first else stone.private if stone else True
    try:
        return None if hidden else here.ledger.get(game_id)
    except Refusal:  # its rules or its archive are not here: whoever opens the page is told
        return None


def game_preview(dossier: Dossier, version: int | None, language: str) -> Preview:
    """What is told of a game, or of a moment of it."""
    game, words = dossier.game, PREVIEW_WORDS[language]
    if version is not None and not 1 <= version <= game.version:
        version = None
    names = [name or words["free"] for name in player_names(dossier, language)]
    called = ruleset_of(game, context().rulesets).names[language][game.created.ruleset]
    shown = version or game.version
    has_board = game.started and (version is None or board_exists(game.id, version))
    query = urlencode({"card": "true"} | ({"lang": language} if language != "en" else {}))
    return Preview(
        address=f"/g/{game.id}" if version is None else f"/g/{game.id}/{version}",
        title=words["title"].format(game=called, who=", ".join(names)),
        description=words["then"].format(version=version, last=game.version)
        if version
        else situation(game, names, words),
        image=f"/v1/games/{game.id}/replay/{shown}/board.png?{query}" if has_board else None,
        language=language,
        embeddable=True,
    )


def board_exists(game_id: str, version: int) -> bool:
    """Had the game started by then?"""
    (carved,) = context().store.read(game_id, version - 1, 1)
    return carved.entry.state is not None


def situation(game: Game, names: Sequence[str], words: Mapping[str, str]) -> str:
    """How the game stands, in a sentence."""
    if game.status == "playing":
        return words["playing"].format(who=words["and"].join(names[seat] for seat in game.to_act))
    if game.outcome:
        winners = [names[seat] for seat in game.outcome.winners]
        return words["won"].format(who=words["and"].join(winners)) if winners else words["nobody"]
    return words[game.status]


# -- as HTML and JSON -----------------------------------------------------------------------------------------------------


def head_of(preview: Preview, origin: str) -> str:
    """The elements that a page's head has of a preview, the title first."""
    address = origin + preview.address
    properties = {
        "og:site_name": SITE,
        "og:type": "website",
        "og:url": address,
        "og:title": preview.title,
        "og:description": preview.description,
    }
    names = {
        "description": preview.description,
        "theme-color": "#b2472b",
        "twitter:card": "summary_large_image" if preview.image else "summary",
        "twitter:title": preview.title,
        "twitter:description": preview.description,
    }
    if preview.image:
        alt = PREVIEW_WORDS[preview.language]["board"].format(title=preview.title)
        properties |= {
            "og:image": origin + preview.image,
            "og:image:type": "image/png",
            "og:image:width": str(CARD_WIDTH),
            "og:image:height": str(CARD_HEIGHT),
            "og:image:alt": alt,
        }
        names |= {"twitter:image": origin + preview.image, "twitter:image:alt": alt}
    lines = [
        f"<title>{escape(preview.title)}</title>",
        *(f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items()),
        *(f'<meta name="{name}" content="{escape(text)}">' for name, text in names.items()),
        f'<link rel="canonical" href="{escape(address)}">',
    ]
    if preview.embeddable:
        found = f"{origin}/v1/oembed?{urlencode({'url': address, 'format': 'json'})}"
        lines.append(
            f'<link rel="alternate" type="application/json+oembed" href="{escape(found)}" title="{escape(preview.title)}">'
        )
    return "\n    ".join(lines)


EMBED_WIDTH = 800
CARD_STEP = 40
"""Widths of a card at which its height is a whole number are multiples of this."""
SMALLEST_CARD = 200


def oembed_of(
    preview: Preview, origin: str, game_id: str, version: int | None, most: tuple[int, int]
) -> OEmbedBody:
    """An answer of the oEmbed format, no larger than `most` (width and height)."""
    width = min(EMBED_WIDTH, most[0])
    height = min(round(width * 0.95), most[1])
    query = urlencode({"lang": preview.language} | ({"at": str(version)} if version else {}))
    source = f"{origin}/embed/{game_id}?{query}"
    frame = (
        f'<iframe src="{escape(source)}" width="{width}" height="{height}" title="{escape(preview.title)}"'
        ' frameborder="0" loading="lazy"></iframe>'
    )
    answer = OEmbedBody(
        title=preview.title,
        provider_name=SITE,
        provider_url=origin,
        cache_age=300,
        html=frame,
        width=width,
        height=height,
    )
    room = min(CARD_WIDTH, most[0], most[1] * CARD_WIDTH // CARD_HEIGHT) // CARD_STEP * CARD_STEP
    if preview.image and room >= SMALLEST_CARD:
        answer.thumbnail_url = f"{origin}{preview.image}&width={room}"
        answer.thumbnail_width, answer.thumbnail_height = room, room * CARD_HEIGHT // CARD_WIDTH
    return answer
