"""What the document says of operations beside what the routes say themselves: what to know, and examples of each.

A test sends all examples, with the ids of games that are there.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

EXAMPLE_GAME_ID = "00-xvp07ck455byg7gws9sa6q9z20"
WEBHOOK = "0ab9kz3v7wq2m5t8"
ENTROPY = "5e" * 32
SEALED = "cf628d9b51a1c48b857ad4a2b98106327734dbda06309bcd689b525d3e6ce230"
RECORD: Any = msgspec.json.decode(files(__package__).joinpath("record.json").read_bytes())
"""The record of a small game."""

PATH_PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "game_id": {"description": "The id of the game.", "example": EXAMPLE_GAME_ID},
    "ruleset": {"description": "The id of the ruleset.", "example": "babel"},
    "seat": {"description": "The number of the seat, from 0 on.", "example": 1},
    "tile": {"description": "The path of a tile, as C2SP tlog-tiles has it.", "example": "0/000.p/1"},
    "version": {"description": "How many entries the log had then.", "example": 4},
    "webhook_id": {"description": "The id of the webhook.", "example": WEBHOOK},
}


SUBSCRIPTION = {
    "endpoint": "https://push.example.org/send/abc",
    "expirationTime": None,
    "keys": {
        "p256dh": "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
        "auth": "tBHItJI5svbpez7KI4CCXg",
    },
}


class Told(NamedTuple):
    """What is told of one operation."""

    about: str = ""
    """What to know before calling it; empty if the route says it."""
    query: Mapping[str, Any] = {}
    """Values of parameters, to see how they look."""
    bodies: Mapping[str, Any] = {}
    """Bodies, by what they are for."""


OPERATIONS: Mapping[str, Told] = {
    "list_rulesets": Told(
        "Each with the JSON Schemas of its options and actions; one by one they have their words and layout too."
    ),
    "show_ruleset": Told(
        "Everything that a front-end or a bot needs to know of a game: JSON Schemas of options, actions, view, facts and"
        " outcome, words in English and French, the component sets, and where things lie on the board. Caches may keep"
        " it; it changes with the server alone."
    ),
    "create_game": Told(
        "Whoever creates a game gets the tokens of the players it names, beside their seats, and, of a private game,"
        " its join code. With an Idempotency-Key the call can be sent again: it is the same game.",
        bodies={
            "against a bot": {"ruleset": "babel", "players": [{"name": "Ada"}, {"bot": "greedy"}]},
            "open to others": {"ruleset": "temple_of_five", "seats": 3, "players": [{"name": "Ada"}]},
            "with options and a clock": {
                "ruleset": "sa_re",
                "options": {"mode": "architect", "quick_start": True},
                "seats": 2,
                "private": True,
                "clock": {"total_seconds": 1800, "increment_seconds": 10},
            },
        },
    ),
    "show_guide": Told(
        "As data, in `lang`; a board names its parts by the keys of the guide (`data-explain`). It changes with the"
        " server alone: ask again with the ETag.",
        {"lang": "fr"},
    ),
    "show_lessons": Told(
        "Each starts from a position of its own: create a game with `lesson` and play what its steps ask for.",
        {"lang": "fr"},
    ),
    "show_example_board": Told(
        "Drawn from a fixed position, for a page that presents the game.", {"lang": "fr", "theme": "dark"}
    ),
    "create_games": Told(
        "Each game is created as if it had been posted alone with its `key` as Idempotency-Key. If one would be refused,"
        " `errors` names it by its index, with the code and the sentence of its refusal.",
        bodies={
            "round": {
                "items": [
                    {
                        "key": "cup-1-1",
                        "ruleset": "babel",
                        "players": [{"name": "Ada", "ref": "member-1"}, {"name": "Ben", "ref": "member-2"}],
                        "tags": ["cup.1"],
                    }
                ]
            }
        },
    ),
    "list_games": Told(query={"status": "open", "ruleset": "babel", "limit": 20}),
    "show_game": Told(
        "What is hidden from you is null in `view`. The ETag tells whether anything has changed; with `wait` the server"
        " answers as soon as it has.",
        {"after": 3, "wait": 10, "include": "actions"},
    ),
    "fork_game": Told(
        "The child has the rules, options and number of seats of its parent. The parent is settled, so everybody can"
        " know what lay where: with `redeal` `piles` what no seat had seen then is dealt anew; hands and what somebody"
        " knew stay as they were. It does not count in standings.",
        bodies={
            "from the start": {"version": 4, "players": [{"name": "Ada"}, {"bot": "random"}]},
            "with new piles": {"version": 4, "redeal": "piles"},
        },
    ),
    "list_forks": Told("A game and its forks are linked both ways: a fork has its parent among its links."),
    "take_seat": Told(
        "The answer has the seat's token, which acts and sees for it. Who distrusts the server brings entropy, openly"
        " or sealed: then the deal depends on it.",
        bodies={"a player": {"name": "Ben"}, "sealed": {"name": "Cleo", "entropy_commitment": SEALED}},
    ),
    "open_seal": Told(
        "Once all seats are taken every seal has to be opened within its deadline, or the game is called off.",
        bodies={"opened": {"entropy": ENTROPY}},
    ),
    "renew_token": Told(
        "For a player who has lost it; whoever has the old one can neither see nor act with it."
    ),
    "make_ticket": Told(
        "For `<img>` and `EventSource`. It holds for ten minutes, for resuming a stream too; then get another one."
    ),
    "legal_actions": Told(
        "Choose one and send it as it is, with `?decision=`: then it is refused if the situation is another by now."
    ),
    "act": Told(
        "An action that the rules refuse is 409 with the rule's own code, and nothing has changed. With an"
        " Idempotency-Key it can be sent again; with `decision` or If-Match it is refused if it comes too late.",
        bodies={
            "one": {"type": "travel", "site": "hittites"},
            "several": [{"type": "deploy", "nation": "assyrians"}, {"type": "build", "source": "start"}],
        },
    ),
    "check_action": Told(
        "What would be refused comes with the code and the sentence that the action itself would get.",
        bodies={"one": {"type": "end_turn"}},
    ),
    "resign": Told("The seat can still look, but not act any more."),
    "take_back": Told(
        "The game says in `takeback` how far you may go. What was drawn or came into sight stays; so does the time used.",
        bodies={"latest": {}, "further": {"to": 4}},
    ),
    "hand_over": Told(
        "Earlier tokens of the seat are dead once another person has it. Nothing is appended when a seat asks for a code.",
        bodies={"named": {"name": "Dora", "ref": "member-17"}, "code": {}},
    ),
    "take_over": Told(
        "A code works once, within ten minutes.",
        bodies={"another": {"code": "0.1763400000.1f.mac", "name": "Dora"}},
    ),
    "ask_for_rematch": Told(
        "The new game has the newest version of the same ruleset, and the options, clock, privacy and host of this one."
        " Its free seats are for these players alone.",
        bodies={"plain": {}, "with_entropy": {"entropy": "the third of May"}},
    ),
    "show_rematch": Told("Seats are those of this game; in the next one everybody sits one further on."),
    "add_time": Told(
        "It is added to the reserve, to what is left of a total clock or, with a plain turn clock, to the running turn.",
        bodies={"minute": {"seconds": 60}},
    ),
    "pause": Told("Only a game with a clock can be paused. While it is, no time passes and nobody acts."),
    "resume": Told("Every deadline is later by as long as the pause was."),
    "abort_game": Told("A game that was called off has no outcome, and counts nowhere."),
    "adjudicate": Told(
        "For a game that cannot be played to its end. The rules count the points as they stand.",
        bodies={"judged": {"winners": [1], "why": "Seat 0 has left the tournament."}},
    ),
    "list_events": Told(query={"after": 2, "limit": 50}),
    "show_head": Told(
        "Version and hash, signed with the server's key where it has one: a receipt for all before it."
    ),
    "replay": Told(query={"from": 2, "to": 5, "include": "actions"}),
    "replay_version": Told(
        "The entry that led there, and the state of play after it as you could see it then.",
        {"include": "actions"},
    ),
    "board_now": Told(
        "An SVG of 1000 units in width, without scripts or anything from elsewhere; docs/front-ends.md says how its parts"
        " name what actions may name.",
        {"lang": "fr", "theme": "dark"},
    ),
    "board_then": Told("The same picture for any version that you may replay.", {"theme": "dark"}),
    "board_now_in_pixels": Told(
        "A card has the game, the moment and the players beside the board: what previews of links show.",
        {"width": 400, "theme": "dark"},
    ),
    "board_then_in_pixels": Told("The same picture for any version that you may replay.", {"card": "true"}),
    "oembed": Told(
        "For pages that turn a link into what it shows. The frame has the game as spectators see it; a private game is not"
        " shown.",
        {"url": f"https://club.example/g/{EXAMPLE_GAME_ID}", "maxwidth": 500},
    ),
    "show_record": Told(
        "One JSON document; `stele audit`, the page at `/audit` and `POST /v1/records` check it."
    ),
    "export_games": Told(
        "For archives and research. Hosts also get their private games, operators all. The cursor is the `game` of the last"
        " record received.",
        {"ruleset": "babel", "since": "2026-11-01T00:00:00Z"},
    ),
    "show_audit": Told(
        "Every check by name, each with the first entry that fails it, and what the game's chances are worth."
    ),
    "audit_record": Told(
        "The record is checked as if it came from a stranger: by its hashes, its seed, and by playing it again.",
        bodies={"a small game": RECORD},
    ),
    "begin_review": Told(
        "It takes one to three minutes of one core and is made when nobody plays for it: ask with GET how far it is. A review"
        " that is there is answered at once; to ask twice for one is to ask once."
    ),
    "show_review": Told(
        "`curve` is how likely each seat was to win after each entry, in thousandths, with all hands open. `better` is"
        " judged by what the seat could know then, against `chance`; `open` with all hands open, against `open_chance`."
        " `luck` is what the draws gave against other draws. docs/review.md says what these figures can show."
    ),
    "drop_review": Told("A review that is under way stops within a second or so; one that is there is gone."),
    "register_for_notifications": Told(
        "A browser's `PushSubscription`, made with the key of `GET /v1/push-key`. A turn is told once, `after_seconds` after it"
        " began, if the seat is still to act and has no stream or followed game on a socket at that moment; so is the end."
        " docs/front-ends.md has what the message says.",
        bodies={"a browser": {"push": SUBSCRIPTION, "after_seconds": 60}},
    ),
    "ask_for_hint": Told(
        "It is made by what your seat sees and nothing else, in about half a second of a thinker: ask with GET."
    ),
    "show_hint": Told(
        "202 while it is being made. After the next entry of the log it is gone: ask again.", {"lang": "fr"}
    ),
    "show_proof": Told(
        "A proof holds a checkpoint that the log has signed; with the log's key it can be checked anywhere."
    ),
    "show_checkpoint": Told(
        "A signed note (C2SP tlog-checkpoint): origin, number of leaves, root. A new one comes seconds after a game starts"
        " or is settled."
    ),
    "show_tile": Told(
        "Hashes of the tree, 256 to a tile, from which anyone computes proofs of inclusion and of consistency. Caches may"
        " keep a tile for ever."
    ),
    "list_keys": Told("What the signatures of heads are checked with; retired keys stay listed."),
    "list_results": Told(query={"ruleset": "babel", "limit": 20}),
    "list_ratings": Told(
        "People are rated whom the game's host has given a `ref`, in games with at least two of them; matches count in the"
        " order (time of settlement, id of the game).",
        {"ruleset": "babel", "host": "club"},
    ),
    "list_standings": Told(
        "A win gives two points, a shared one one. Players are known by the refs that their hosts gave them.",
        {"tag": "spring-cup", "host": "club"},
    ),
    "show_feed": Told(query={"types": "turn,game_ended"}),
    "add_webhook": Told(
        bodies={"all turns": {"url": "https://club.example/stele", "types": ["turn", "game_ended"]}}
    ),
    "list_webhooks": Told("One that fails for a day is disabled; `reason` says what was wrong."),
    "remove_webhook": Told("What has not been delivered yet never will be."),
    "test_webhook": Told("It is signed like any other, with its id and type alone in `data`."),
    "alive": Told("It needs nothing but this process: for whoever restarts it."),
    "metrics": Told("Requests, streams, and how far the workers are behind."),
}
