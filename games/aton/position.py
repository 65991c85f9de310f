"""Positions to start from (4.2): reading them, filling what they leave out, refusing what cannot be."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from games.aton.actions import Card
from games.aton.board import BOARDS, CARTOUCHES, Board
from games.aton.culling import cull_quota, leader
from games.aton.facts import culling_seat
from games.aton.pieces import holds_all, pieces_by_temple
from games.aton.reveal import order_by_cartouches
from games.aton.state import (
    SEATS,
    Cards,
    Options,
    Player,
    Quota,
    State,
    board_of,
    dead_is_full,
    laid,
    other,
    replace,
)
from games.aton.turn import placement_number, removal_number
from games.chance import Chance
from games.kernel import InvalidSetup, Seat

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=1)]
# Rounds and rebuilds are counted on from here, and must stay within the integers that the log can hold.
Number = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
QuotaPart = tuple[Number, Number, Number, Number]


class PlayerPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a position may say of a player; counts are derived, whatever it says of them."""

    seat: int | None = None
    colour: str | None = None
    score: Number | None = None
    supply: int | None = None
    trade_token: bool | None = None
    rebuilds: Number | None = None
    hand: tuple[Card, ...] | None = None
    hand_count: Any = None
    deck: tuple[Card, ...] | None = None
    deck_count: Any = None
    discard: tuple[Card, ...] | None = None
    exchanged: tuple[Card, ...] | None = None
    exchanged_count: Any = None
    cartouches: tuple[Card, ...] | None = None
    cartouches_count: Any = None


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A state, or part of one: whatever is absent or null is filled in, whatever is derived is ignored."""

    options: Options | None = None
    phase: Literal["allocate", "remove", "place", "cull"] | None = None
    round: Positive | None = None
    active_seat: SeatNumber | None = None
    to_act: Any = None
    first_seat: SeatNumber | None = None
    remaining: Number | None = None
    target_seat: Any = None
    cull_quota: tuple[QuotaPart, QuotaPart] | None = None
    players: tuple[PlayerPart | None, PlayerPart | None] | None = None
    board: dict[str, SeatNumber | None] | None = None
    dead: tuple[SeatNumber, ...] | None = None
    outcome: None = None

    def part(self, seat: Seat) -> PlayerPart:
        """What the position says of a seat."""
        return (self.players and self.players[seat]) or PlayerPart()


def read_position(raw: Mapping[str, Any] | None) -> Position:
    """A position from its JSON value; none at all is an ordinary setup."""
    try:
        return msgspec.convert({} if raw is None else raw, Position)
    except msgspec.ValidationError as error:
        raise _fault(f"{error}") from None


def fill(position: Position, options: Options, chance: Chance) -> State:
    """The state that a position describes, before any drawing or automatic step."""
    _check(position.options in (None, options), "its options are not those of the game")
    board = BOARDS[options.component_set]
    red, blue = (_player(position, seat, board, chance) for seat in SEATS)
    state = State(
        options=options,
        phase=position.phase or "allocate",
        round=position.round or 1,
        active_seat=None,
        to_act=(),
        first_seat=None,
        remaining=0,
        target_seat=None,
        cull_quota=None,
        players=(red, blue),
        board=dict.fromkeys(board.spaces) | (position.board or {}),
        dead=position.dead or (),
        outcome=None,
    )
    _check_pieces(position, state, board)
    _check_nobody_has_won(state, board)
    return _ready(position, state)


def _check(holds: bool, fault: str) -> None:
    if not holds:
        raise _fault(fault)


def _fault(fault: str) -> InvalidSetup:
    return InvalidSetup("invalid_position", f"No game can start from this position: {fault}.")


# -- cards ------------------------------------------------------------------------------------------------------


def _player(position: Position, seat: Seat, board: Board, chance: Chance) -> Player:
    part, box = position.part(seat), board.box
    _check(part.seat in (None, seat), f"player {seat} cannot have seat {part.seat}")
    _check(part.colour in (None, box.colours[seat]), f"seat {seat} is {box.colours[seat]}")
    score = part.score or 0
    _check(score < box.winning_score, f"seat {seat} has {score} points and would have won")
    hand, exchanged, cartouches = (_zone(part, zone) for zone in ("hand", "exchanged", "cartouches"))
    _check_zones(position, seat)
    deck, discard = _deck_and_discard(part, seat, box.cards, chance)
    on_board = sum(owner == seat for owner in (position.board or {}).values())
    return Player(
        seat=seat,
        colour=box.colours[seat],
        score=score,
        supply=box.pieces_per_player - on_board - (position.dead or ()).count(seat),
        trade_token=part.trade_token is not False,
        rebuilds=part.rebuilds or 0,
        hand=hand,
        hand_count=len(hand),
        deck=deck,
        deck_count=len(deck),
        discard=discard,
        exchanged=exchanged,
        exchanged_count=len(exchanged),
        cartouches=cartouches,
        cartouches_count=len(cartouches),
    )


def _zone(part: PlayerPart, zone: str) -> Cards:
    cards: Cards | None = getattr(part, zone)
    return cards or ()


def _check_zones(position: Position, seat: Seat) -> None:
    """How many cards may lie where, by what the seat has still to do."""
    part = position.part(seat)
    cartouches, exchanged = _zone(part, "cartouches"), _zone(part, "exchanged")
    _check(len(cartouches) in (0, CARTOUCHES), f"seat {seat} has {len(cartouches)} cards at its cartouches")
    _check(len(exchanged) in (0, CARTOUCHES), f"seat {seat} has exchanged {len(exchanged)} cards")
    token_spent = part.trade_token is False
    _check(token_spent or not exchanged, f"seat {seat} has exchanged cards and still its trade token")
    allocating = position.phase in (None, "allocate")
    _check(
        allocating or bool(cartouches), f"seat {seat} has laid no cards, and the phase is {position.phase}"
    )
    holds = CARTOUCHES if allocating and not cartouches else 0
    _check(part.hand is None or len(part.hand) == holds, f"seat {seat} must hold {holds} cards")


def _deck_and_discard(part: PlayerPart, seat: Seat, box: Cards, chance: Chance) -> tuple[Cards, Cards]:
    """The cards that no zone names are shuffled as the deck; if the deck is given, they are discards."""
    zones = ("hand", "deck", "discard", "exchanged", "cartouches")
    named = Counter(card for zone in zones for card in _zone(part, zone))
    unnamed = Counter(box) - named
    _check(not named - Counter(box), f"seat {seat} has more cards of a value than there are")
    if part.deck is None:
        return chance.shuffle(f"deck/{seat}/0", unnamed.elements()), _zone(part, "discard")
    if part.discard is None:
        return part.deck, tuple(sorted(unnamed.elements()))
    _check(not unnamed, f"seat {seat} has {unnamed.total()} cards too few")
    return part.deck, part.discard


# -- pieces -----------------------------------------------------------------------------------------------------


def _check_pieces(position: Position, state: State, board: Board) -> None:
    """Every piece is on the board, among the dead or in the supply."""
    unknown = sorted(set(state.board) - set(board.spaces))
    _check(not unknown, f"the board has no space {', '.join(unknown)}")
    _check(len(state.dead) <= board.box.dead_spaces, f"there are {len(state.dead)} dead")
    for player in state.players:
        given = position.part(player.seat).supply
        _check(player.supply >= 0, f"seat {player.seat} has more than {board.box.pieces_per_player} pieces")
        _check(given in (None, player.supply), f"seat {player.seat} has {player.supply} pieces in its supply")


def _check_nobody_has_won(state: State, board: Board) -> None:
    for winning_set in board.winning_sets:
        for seat in SEATS:
            won = holds_all(state, seat, winning_set.spaces)
            _check(not won, f"seat {seat} has won ({winning_set.reason})")


# -- whose turn it is -------------------------------------------------------------------------------------------


def _ready(position: Position, state: State) -> State:
    """The state with what its phase needs: who is to lay, who goes first, who culls."""
    phase, quota = state.phase, position.cull_quota
    in_turn = phase in ("remove", "place")
    _check(quota is None or phase == "cull", f"there is no cull in the phase {phase}")
    _check(in_turn or not position.remaining, f"no pieces remain to be moved in the phase {phase}")
    if phase == "allocate":
        for field in ("first_seat", "active_seat"):
            _check(getattr(position, field) is None, f"{field} must be null in the phase {phase}")
        return replace(state, to_act=tuple(p.seat for p in state.players if not p.cartouches_count))
    state = replace(state, first_seat=_first_seat(position, state))
    if in_turn:
        _check_turn(position, state)
        return state
    _check(dead_is_full(state), "a cull needs the realm of the dead to be full")
    return state if quota is None else _culling(state, quota)


def _first_seat(position: Position, state: State) -> Seat:
    """The seat that the cartouches put first; it must be named only where they do not tell."""
    by_cards = order_by_cartouches(laid(state, 0), laid(state, 1))
    if by_cards is None:
        _check(position.first_seat is not None, "the cartouches do not tell who goes first, name first_seat")
        return position.first_seat or 0
    first, by = by_cards
    _check(position.first_seat in (None, first), f"{by} puts seat {first} first")
    return first


def _check_turn(position: Position, state: State) -> None:
    """Someone must be active, with no more pieces to move than the cards ask for."""
    seat = position.active_seat
    if seat is None:
        raise _fault(f"the phase {state.phase} needs an active_seat")
    if position.remaining is not None:
        asked = (removal_number if state.phase == "remove" else placement_number)(state, seat)
        _check(1 <= position.remaining <= asked, f"remaining must lie between 1 and {asked}")


def _culling(state: State, quota: tuple[Quota, Quota]) -> State:
    """A cull under way: the leader takes all his pieces before the other takes any."""
    first, most = leader(state), board_of(state).box.cull_pieces
    for seat in SEATS:
        pieces = pieces_by_temple(state, seat)
        there = all(asked <= own for asked, own in zip(quota[seat], pieces, strict=True))
        _check(there, f"seat {seat} has not as many pieces in the temples as its quota says")
        _check(sum(quota[seat]) <= most, f"the quota of seat {seat} is more than {most} pieces")
    _check(any(map(any, quota)), "no piece remains to be culled")
    untouched = not any(quota[first]) or quota[other(first)] == cull_quota(state, other(first))
    _check(untouched, f"seat {other(first)} culls after the leader and has its whole quota to take")
    active = culling_seat(quota, first)
    return replace(
        state, cull_quota=quota, active_seat=active, to_act=(active,) if active is not None else ()
    )
