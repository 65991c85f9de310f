"""What routes take besides a body: the parameters of queries and headers, as the document tells them."""

from typing import Any

from services.http.routing import Doc


def query(name: str, description: str, **schema: Any) -> Doc:
    """A parameter in the query."""
    return {"in": "query", "name": name, "description": description, "schema": schema}


def header(name: str, description: str, **schema: Any) -> Doc:
    """A parameter in the headers."""
    return {"in": "header", "name": name, "description": description, "schema": {"type": "string", **schema}}


MAX_WAIT = 30
"""Seconds."""
MOST_EVENTS = 1000
MOST_ITEMS = 200
LANGUAGES = ("en", "fr")
THEMES = ("light", "dark")
SHAPES = ("wide", "tall")
LOBBY_STATUSES = ("open", "playing", "ended")
VIEWS = ("full",)
INCLUDABLE = ("actions", "labels", "actions,labels")

NUMBER: Doc = {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}
FLAG: Doc = {"type": "string", "enum": ["true", "false"]}

TICKET = query("ticket", "In place of a token, where a browser cannot send the header.", type="string")
JOIN_CODE = query(
    "join_code",
    "The code of a private game: lets you look at it as a spectator until it is settled.",
    type="string",
)
READER = (TICKET, JOIN_CODE)
"""How who cannot send a token is let in to read."""
AFTER = query("after", "What came after this version.", **NUMBER)
WAIT = query(
    "wait", "Seconds to hold the answer until there is more.", type="integer", minimum=0, maximum=MAX_WAIT
)
VIEW = query(
    "view",
    "The full state: for operators, and for everyone once the game is settled.",
    type="string",
    enum=VIEWS,
)
INCLUDE = query(
    "include",
    "Also what you may do now, in `actions`: nothing, if you are not to act. With `labels` also a sentence for each, in `lang`, in the same order.",
    type="string",
    enum=INCLUDABLE,
)
FRAMES = query(
    "frames",
    "Frames in place of events, with which nothing need be asked again. Refused with 422 unless `Accept` asks for a"
    " stream (`text/event-stream`).",
    **FLAG,
)
FROM = query("from", "The first version.", **NUMBER)
TO = query("to", "The last version.", **NUMBER)
AS = query("as", "With whose eyes: a seat's number, or `spectator`.", type="string")
LANG = query("lang", "The language of the words.", type="string", enum=LANGUAGES)
THEME = query("theme", "The light that it is drawn in.", type="string", enum=THEMES)
INCLUDED = (INCLUDE, LANG)
SHAPE = query("shape", "`tall` is for a phone held upright.", type="string", enum=SHAPES)
WIDTHS = (200, 2000)
"""Pixels that a PNG may be wide."""
WIDTH = query("width", "Pixels.", type="integer", minimum=WIDTHS[0], maximum=WIDTHS[1])
CARD = query(
    "card", "The board on a card for previews of links, 1200 by 630 if `width` is not given.", **FLAG
)
EVENTS = query("limit", "Events a page.", type="integer", minimum=1, maximum=MOST_EVENTS)
ITEMS = query("limit", "Items a page.", type="integer", minimum=1, maximum=MOST_ITEMS)
CURSOR = query(
    "cursor", "Where the page before said that this one begins (`next`).", type="string", minLength=1
)
LOBBY_STATUS = query("status", "Games in this status.", type="string", enum=LOBBY_STATUSES)
RULESET = query("ruleset", "Games of this ruleset.", type="string")
HOST = query("host", "Games of this host.", type="string")
RATED_RULESET = query("ruleset", "In this ruleset.", type="string") | {"required": True}
RATED_HOST = query(
    "host", "Players of this host; without it, those of games that no host has created.", type="string"
)
TAG = query("tag", "Games with this tag.", type="string")
PLAYER = query(
    "player",
    "Games of the player with this ref: as `host` gave it, else as the calling host did, else whoever gave it.",
    type="string",
)
TO_ACT = query("to_act", "Games in which the player with this ref is to act (see `player`).", type="string")
MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z$"
SINCE, UNTIL = (
    query(name, f"Games settled {what} this moment.", type="string", format="date-time", pattern=MOMENT)
    for name, what in (("since", "at or after"), ("until", "before"))
)
LAST_GAME = query(
    "cursor", "The `game` of the last record that you have: what comes after it.", type="string", minLength=1
)
DECISION = query("decision", "Refuse unless this is the decision the seat has to make.", **NUMBER)
DRY_RUN = query("dry_run", "Only tell whether it would be accepted.", **FLAG)
IMPORT = query("import", "Keep the game; for operators.", **FLAG)
IF_MATCH = header(
    "If-Match", "Refuse unless the game is at this version: its ETag, or `*`; of several, at one of them."
)
IF_NONE_MATCH = header("If-None-Match", "Answer 304 if this ETag is still right.")
LAST_EVENT_ID = header(
    "Last-Event-ID", "The last event seen: a stream goes on after it.", pattern="^[0-9]{1,16}$"
)
PREFER = header("Prefer", "`return=minimal`: answer with `version` and `hash` only (RFC 7240).")
SIGNATURE = header(
    "Stele-Signature",
    "Of a seat that has a key: its Ed25519 signature in hex, one for each action, separated by commas.",
)
IDEMPOTENCY_KEY = header(
    "Idempotency-Key",
    "Makes a retry safe for ever: the same key gives the first answer again. Without a token, at least 22 characters.",
    pattern="^[!-~]{1,255}$",
)
