"""How the bot exchanges tiles and builds: long open chains, such as the cards in play ask for, and priests brought home."""

from collections.abc import Iterable, Iterator
from heapq import nlargest
from typing import NamedTuple

from games.kernel import Seat
from games.temple_of_five.actions.building import Allot, Exchange, PlaceSpecial, PlaceTile
from games.temple_of_five.bot.offers import offers_to
from games.temple_of_five.bot.turn import turn_worth
from games.temple_of_five.box import Part
from games.temple_of_five.building import free_slots
from games.temple_of_five.exchange import destinations_with_room
from games.temple_of_five.goals import seen_goals
from games.temple_of_five.ground import Site, groups_after, site_on
from games.temple_of_five.legal import exchanges, special_placings
from games.temple_of_five.rounds import CHAINS_PER_TURN
from games.temple_of_five.state import LAST_ROUND, Destination, Ids, Player, State, box_of
from games.temple_of_five.surface import after_covering

LATER = 0.3
"""What a chain's worth as such counts beside the points that the next turn may bring."""
HOME = 0.12
"""What a priest that comes home is worth for each round that it may serve."""
SPITE = 0.5
"""What suits the neighbour counts against giving it."""
FINALISTS = 4
"""How many of the best placings are looked at closely."""
EFFECT_WORTH = {"two_bonus": 2.0, "private_card": 3.0}


class Turned(NamedTuple):
    """A tile in one of its rotations, and its parts."""

    tile: str
    rotation: int
    parts: tuple[Part, ...]


def ways_to_turn(view: State, tiles: Ids) -> list[Turned]:
    """Each different face of these tiles."""
    box = box_of(view)
    return [
        Turned(tile, rotation, box.parts[box.faces[tile][rotation]])
        for tile in tiles
        for rotation in box.different_rotations[tile]
    ]


def free_sites(view: State, player: Player) -> Iterator[tuple[int, Site, float]]:
    """The free slots, and how the chains of a board change when they are cleared: priests come home, too."""
    home = HOME * (LAST_ROUND - view.round + 1) / LATER
    name, surface, priests = view.options.component_set, player.surface, player.board_priests
    for slot in free_slots(view, player):
        site = site_on(name, surface, priests, view.level, slot)
        yield slot, site, site.change + home * site.returned


def gains(view: State, seat: Seat, tiles: Ids) -> dict[str, float]:
    """How well each tile would suit a seat's board in its best place."""
    best = dict.fromkeys(tiles, float("-inf"))
    turned = ways_to_turn(view, tiles)
    for _, site, cleared in free_sites(view, view.players[seat]):
        joins = site.joins
        for tile, _, parts in turned:
            gain = cleared
            for part in parts:
                gain += joins[part]
            best[tile] = max(best[tile], gain)
    return best


Placing = tuple[float, int, int]
"""By how much a tile betters the chains of a board, on which slot, and in which of the ways to turn it."""


def best_placings(
    turned: list[Turned], sites: Iterable[tuple[int, Site, float]], number: int
) -> list[Placing]:
    """So many placings that better the chains of a board most."""
    found: list[Placing] = []
    least = float("-inf")
    for slot, site, cleared in sites:
        joins = site.joins
        for way, (_, _, parts) in enumerate(turned):
            gain = cleared
            for part in parts:
                gain += joins[part]
            if gain > least:
                found.append((gain, slot, way))
                if len(found) > 2 * number:
                    found = nlargest(number, found)
                    least = found[-1][0]
    return nlargest(number, found)


def best_exchange(view: State, seat: Seat) -> Exchange:
    """Keep the tile that suits oneself best; the left neighbour, who plays next, gets what suits them least."""
    hand = view.players[seat].hand or ()
    own, theirs = gains(view, seat, hand), gains(view, (seat + 1) % view.seats, hand)
    return max(
        exchanges(view, seat),
        key=lambda split: own[split.keep] - SPITE * sum([theirs[tile] for tile in split.left]),
    )


def best_allotment(view: State, seat: Seat) -> Allot:
    """Keep a tile that suits oneself at least as well as any neighbour; else give it where it suits least."""
    (*_, tile) = view.players[seat].hand or ()
    to_whom: dict[Destination, Seat] = {
        "keep": seat,
        "left": (seat + 1) % view.seats,
        "right": (seat - 1) % view.seats,
    }
    suits = {to: gains(view, to_whom[to], (tile,))[tile] for to in destinations_with_room(view, seat)}
    if "keep" in suits and suits["keep"] >= max(suits.values()):
        return Allot("keep")
    gifts = [to for to in suits if to != "keep"]
    return Allot(min(gifts, key=lambda to: suits[to]))


def best_tile(view: State, seat: Seat) -> PlaceTile:
    """Of the placings that leave the best open chains, the one whose chains the cards in play ask for."""
    me = view.players[seat]
    offers, turned = offers_to(view, seat, me.priests_reserve), ways_to_turn(view, me.hand or ())
    sites = list(free_sites(view, me))
    site_of = {slot: site for slot, site, _ in sites}

    def worth(placing: Placing) -> float:
        gain, slot, way = placing
        groups = groups_after(site_of[slot], turned[way].parts)
        return offers.for_turn(groups, CHAINS_PER_TURN) + seen_goals(view, me, groups) + LATER * gain

    _, slot, way = max(best_placings(turned, sites, FINALISTS), key=worth)
    return PlaceTile(turned[way].tile, slot, turned[way].rotation)


def best_top(view: State, seat: Seat) -> PlaceSpecial:
    """The top that promises most from the last turn."""
    return max(special_placings(view, seat), key=lambda placing: top_worth(view, seat, placing))


def top_worth(view: State, seat: Seat, placing: PlaceSpecial) -> float:
    """The chains and pieces of the last turn under this top, and what its effect adds."""
    box = box_of(view)
    effect = box.specials_by_id[placing.tile].effect if placing.face_up else None
    face = box.special_face(placing.tile, placing.face_up)
    after = after_covering(box, view.players[seat], 3, 0, face)
    return turn_worth(view, seat, after, effect) + EFFECT_WORTH.get(effect or "", 0.0)
