"""The state of a game of Temple of Five (4.2). In a view hidden zones are null and their counts stay.

`Options` and `State` are those of version 1; `version_2` adds to them.
"""

from typing import Any, Literal

import msgspec

from games.kernel import GameState, Outcome, Seat, replace
from games.temple_of_five.box import SHELF, Box
from games.temple_of_five.contents import GODS, Colour, Effect, God, Side, Space

Phase = Literal["choose_goal", "exchange", "build", "place_priests", "ended"]
Destination = Literal["keep", "left", "right"]
Target = Literal["red", "gold", "blue", "green", "supreme", "private"]
Ids = tuple[str, ...]
Rows = tuple[str, ...]

LAST_ROUND = 6
LEVELS = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3}
"""The level that each round builds (5)."""
DEALT = {1: 3, 2: 2, 3: 2}
"""How many tiles a seat gets in a round, by the level being built (5)."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The variants, which may be combined freely (2)."""

    special_tiles: Literal["single_colour", "effect", "mixed"] = "single_colour"
    will_of_the_gods: bool = False
    ultimate_goal: bool = False
    component_set: str = "reconstructed_1"


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat keeps and gives away in an exchange."""

    keep: str | None = None
    left: Ids = ()
    right: Ids = ()

    @property
    def tiles(self) -> Ids:
        """Every tile that has a destination."""
        return self.going("keep") + self.left + self.right

    def going(self, to: Destination) -> Ids:
        """The tiles with this destination."""
        if to == "keep":
            return () if self.keep is None else (self.keep,)
        return self.left if to == "left" else self.right

    def joined_by(self, tile: str, to: Destination) -> "Choice":
        """The choice with one more tile allotted."""
        return replace(self, **{to: tile if to == "keep" else (*self.going(to), tile)})


class PlacedTile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decoration tile on the pyramid."""

    level: int
    slot: int
    tile: str
    rotation: int


class Special(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The top of the pyramid; others do not know a tile that lies face down."""

    tile: str | None
    face_up: bool


class PlacedPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus decoration, on the level where it was laid; it stays listed when it is covered."""

    bonus: str
    level: int
    spaces: tuple[Space, ...]


class Blessing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card in play and the priests on its spaces, from left to right."""

    card: str
    priests: tuple[int | None, ...]

    @property
    def free(self) -> tuple[int, ...]:
        """The spaces that no priest stands on."""
        return tuple([space for space, seat in enumerate(self.priests) if seat is None])


class Chain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A largest connected set of at least two spaces that show one colour (4.1)."""

    colour: Colour
    length: int
    spaces: tuple[Space, ...]
    closed: bool


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's points, part by part (8)."""

    completed: int
    incomplete: int
    bonus: int
    goals: int
    goals_met: Ids
    total: int


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What belongs to one seat; at first nothing, and null what is still to be dealt or cannot be seen."""

    board: str = ""
    vacated: Literal["resigned", "timed_out"] | None = None
    priests_reserve: int = 0
    hand: Ids | None = None
    hand_count: int = 0
    unseen: Ids | None = None
    unseen_count: int = 0
    choice: Choice | None = None
    tiles: tuple[PlacedTile, ...] = ()
    special: Special | None = None
    pieces: tuple[PlacedPiece, ...] = ()
    board_priests: tuple[Space, ...] = ()
    bonus_2: Ids | None = ()
    bonus_2_count: int = 0
    bonus_3: Ids | None = ()
    bonus_3_count: int = 0
    completed: Ids = ()
    private_card: Blessing | None = None
    goal_side: Side | None = None
    score: Score | None = None
    surface: Rows = ()
    levels: Rows = ()
    chains: tuple[Chain, ...] = ()

    def sign(self, space: Space) -> str:
        """The letter that a space shows from above."""
        return self.surface[space[0]][space[1]]

    def top_level(self, space: Space) -> str:
        """The highest level that covers a space."""
        return self.levels[space[0]][space[1]]

    def chain_at(self, space: Space) -> Chain | None:
        """The chain that a space belongs to."""
        for chain in self.chains:
            if space in chain.spaces:
                return chain
        return None

    @property
    def tiles_in_hand(self) -> Ids:
        """The tiles still to be placed, turned up or not, as far as they can be seen."""
        return (self.hand or ()) + (self.unseen or ())

    @property
    def bonus_reserve(self) -> Ids:
        """The pieces in reserve, as far as they can be seen."""
        return (self.bonus_2 or ()) + (self.bonus_3 or ())


class Display(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The face-up card of each god; null when its deck has run out."""

    red: Blessing | None = None
    gold: Blessing | None = None
    blue: Blessing | None = None
    green: Blessing | None = None
    supreme: Blessing | None = None

    def of(self, god: str) -> Blessing | None:
        """The card of one god."""
        card: Blessing | None = getattr(self, god)
        return card


class TurnState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far the active seat's priest turn has gone."""

    chains_used: int = 0
    chain_limit: int = 2
    effect_used: bool = False


class State(GameState, frozen=True):
    """A whole game, or a view of it."""

    options: Options
    phase: Phase = "exchange"
    round: int = 1
    level: int = 1
    first_player: int = 0
    active_seat: int | None = None
    to_act: tuple[int, ...] = ()
    turn_state: TurnState | None = None
    players: tuple[Player, ...] = ()
    display: Display = Display()
    deck_red: Ids | None = None
    deck_red_count: int = 0
    deck_gold: Ids | None = None
    deck_gold_count: int = 0
    deck_blue: Ids | None = None
    deck_blue_count: int = 0
    deck_green: Ids | None = None
    deck_green_count: int = 0
    deck_supreme: Ids | None = None
    deck_supreme_count: int = 0
    tile_pile: Ids | None = None
    tile_pile_count: int = 0
    special_pile: Ids | None = None
    special_pile_count: int = 0
    special_discard: Ids | None = None
    special_discard_count: int = 0
    bonus_2_pile: Ids | None = None
    bonus_2_pile_count: int = 0
    bonus_3_pile: Ids | None = None
    bonus_3_pile_count: int = 0
    outcome: Outcome | None = None

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def turn_order(self) -> tuple[Seat, ...]:
        """Every seat, from the holder of the first player token on."""
        first, seats = self.first_player, len(self.players)
        return tuple([(first + step) % seats for step in range(seats)])

    def count(self, pile: str) -> int:
        """How many components lie in a pile or deck, whether they can be seen or not."""
        number: int = getattr(self, COUNTS[pile])
        return number

    def top(self, pile: str, number: int = 1) -> Ids:
        """The next components of a pile or deck; only the full state knows them."""
        return (self.pile(pile) or ())[:number]

    def pile(self, name: str) -> Ids | None:
        """A pile or deck, from its top; None where it is not shown."""
        ids: Ids | None = getattr(self, name)
        return ids

    @property
    def turn(self) -> TurnState:
        """How far the turn has gone, in the phase that has turns."""
        return self.turn_state or TurnState()

    def with_card(self, seat: Seat, target: Target, card: Blessing | None) -> "State":
        """The state with this card (or none) where a seat's target says."""
        if target == "private":
            return self.with_player(seat, private_card=card)
        return replace(self, display=replace(self.display, **{target: card}))

    def priests_on(self, seat: Seat, target: Target) -> tuple[int | None, ...]:
        """Who stands on the spaces of a card in play."""
        card = self.card_in_play(seat, target)
        return () if card is None else card.priests

    def card_in_play(self, seat: Seat, target: Target) -> Blessing | None:
        """The card that a seat means by a god's name or by `private`."""
        return self.players[seat].private_card if target == "private" else self.display.of(target)

    def effect_of(self, seat: Seat) -> Effect | None:
        """The effect of a seat's special tile, if that lies face up."""
        special = self.players[seat].special
        if special is None or not special.face_up or special.tile is None:
            return None
        return box_of(self).specials_by_id[special.tile].effect

    def cleared(self) -> "State":
        """Nothing is chosen any more: neither tiles to exchange nor, before all have chosen, a goal."""
        undecided = self.phase == "choose_goal"
        players = tuple(
            replace(player, choice=None, goal_side=None if undecided else player.goal_side)
            for player in self.players
        )
        return replace(self, players=players, turn_state=None)


PILES = ("tile_pile", "special_pile", "bonus_2_pile", "bonus_3_pile")
DECKS: dict[God, str] = {god: f"deck_{god}" for god in GODS}
COUNTS = {pile: f"{pile}_count" for pile in (*DECKS.values(), *PILES)}
"""The member that counts each pile and deck."""


def box_of(state: State) -> Box:
    """The box a game is played with."""
    return SHELF[state.options.component_set].box


def without_top(state: State, pile: str, number: int) -> dict[str, Any]:
    """What changes when components leave the top of a pile or deck; one that is not seen stays unseen."""
    ids = state.pile(pile)
    rest = None if ids is None else ids[number:]
    return {pile: rest, COUNTS[pile]: state.count(pile) - number}


def fresh(box: Box, card: str) -> Blessing:
    """A card that comes into play, with no priest on any of its spaces."""
    return Blessing(card, (None,) * len(box.cards_by_id[card].values))
