"""The greedy bot: it builds long open chains and spends them where they pay at once (15)."""

from games.chance import Stream
from games.kernel import Action, Bot, Seat
from games.temple_of_five.actions import building
from games.temple_of_five.actions.priests import EndTurn, TakeBlessing, UseChain
from games.temple_of_five.appraisal import PIECE, Use, best_placing_gain, best_use, covering_worth, prospects
from games.temple_of_five.building import free_slots
from games.temple_of_five.contents import Space
from games.temple_of_five.exchange import destinations_with_room
from games.temple_of_five.legal import blessings, bonus_placings, exchanges, special_placings, tile_placings
from games.temple_of_five.priests import at_chain_limit, can_reuse_a_chain
from games.temple_of_five.rounds import chain_limit
from games.temple_of_five.state import Chain, Destination, Player, State, box_of
from games.temple_of_five.surface import after_covering, after_decorating

EFFECT_WORTH = {"two_bonus": 2.0, "private_card": 3.0}
LEAST_GAIN_OF_A_PIECE = 1.25
"""A piece in reserve is a point, so it is laid only where it brings more."""


class Greedy(Bot[State, Action[State]]):
    """Looks one action ahead."""

    def choose(self, view: State, seat: Seat, dice: Stream) -> Action[State]:
        match view.phase:
            case "choose_goal":
                return building.ChooseGoal("b")
            case "exchange" if view.options.will_of_the_gods:
                return best_allotment(view, seat)
            case "exchange":
                return best_exchange(view, seat)
            case "build" if view.level == 3:
                return best_top(view, seat)
            case "build":
                return best_tile(view, seat)
            case _:
                return best_of_turn(view, seat)


def gain_for(view: State, seat: Seat, tile: str) -> float:
    """How well a tile would suit a seat's board."""
    player = view.players[seat]
    return best_placing_gain(view, player, tile, free_slots(view, player))


def best_exchange(view: State, seat: Seat) -> building.Exchange:
    """Keep the tile that suits oneself best; the left neighbour, who plays next, gets what suits them least."""
    left = (seat + 1) % view.seats
    hand = view.players[seat].hand or ()
    own = {tile: gain_for(view, seat, tile) for tile in hand}
    theirs = {tile: gain_for(view, left, tile) for tile in hand}
    return max(
        exchanges(view, seat), key=lambda split: (own[split.keep], -sum(theirs[tile] for tile in split.left))
    )


def best_allotment(view: State, seat: Seat) -> building.Allot:
    """Keep a tile that suits oneself at least as well as any neighbour; else give it where it suits least."""
    (*_, tile) = view.players[seat].hand or ()
    to_whom: dict[Destination, Seat] = {
        "keep": seat,
        "left": (seat + 1) % view.seats,
        "right": (seat - 1) % view.seats,
    }
    gains = {to: gain_for(view, to_whom[to], tile) for to in destinations_with_room(view, seat)}
    if "keep" in gains and gains["keep"] >= max(gains.values()):
        return building.Allot("keep")
    gifts = [to for to in gains if to != "keep"]
    return building.Allot(min(gifts, key=lambda to: gains[to]))


def best_tile(view: State, seat: Seat) -> building.PlaceTile:
    """The tile, slot and rotation that leave the best open chains."""
    me, box = view.players[seat], box_of(view)
    return max(
        tile_placings(view, seat),
        key=lambda placing: covering_worth(
            view, me, box.slots[view.level][placing.slot], box.faces[placing.tile][placing.rotation]
        ),
    )


def best_top(view: State, seat: Seat) -> building.PlaceSpecial:
    """The top that promises most from the last turn."""
    return max(special_placings(view, seat), key=lambda placing: top_worth(view, seat, placing))


def top_worth(view: State, seat: Seat, placing: building.PlaceSpecial) -> float:
    """The chains of the last turn under this top, and what its effect adds."""
    box = box_of(view)
    face = box.special_face(placing.tile, placing.face_up)
    after = after_covering(box, view.players[seat], 3, 0, face)
    effect = box.specials_by_id[placing.tile].effect if placing.face_up else None
    chains = after.chains
    if effect == "reuse_chain":
        chains = (*(chain for chain in chains if not chain.closed), *longest_closed(after))
    return prospects(view, seat, chains, chain_limit(effect)) + EFFECT_WORTH.get(effect or "", 0.0)


def longest_closed(player: Player) -> tuple[Chain, ...]:
    """The longest closed chain with room for another priest, as if it were open."""
    closed = [chain for chain in player.chains if chain.closed]
    roomy = [chain for chain in closed if not set(chain.spaces) <= set(player.board_priests)]
    return tuple(
        Chain(chain.colour, chain.length, chain.spaces, False)
        for chain in sorted(roomy, key=lambda chain: -chain.length)[:1]
    )


def best_of_turn(view: State, seat: Seat) -> Action[State]:
    """Take a private card, lay a piece that pays, use the best chain, or end the turn."""
    private = next(blessings(view, seat), None)
    if private is not None and not at_chain_limit(view):
        return best_blessing(view, seat)
    piece = paying_piece(view, seat)
    if piece is not None:
        return piece
    use = best_chain_use(view, seat)
    if use is None:
        return EndTurn()
    return UseChain(best_stand(view, view.players[seat], use.chain), use.target, use.spaces)


def best_blessing(view: State, seat: Seat) -> TakeBlessing:
    """A card of the god of one's longest open chain: any chain serves the supreme god, but its cards are dear."""
    chains = [chain for chain in view.players[seat].chains if not chain.closed]
    longest = max(chains, key=lambda chain: chain.length, default=None)
    offered = list(blessings(view, seat))
    return next((taking for taking in offered if longest and taking.god == longest.colour), offered[-1])


def paying_piece(view: State, seat: Seat) -> building.PlaceBonus | None:
    """The piece and place that lift this turn's chains over the next threshold of a card, if any does."""
    if at_chain_limit(view):
        return None
    me, left = view.players[seat], view.turn.chain_limit - view.turn.chains_used
    now = prospects(view, seat, me.chains, left)
    best: tuple[float, building.PlaceBonus | None] = (LEAST_GAIN_OF_A_PIECE * PIECE, None)
    for placing in bonus_placings(view, seat):
        if touches_its_colour(view, me, placing):
            after = after_decorating(box_of(view), me, placing.bonus, placing.spaces)
            gain = prospects(view, seat, after.chains, left) - now
            if gain > best[0]:
                best = gain, placing
    return best[1]


def touches_its_colour(view: State, player: Player, placing: building.PlaceBonus) -> bool:
    """Whether a piece would lengthen something."""
    box = box_of(view)
    letter = box.letter(box.pieces_by_id[placing.bonus].colour)
    return any(
        player.sign(box.spaces[beside]) == letter
        for space in placing.spaces
        for beside in box.neighbours[box.place_of[space]]
    )


def best_chain_use(view: State, seat: Seat) -> Use | None:
    """The chain use that brings most, if any brings something."""
    if at_chain_limit(view):
        return None
    me = view.players[seat]
    reusable = longest_closed(me) if can_reuse_a_chain(view, seat) else ()
    chains = (*(chain for chain in me.chains if not chain.closed), *reusable)
    uses = [use for use in (best_use(view, seat, chain) for chain in chains) if use is not None]
    best = max(uses, key=lambda use: use.worth, default=None)
    return best if best is not None and best.worth > 0 else None


def best_stand(view: State, player: Player, chain: Chain) -> Space:
    """A space of the chain that a later level will cover, so that its priest comes home."""
    free = [space for space in chain.spaces if space not in player.board_priests]
    later = [spaces for level in range(view.level + 1, 4) for spaces in box_of(view).slots[level]]
    coming_home = (space for space in free if any(space in spaces for spaces in later))
    return next(coming_home, free[0])
