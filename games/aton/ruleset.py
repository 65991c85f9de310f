"""Aton as a ruleset: the wiring between the kernel and the rules."""

from collections.abc import Mapping
from typing import Any

from games.aton import facts, legal, setup, views
from games.aton.actions import Allocate, AtonAction, Cull, Exchange, Place, Remove
from games.aton.allocation import allocate, exchange
from games.aton.board import COMPONENT_SETS
from games.aton.bot import Greedy
from games.aton.play import Play, ending
from games.aton.round_end import cull
from games.aton.state import Options, State
from games.aton.turn import place, remove
from games.chance import Chance
from games.kernel import Bot, Course, Fact, Ruleset, Seat, Viewer
from games.words import read_words


class Aton(Ruleset[State, AtonAction]):
    """Aton by Thorsten Gimmler: two players, four cartouches, four temples."""

    name = "aton"
    version = 1
    seat_counts = range(2, 3)
    names = read_words("aton", "names.json")
    sentences = read_words("aton", "sentences.json")
    state_type = State
    options_type = Options
    action_types = (Exchange, Allocate, Remove, Place, Cull)
    fact_types = (
        facts.GameSetUp,
        facts.DeckReshuffled,
        facts.CardsDrawn,
        facts.HandExchanged,
        facts.CardsAllocated,
        facts.CartouchesRevealed,
        facts.PointsScored,
        facts.OrderCardsDrawn,
        facts.OrderCardsReturned,
        facts.OrderDetermined,
        facts.RemovalSkipped,
        facts.RemovalStarted,
        facts.PieceRemoved,
        facts.PlacementSkipped,
        facts.PlacementStarted,
        facts.PiecePlaced,
        facts.PieceNotPlaced,
        facts.TemplesScored,
        facts.CullStarted,
        facts.PieceCulled,
        facts.DeadReturned,
        facts.RoundEnded,
        facts.RoundStarted,
        facts.GameEnded,
    )
    component_sets = COMPONENT_SETS

    def setup(
        self, options: Options, seats: int, chance: Chance, position: Mapping[str, Any] | None = None
    ) -> list[Fact[State]]:
        return setup.opening(options, chance, position)

    def carry_out(self, state: State, seat: Seat, action: AtonAction, chance: Chance) -> Course[State]:
        play = Play(state, chance)
        match action:
            case Exchange():
                exchange(play, seat)
            case Allocate(cards):
                allocate(play, seat, cards)
            case Remove(space):
                remove(play, seat, space)
            case Place(space):
                place(play, seat, space)
            case Cull(space):
                cull(play, seat, space)
        return play

    def end_now(self, state: State, winners: tuple[Seat, ...], reason: str) -> Fact[State]:
        return ending(state, winners, reason)

    def legal_actions(self, state: State, seat: Seat) -> list[AtonAction]:
        return legal.legal_actions(state, seat)

    def view(self, state: State, viewer: Viewer) -> State:
        return views.view(state, viewer)

    def redact_action(self, action: Mapping[str, Any], seat: Seat, viewer: Viewer) -> Mapping[str, Any]:
        """Moves of pieces are open; of an allocation or an exchange others learn only that it was made (4.1)."""
        open_to_all = action["type"] in ("remove", "place", "cull")
        return action if open_to_all else super().redact_action(action, seat, viewer)

    def greedy_bot(self) -> Bot[State, AtonAction]:
        return Greedy()
