"""The parts of a position that may be put shortly, or left out in part (4.3)."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET

from games.kernel import replace
from games.positions import demand, gives, part, read
from games.sa_re.box import JOKER, Box
from games.sa_re.city import PYRAMID, site_at
from games.sa_re.payment import card_gives, uncovered
from games.sa_re.state import (
    Card,
    Payment,
    Pending,
    Player,
    State,
    Stock,
    TempleCard,
    Tile,
    Work,
    WorkSequence,
    box_of,
    standing_seats,
)


def listed(raw: Any, member: str) -> tuple[Any, ...]:
    """The items of a list that a part may leave out."""
    return read(raw[member], tuple[Any, ...]) if gives(raw, member) else ()


def spelled_out(box: Box, player: Any) -> Any:
    """A player with its spaces, stock and cards in full."""
    if not isinstance(player, Mapping):
        return player
    stock = player.get("stock")
    return {
        **player,
        "spaces": _spaces(box, player["spaces"]) if gives(player, "spaces") else None,
        "stock": None if stock is None else read(stock, Stock),
        "cards": tuple(_card(box, card) for card in listed(player, "cards")),
    }


# -- tiles ----------------------------------------------------------------------------------------------------------


def _spaces(box: Box, raw: Any) -> tuple[tuple[Tile, ...], ...]:
    """The board, as a list or by the numbers of its spaces; a tile may be its name alone, and is built."""
    names = [str(space) for space in box.spaces]
    if isinstance(raw, Mapping):
        spaces = read(raw, dict[str, tuple[Any, ...]])
    else:
        board = read(raw, tuple[tuple[Any, ...], ...])
        demand(len(board) == len(names), f"a board has {len(names)} spaces, not {len(board)}")
        spaces = dict(zip(names, board, strict=True))
    for name in spaces:
        demand(name in names, f"there is no space {name!r}")
    tiles = (spaces.get(name, ()) for name in names)
    return tuple(
        tuple(part(tile, Tile, short="building", past=("cost",), built=True) for tile in there)
        for there in tiles
    )


def completed_tile(box: Box, tile: Tile, numbers: Iterator[int]) -> Tile:
    """A tile with every member that belongs to its type; a pyramid without a number takes the next one."""
    demand(tile.building in box.buildings, f"there is no building {tile.building!r}")
    is_pyramid, is_site = tile.building == PYRAMID, not tile.built
    number = tile.number if tile.number is not UNSET else next(numbers, 0) if is_pyramid else 0
    steps = _steps_of(box, number) if is_pyramid else 0
    members = {
        "token": (tile.building in box.producers, tile.built),
        "used": (tile.building in box.administrative, False),
        "number": (is_pyramid, number),
        "steps": (is_pyramid, steps if tile.built else 0),
        "step_done": (is_pyramid, False),
        "new": (is_site, False),
        "moved": (is_site, False),
    }
    for name, (belongs, left_out) in members.items():
        if getattr(tile, name) is not UNSET:
            demand(belongs, f"this {tile.building} cannot have `{name}`")
        elif belongs:
            tile = replace(tile, **{name: left_out})
    if tile.steps is not UNSET:
        fits = 0 <= tile.steps <= steps and tile.built == (tile.steps == steps)
        demand(fits, f"pyramid {number} has {steps} steps and is built with the last of them")
    return tile


def _steps_of(box: Box, number: int) -> int:
    numbers = [pyramid.number for pyramid in box.pyramids]
    demand(
        number in numbers, "there are more pyramids on the boards than players, or one with an unknown number"
    )
    return len(box.pyramid(number).steps)


# -- cards and the sequence -----------------------------------------------------------------------------------------


def _card(box: Box, raw: Any) -> Card:
    """A card in front of a player; Troubles lie there as jokers."""
    card = part(raw, Card, short="id")
    demand(card.id in box.cards, f"there is no season card {card.id!r}")
    card = card if card.kept is True else replace(card, kept=UNSET)
    return card if gives(raw, "joker") else replace(card, joker=box.cards[card.id].kind == "trouble")


def _pending(box: Box, raw: Any) -> Pending:
    """A drawn card; Troubles have the level on the card, or less."""
    card = part(raw, Pending, short="id")
    demand(card.id in box.cards, f"there is no season card {card.id!r}")
    level = box.cards[card.id].level
    if card.level is UNSET:
        return replace(card, level=level or UNSET)
    demand(1 <= card.level <= level, f"{card.id} cannot have level {card.level}")
    return card


def sequence_from(state: State, raw: Any) -> WorkSequence | None:
    """In the season a fresh sequence of the active seat, in which what is given overrides."""
    if raw is None:
        if state.phase != "season":
            return None
        raw = {}
    box, dark = box_of(state), not state.deck_face_up
    sequence = part(
        raw,
        WorkSequence,
        past=("pending", "temple"),
        seat=state.active_seat,
        pending=[_pending(box, card) for card in listed(raw, "pending")],
        temple=[part(card, TempleCard, short="id", dark=dark) for card in listed(raw, "temple")],
    )
    if gives(raw, "final"):
        return sequence
    return replace(sequence, final=standing_seats(state) == (sequence.seat,))


# -- the work -------------------------------------------------------------------------------------------------------


def work_from(state: State, raw: Any) -> Work | None:
    """The open work with its payments, and what it lacks."""
    if raw is None:
        return None
    box = box_of(state)
    work = part(raw, Work, past=("paid", "uncovered"), seat=state.active_seat, space=None)
    demand(work.seat in range(len(state.players)), f"there is no seat {work.seat}")
    me = state.players[work.seat]
    demand((work.kind == "build") == (work.space is not None), "a building has a space, a caravan has none")
    is_open = work.space is None or (work.space in box.spaces and site_at(me, work.space) is not None)
    demand(is_open, f"there is no open site on space {work.space} to pay for")
    work = replace(work, paid=tuple(_payment(box, me, payment) for payment in listed(raw, "paid")))
    return replace(work, uncovered=uncovered(state, work))


def _payment(box: Box, player: Player, raw: Any) -> Payment:
    """A payment; what its source gives follows from the source."""
    payment = part(raw, Payment, past=("card",), gives=())
    source = payment.source
    if source.card is not UNSET:
        card = _card(box, raw["card"] if gives(raw, "card") else source.card)
        payment = replace(payment, card=card)
    return payment if gives(raw, "gives") else replace(payment, gives=_gives(box, player, payment))


def _gives(box: Box, player: Player, payment: Payment) -> tuple[str, ...]:
    source = payment.source
    if payment.card is not UNSET:
        return card_gives(box, payment.card)
    if source.stock is not UNSET:
        return (source.stock,)
    if source.production is not UNSET and source.production in box.spaces:
        tiles = player.spaces[source.production]
        return tuple(box.buildings[tile.building].produces or "" for tile in tiles)
    return (JOKER,)
