"""Cards for previews of links: a board with its game, the moment and the players beside it, 1200 by 630."""

import re
from html import unescape

from games.pictures import THEMES, lines, seat_mark, words
from games.pictures.canvas import SANS
from games.svg import Element, document, rect
from replays.pictures import Look

CARD_WIDTH, CARD_HEIGHT = 1200, 630
MARGIN = 24
WIDEST_BOARD = 760
OPENING = re.compile(r'<svg xmlns="[^"]*" width="(\d+)" height="(\d+)"')
TITLE = re.compile(r"<title[^>]*>([^<]*)</title>")
SEATS_SHOWN = 4


def share_card(board: str, game: str, look: Look) -> str:
    """A board as a card; `game` is what the game is called."""
    opening = OPENING.match(board)
    assert opening, "every board says how large it is"
    width, height = map(int, opening.groups())
    scale = min(WIDEST_BOARD / width, (CARD_HEIGHT - 2 * MARGIN) / height)
    x, y = CARD_WIDTH - MARGIN - width * scale, (CARD_HEIGHT - height * scale) / 2
    placed = f'<svg x="{x:.1f}" y="{y:.1f}" width="{width * scale:.1f}" height="{height * scale:.1f}"'
    return _card(game, moment_of(board, game), look, x - 2 * MARGIN).removesuffix("</svg>") + (
        placed + board[opening.end() :] + "</svg>"
    )


def moment_of(board: str, game: str) -> str:
    """What a picture says of its moment, without the name of the game."""
    title = TITLE.search(board)
    whole = unescape(title[1]) if title else ""
    moment = whole.removeprefix(game).lstrip(",: ")
    return moment[:1].upper() + moment[1:]


def _card(game: str, moment: str, look: Look, room: float) -> str:
    """The card without its board; `room` is how wide its words may be."""
    theme = THEMES[look.theme]
    left = 2 * MARGIN
    room -= MARGIN
    people = [
        part
        for seat, name in enumerate(look.players[:SEATS_SHOWN])
        for part in (
            seat_mark(theme, seat, left + 14, 400 + seat * 50, 28),
            words(theme, left + 44, 410 + seat * 50, name or "–", size=30, width=room - 44),
        )
    ]
    return document(
        Element(
            "svg",
            (
                rect(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=theme.ground),
                rect(0, 0, 12, CARD_HEIGHT, fill=theme.seats[0]),
                words(theme, left, 110, game, size=64, width=room, bold=True, serif=True, smallest=36),
                lines(theme, left, 190, moment, room, size=32, most=4),
                *people,
            ),
            xmlns="http://www.w3.org/2000/svg",
            width=CARD_WIDTH,
            height=CARD_HEIGHT,
            viewBox=f"0 0 {CARD_WIDTH} {CARD_HEIGHT}",
            font_family=SANS,
            fill=theme.text,
        )
    )
