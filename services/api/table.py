"""The table of all routes of the API; the modules of `services.api.routes` fill it when they are imported."""

from services.http.routing import Table

TABLE = Table(
    {
        "rulesets": "The games that can be played.",
        "games": "Games: create, look, list.",
        "forks": "New games from old positions.",
        "seats": "Seats, seals, tokens and tickets.",
        "notifications": "Be told of your turn while you are away.",
        "play": "What a seat may do, and doing it.",
        "table": "At the table: rematches, taking back, handing seats over, time and pauses.",
        "ending": "Calling games off, and judging them.",
        "socket": "One connection for many games.",
        "log": "The log: events, live or not, and its head.",
        "replay": "Replays: games as they stood, as each seat saw them.",
        "pictures": "Boards as pictures.",
        "sharing": "Games on other pages.",
        "audit": "Records of games, and their audits.",
        "review": "Reviews of games: where they turned, and on what.",
        "transparency": "The transparency log, in tiles.",
        "keys": "What the server's signatures are checked with.",
        "results": "Outcomes and standings.",
        "feed": "What happens in many games.",
        "webhooks": "Be told of what happens.",
        "health": "For those who run the server.",
    }
)
"""What is said of each section in the document, in the order in which it has them."""
