"""Temple of Five, as the rest of the system plays it."""

from collections.abc import Mapping
from typing import Any

from games.chance import Chance
from games.components import ComponentSet
from games.kernel import Bot, Course, Fact, Outcome, Ruleset, Seat, Viewer
from games.temple_of_five.actions import (
    Allot,
    ChooseGoal,
    EndTurn,
    Exchange,
    PlaceBonus,
    PlaceSpecial,
    PlaceTile,
    TakeBlessing,
    TempleAction,
    UseChain,
)
from games.temple_of_five.bonus import place_bonus
from games.temple_of_five.bot import Greedy
from games.temple_of_five.box import PUBLISHED, Box, put_on_shelf
from games.temple_of_five.building import place_special, place_tile
from games.temple_of_five.exchange import allot, exchange
from games.temple_of_five.facts import FACTS
from games.temple_of_five.facts.course import GameEnded, GameSetUp
from games.temple_of_five.legal import canonical, legal_actions
from games.temple_of_five.position import set_up
from games.temple_of_five.priests import take_blessing, use_chain
from games.temple_of_five.rounds import choose_goal, end_turn
from games.temple_of_five.scoring import breakdown_now
from games.temple_of_five.state import Options, State
from games.temple_of_five.views import view
from games.words import read_words


class TempleOfFive(Ruleset[State, TempleAction]):
    """Version 1 of the rules; further component sets may be given beside the published ones."""

    name = "temple_of_five"
    version = 1
    seat_counts = range(2, 5)
    names = read_words("temple_of_five", "names.json")
    sentences = read_words("temple_of_five", "sentences.json")
    state_type = State
    options_type = Options
    action_types = (
        ChooseGoal,
        Exchange,
        Allot,
        PlaceTile,
        PlaceSpecial,
        PlaceBonus,
        UseChain,
        TakeBlessing,
        EndTurn,
    )
    fact_types = FACTS

    def __init__(self, component_sets: Mapping[str, ComponentSet[Box]] | None = None) -> None:
        self.component_sets = {**PUBLISHED, **(component_sets or {})}
        put_on_shelf(self.component_sets)

    def setup(
        self, options: Options, seats: int, chance: Chance, position: Mapping[str, Any] | None = None
    ) -> list[Fact[State]]:
        return [GameSetUp(set_up(options, seats, chance, position))]

    def carry_out(self, state: State, seat: Seat, action: TempleAction, chance: Chance) -> Course[State]:
        course = Course(state)
        match action:  # the most frequent first
            case PlaceTile():
                place_tile(course, seat, action)
            case UseChain():
                use_chain(course, seat, action)
            case EndTurn():
                end_turn(course, seat)
            case Allot():
                allot(course, seat, action)
            case Exchange():
                exchange(course, seat, action)
            case PlaceBonus():
                place_bonus(course, seat, action)
            case PlaceSpecial():
                place_special(course, seat, action)
            case ChooseGoal():
                choose_goal(course, seat, action.side)
            case TakeBlessing():
                take_blessing(course, seat, action)
        return course

    def end_now(self, state: State, winners: tuple[Seat, ...], reason: str) -> Fact[State]:
        breakdown = breakdown_now(state)
        return GameEnded(Outcome(winners, reason, tuple(score.total for score in breakdown)), breakdown)

    def legal_actions(self, state: State, seat: Seat) -> list[TempleAction]:
        return legal_actions(state, seat)

    def canonical(self, state: State, seat: Seat, action: TempleAction) -> TempleAction:
        return canonical(state, seat, action)

    def view(self, state: State, viewer: Viewer) -> State:
        return view(state, viewer)

    def redact_action(self, action: Mapping[str, Any], seat: Seat, viewer: Viewer) -> Mapping[str, Any]:
        """Secret choices show their type alone, a face-down tile stays unknown, all else is open (6.12)."""
        if viewer == seat:
            return action
        match action["type"]:
            case "choose_goal" | "exchange" | "allot":
                return {"type": action["type"]}
            case "place_special" if not action["face_up"]:
                return {**action, "tile": None}
            case _:
                return action

    def greedy_bot(self) -> Bot[State, TempleAction]:
        return Greedy()
