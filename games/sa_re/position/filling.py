"""What a position leaves out: cities, supply, whose turn it is, and the season cards that it does not place (4.3)."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.begins import who_begins
from games.chance import Chance
from games.kernel import Position, replace
from games.positions import demand, demand_complete, gives, lay_over, read
from games.sa_re.box import Box
from games.sa_re.city import PYRAMID, WAREHOUSE, built_tiles, start_spaces, surveyed
from games.sa_re.construction import administrative_counted
from games.sa_re.position.parts import completed_tile, sequence_from, spelled_out, work_from
from games.sa_re.position.soundness import check_sound, check_spaces
from games.sa_re.state import Card, Player, Stage, State, Tile, awaited, box_of, next_to_found
from games.sa_re.zones import ZONES, with_top_card

DERIVED = {"to_act", "decision", "top_card", "revolt_limit", "penalty"}


def read_position(unfounded: State, chance: Chance, raw: Position | None) -> State:
    """The state a game begins with, before automatic steps."""
    position = read(raw, dict[str, Any])
    state = _with_cities(_laid_out(unfounded, position), position)
    state = _with_turn(_with_supply(state, position), position, chance)
    state = replace(state, sequence=sequence_from(state, position.get("sequence")))
    state = replace(state, work=work_from(state, position.get("work")))
    state = awaited(with_top_card(_with_piles(state, position, chance)))
    demand_complete(ZONES, state)
    check_sound(state)
    return state


def _laid_out(unfounded: State, position: Position) -> State:
    """What is given, over an ordinary round's beginning; the sequence and the work come when the rest is there."""
    box, players = box_of(unfounded), position.get("players")
    if position.get("phase") != "setup":
        founded = tuple(replace(player, spaces=start_spaces(box)) for player in unfounded.players)
        unfounded = replace(unfounded, phase="sites", players=founded)
    if isinstance(players, list | tuple):
        players = [spelled_out(box, player) for player in players]
    position_without_parts = {**position, "players": players, "sequence": None, "work": None}
    state = lay_over(ZONES, unfounded, position_without_parts, DERIVED)
    demand(state.phase != "ended", "a game cannot begin at its end")
    for building, number in state.supply.items():
        fits = building in box.buildings and 0 <= number <= box.tiles(building, len(state.players))
        demand(fits and building != PYRAMID, f"the supply cannot hold {number} of {building}")
    if state.phase == "season" and not gives(position, "deck_face_up"):
        return replace(state, deck_face_up=box.hoshekh not in state.discard)
    return state


# -- cities and supply ----------------------------------------------------------------------------------------------


def _with_cities(state: State, position: Position) -> State:
    """Every city with what its board implies; a pyramid without a number gets the lowest that lies nowhere else."""
    box, numbers = box_of(state), iter(ZONES.unplaced(state, "pyramids"))
    for seat, player in enumerate(state.players):
        spaces = tuple(_space(box, tiles, numbers) for tiles in player.spaces)
        city = replace(player, spaces=spaces, cards=_cards(state, player.cards))
        if state.phase == "setup" and not gives(position, "players", seat, "to_place"):
            city = replace(city, to_place=_not_yet_placed(box, city))
        if not gives(position, "players", seat, "ever_built"):
            city = replace(city, ever_built=_ever_built(box, city))
        if not gives(position, "players", seat, "growth"):
            city = replace(city, growth=_growth(state, city))
        check_spaces(box, seat, city)
        state = state.seated(seat, surveyed(box, city, state.phase))
    return state


def _space(box: Box, tiles: tuple[Tile, ...], numbers: Iterator[int]) -> tuple[Tile, ...]:
    """The tiles of a space, the warehouse first."""
    completed = [completed_tile(box, tile, numbers) for tile in tiles]
    return tuple(sorted(completed, key=lambda tile: tile.building != WAREHOUSE))


def _not_yet_placed(box: Box, player: Player) -> tuple[str, ...]:
    """The start buildings that are still to be placed."""
    there = {tile.building for tile in built_tiles(player)}
    return tuple(building for building in box.start.buildings if building not in there)


def _ever_built(box: Box, player: Player) -> tuple[str, ...]:
    """What has been built, as far as the board shows."""
    built = {tile.building for tile in built_tiles(player)}
    return tuple(name for name in box.buildings if name in box.unique and name in built)


def _cards(state: State, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards in front of a player; before the season all are from an earlier round (Q33)."""
    if state.options.rules == 1 or state.phase not in ("setup", "sites"):
        return cards
    return tuple(replace(card, kept=True) for card in cards)


def _growth(state: State, player: Player) -> tuple[Stage, ...]:
    """The stages that buildings imply, `main` first."""
    box = box_of(state)
    has_main = any(box.is_main(name) for name in box.buildings if name in player.ever_built)
    stages: tuple[Stage, ...] = ("main",) if has_main else ()
    return (*stages, "administrative") if administrative_counted(state, player) >= 2 else stages


def _with_supply(state: State, position: Position) -> State:
    """What the boards do not hold."""
    left = Counter(ZONES.unplaced(state, "tiles"))
    supply = {name: left[name] for name in box_of(state).buildings if name != PYRAMID}
    if not gives(position, "pyramids"):
        state = replace(state, pyramids=tuple(ZONES.unplaced(state, "pyramids")))
    return replace(state, supply={**supply, **state.supply})


# -- whose turn it is -----------------------------------------------------------------------------------------------


def _with_turn(state: State, position: Position, chance: Chance) -> State:
    """The first seat follows from the round, and begins, unless it has founded its city before others."""
    seats = range(len(state.players))
    if not gives(position, "first_seat"):
        first = who_begins(state.options, len(seats), chance) + state.round - 1
        state = replace(state, first_seat=first % len(seats))
    first = state.first_seat
    demand(first in seats, f"there is no seat {first}")
    placing = next_to_found(state) if state.phase == "setup" else None
    active = first if placing is None else placing
    if gives(position, "active_seat"):
        active = state.active_seat or 0
    demand(active in seats, f"there is no seat {active}")
    return replace(state, active_seat=active, reactions=tuple(sorted(state.reactions)))


# -- season cards ---------------------------------------------------------------------------------------------------


def _with_piles(state: State, position: Position, chance: Chance) -> State:
    """The cards that lie nowhere go to the deck, the set-aside card or the discard."""
    if state.phase == "season":
        return _with_deck(_with_darkness(state), position, chance)
    if gives(position, "discard"):
        return state
    return replace(state, discard=tuple(ZONES.unplaced(state, "cards")))


def _with_darkness(state: State) -> State:
    """Hoshekh has turned a deck that is face down: where it lies nowhere else, it lies in the discard."""
    hoshekh = box_of(state).hoshekh
    if not state.deck_face_up and hoshekh in ZONES.unplaced(state, "cards"):
        return replace(state, discard=(*state.discard, hoshekh))
    return state


def _with_deck(state: State, position: Position, chance: Chance) -> State:
    """Without a deck, the cards not placed are shuffled as the season would; otherwise they lie in the discard."""
    unplaced = tuple(ZONES.unplaced(state, "cards"))
    sets_aside = not gives(position, "set_aside")
    if not gives(position, "deck"):
        deck = chance.shuffle(f"season/{state.round}", unplaced)
        return replace(state, deck=deck[1:], set_aside=deck[:1]) if sets_aside else replace(state, deck=deck)
    hoshekh = box_of(state).hoshekh
    if sets_aside and unplaced:
        aside = hoshekh if hoshekh in unplaced else unplaced[0]
        state = replace(state, set_aside=(aside,))
        unplaced = tuple(card for card in unplaced if card != aside)
    return replace(state, discard=(*state.discard, *unplaced))
