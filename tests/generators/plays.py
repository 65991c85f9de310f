"""A program on nothing but what openapi-python-client makes of the document: it plays a game of each ruleset.

`python plays.py URL`, with the generated package `stele_api` on the path.
"""

import json
import sys
from random import Random
from typing import Any

from stele_api import AuthenticatedClient, Client
from stele_api.api.games import create_game, show_game
from stele_api.api.play import act, legal_actions
from stele_api.models import (
    Acted,
    AtonNewGame,
    BabelGame,
    BabelNewGame,
    BabelOptions,
    LegalActions,
    Outcome,
    SaReNewGame,
    SaReOptions,
    Sitter,
    TempleOfFiveNewGame,
)

server = sys.argv[1]
dice = Random(5)


def play(wanted: Any) -> None:
    created: Any = create_game.sync(client=Client(server), body=wanted)
    clients = [AuthenticatedClient(server, seat.token) for seat in created.seats]
    to_act, moves, outcome = created.to_act, 0, None
    while not isinstance(outcome, Outcome):
        seat = dice.choice(to_act)
        legal = legal_actions.sync(created.id, client=clients[seat])
        assert isinstance(legal, LegalActions), legal
        acted = act.sync(
            created.id, client=clients[seat], body=dice.choice(legal.actions), decision=legal.decision
        )
        assert isinstance(acted, Acted), acted
        to_act, outcome, moves = acted.to_act, acted.outcome, moves + 1
    shown: Any = show_game.sync(created.id, client=clients[0])
    if isinstance(shown, BabelGame) and shown.view:
        assert len(shown.view.players[0].hand) == shown.view.players[0].hand_count
    print(json.dumps({"ruleset": shown.ruleset, "moves": moves, "winners": outcome.winners}))


players = [Sitter(name="Ada"), Sitter(name="Ben")]
play(BabelNewGame(ruleset="babel", options=BabelOptions(edition="2000"), players=players))
play(AtonNewGame(ruleset="aton", players=players))
play(TempleOfFiveNewGame(ruleset="temple_of_five", players=players))
play(SaReNewGame(ruleset="sa_re", options=SaReOptions(max_rounds=2), players=players))
