"""What a game of Sa-Ré looks like at a moment (4.1).

`Options` and `State` are those of version 1; `version_2` adds to them.
"""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal, Self

import msgspec
from msgspec import UNSET, UnsetType

from games.kernel import GameState, Outcome, Seat, replace
from games.sa_re.box import COMPONENT_SETS, TOKENS, Box

Mode = Literal["scribe", "architect", "priest", "pharaoh"]
Phase = Literal["setup", "sites", "season", "construction", "ended"]
Decision = Literal[
    "place_start", "sites", "work", "resolve", "temple", "react", "wrap_up", "construction", "pay"
]
Obelisk = Literal["standing", "down", "revolt"]
Stage = Literal["main", "administrative"]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A part of the state."""


class Options(Part, frozen=True):
    """How this game is played (2)."""

    rules: ClassVar[int] = 1
    """The version of the ruleset."""
    mode: Mode = "scribe"
    divinity: bool = False
    quick_start: bool = False
    max_rounds: Annotated[int, msgspec.Meta(ge=1)] | None = 60
    component_set: str = "base"


class Stock(Part, frozen=True):
    """The tokens in all of a player's warehouses."""

    wood: int = 0
    gold: int = 0
    stone: int = 0
    joker: int = 0

    @property
    def total(self) -> int:
        return self.wood + self.gold + self.stone + self.joker

    def of(self, resource: str) -> int:
        """How many tokens of this type; none of a type that does not exist."""
        return getattr(self, resource) if resource in TOKENS else 0

    def plus(self, resources: Iterable[str], sign: int = 1) -> "Stock":
        """This stock with these tokens put in, or taken out."""
        stock = self
        for resource in resources:
            stock = replace(stock, **{resource: stock.of(resource) + sign})
        return stock

    def minus(self, resources: Iterable[str]) -> "Stock":
        return self.plus(resources, -1)


class Discard(Part, frozen=True, omit_defaults=True):
    """Tokens given up; types of which there are none are left out."""

    wood: Annotated[int, msgspec.Meta(ge=0)] = 0
    gold: Annotated[int, msgspec.Meta(ge=0)] = 0
    stone: Annotated[int, msgspec.Meta(ge=0)] = 0
    joker: Annotated[int, msgspec.Meta(ge=0)] = 0


class Cost(Part, frozen=True):
    """What a site costs now, discounts taken off; `wild` more of any type is waived (5.7)."""

    wood: int
    gold: int
    stone: int
    wild: int


class Tile(Part, frozen=True):
    """A building, or the site of one. Which members it has depends on its type and on its being built."""

    building: str
    built: bool
    token: bool | UnsetType = UNSET
    used: bool | UnsetType = UNSET
    number: int | UnsetType = UNSET
    steps: int | UnsetType = UNSET
    step_done: bool | UnsetType = UNSET
    new: bool | UnsetType = UNSET
    moved: bool | UnsetType = UNSET
    cost: Cost | UnsetType = UNSET


Space = tuple[Tile, ...]
Spaces = tuple[Space, ...]


class Card(Part, frozen=True):
    """A season card in front of a player; a joker is a Troubles card turned by the Library."""

    id: str
    joker: bool = False
    exchanged: bool = False
    kept: bool | UnsetType = UNSET
    """Kept from an earlier round; since version 2, and only where it is so (Q33)."""


class Pending(Part, frozen=True):
    """A drawn card that is not yet resolved; a Troubles card has a level."""

    id: str
    owed: bool = False
    level: int | UnsetType = UNSET

    @property
    def is_trouble(self) -> bool:
        return self.level is not UNSET


class TempleCard(Part, frozen=True):
    """A card that the Temple shows; in the dark to its player alone."""

    id: str | None
    dark: bool


class WorkSequence(Part, frozen=True):
    """A player's work sequence in the season of production."""

    seat: int
    drawn: int = 0
    owed: int = 0
    pending: tuple[Pending, ...] = ()
    temple: tuple[TempleCard, ...] = ()
    troubles: int = 0
    passed_to: tuple[int, ...] = ()
    produced: bool = False
    final: bool = False

    def card(self, card: str) -> Pending | None:
        """This pending card, if it is one."""
        for each in self.pending:
            if each.id == card:
                return each
        return None


class Source(Part, frozen=True):
    """Where a resource comes from: exactly one of a card, the stock, a production building, a caravan (6.4)."""

    card: str | UnsetType = UNSET
    stock: str | UnsetType = UNSET
    production: int | UnsetType = UNSET
    caravan: bool | UnsetType = UNSET

    def __post_init__(self) -> None:
        places = (self.card, self.stock, self.production, self.caravan)
        if sum(each is not UNSET for each in places) != 1 or self.caravan is False:
            raise ValueError(
                'a source is one of {"card": id}, {"stock": type}, {"production": space}, {"caravan": true}'
            )


class Payment(Part, frozen=True):
    """A source that was paid, and what it gave."""

    source: Source
    gives: tuple[str, ...]
    card: Card | UnsetType = UNSET


class Work(Part, frozen=True):
    """A building or a caravan that is being paid for."""

    seat: int
    kind: Literal["build", "caravan"]
    space: int | None
    paid: tuple[Payment, ...] = ()
    uncovered: int = 0

    @property
    def key(self) -> str:
        """What this work is called in the list of cancelled ones."""
        return "caravan" if self.space is None else f"build:{self.space}"


class Player(Part, frozen=True):
    """A player's city and what lies before it."""

    spaces: Spaces
    stock: Stock
    caravans: int = 0
    caravans_new: int = 0
    revolt: int = 0
    revolt_limit: int = 0
    penalty: int | None = None
    growth: tuple[Stage, ...] = ()
    ever_built: tuple[str, ...] = ()
    obelisk: Obelisk = "standing"
    cards: tuple[Card, ...] = ()
    built_this_round: int = 0
    undone: tuple[str, ...] = ()
    to_place: tuple[str, ...] = ()
    vacated: Literal["resigned", "timed_out"] | None = None

    @property
    def stands(self) -> bool:
        """Still in the season."""
        return self.obelisk == "standing"

    @property
    def in_revolt(self) -> bool:
        return self.obelisk == "revolt"

    @property
    def room(self) -> int:
        """How many steps the gauge is away from general revolt."""
        return self.revolt_limit - self.revolt

    def card(self, card: str) -> Card | None:
        """This card, if it lies in front of the player."""
        for each in self.cards:
            if each.id == card:
                return each
        return None


class State(GameState, frozen=True, gc=False):
    """A whole game; in a view, what is hidden is null."""

    options: Options
    players: tuple[Player, ...]
    supply: dict[str, int]
    pyramids: tuple[int, ...]
    discard: tuple[str, ...]
    deck: tuple[str, ...] | None = ()
    deck_count: int = 0
    deck_face_up: bool = True
    top_known_to: int | None = None
    top_card: str | None = None
    set_aside: tuple[str, ...] | None = ()
    set_aside_count: int = 0
    phase: Phase = "setup"
    round: int = 1
    first_seat: int = 0
    active_seat: int | None = 0
    to_act: tuple[int, ...] = ()
    decision: Decision | None = None
    sequence: WorkSequence | None = None
    reactions: tuple[int, ...] = ()
    work: Work | None = None
    cancelled: tuple[str, ...] = ()
    outcome: Outcome | None = None

    def cleared(self) -> Self:
        """Nobody is asked to react or to decide any more, and no launch will cost anything."""
        players = tuple([replace(player, penalty=None) for player in self.players])
        return replace(self, players=players, reactions=(), decision=None)


def box_of(state: State) -> Box:
    """The box a game is played with."""
    return COMPONENT_SETS[state.options.component_set].box


def sequence_of(state: State) -> WorkSequence:
    """The work sequence that is going on."""
    if state.sequence is None:
        raise ValueError("no work sequence is going on")
    return state.sequence


def work_of(state: State) -> Work:
    """The work that is being paid for."""
    if state.work is None:
        raise ValueError("no work is open")
    return state.work


def standing_seats(state: State) -> tuple[Seat, ...]:
    """Who is still in the season."""
    return tuple([seat for seat, player in enumerate(state.players) if player.obelisk == "standing"])


def next_seat(state: State, seat: Seat) -> Seat:
    """The seat clockwise from this one."""
    return (seat + 1) % len(state.players)


def founding_order(state: State) -> list[Seat]:
    """The seats in the order in which they found their cities: since version 2 from the first player on (Q45)."""
    first, seats = state.first_seat if state.options.rules > 1 else 0, len(state.players)
    return [(first + step) % seats for step in range(seats)]


def next_to_found(state: State) -> Seat | None:
    """The next seat that has something to place."""
    return next((seat for seat in founding_order(state) if state.players[seat].to_place), None)


def awaited(state: State) -> State:
    """The state with `decision` and `to_act` as they follow from the rest."""
    seat = state.active_seat
    decision = _decision_in_season(state) if state.phase == "season" else _decision_out_of_season(state)
    if decision is None or seat is None:
        to_act: tuple[int, ...] = ()
    else:
        to_act = state.reactions if decision == "react" else (seat,)
    if decision == state.decision and to_act == state.to_act:
        return state
    return replace(state, decision=decision, to_act=to_act)


def _decision_out_of_season(state: State) -> Decision | None:
    """What the game waits for, by phase."""
    match state.phase:
        case "construction":
            return "pay" if state.work else "construction"
        case "sites":
            return "sites"
        case "setup":
            return "place_start"
    return None


def _decision_in_season(state: State) -> Decision:
    """What a sequence waits for, by precedence (5.4)."""
    if state.reactions:
        return "react"
    sequence = state.sequence
    if sequence is None:
        return "work"
    if sequence.temple:
        return "temple"
    if sequence.pending:
        return "resolve"
    is_over = state.deck_count == 0 or (sequence.produced and sequence.owed == 0)
    return "wrap_up" if is_over else "work"
