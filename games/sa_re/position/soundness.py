"""What no position may break: the invariants of the game, each with a sentence that names the fault (12)."""

from collections import Counter

from games.kernel import Seat
from games.positions import demand
from games.sa_re.box import Box
from games.sa_re.city import (
    MASTER_BUILDER,
    PORT,
    SHARE_A_SPACE,
    WAREHOUSE,
    built_tiles,
    count_built,
    free_spaces,
    new_sites,
    sites,
    tiles_of,
)
from games.sa_re.construction import administrative_counted
from games.sa_re.position.works import check_works, may_lie_in_front
from games.sa_re.sites import SITES_PER_BUILDER
from games.sa_re.state import Player, State, Tile, WorkSequence, box_of, next_to_found


def check_sound(state: State) -> None:
    """Every rule but those of a city's spaces; that every component lies in one place is sure by now."""
    last = state.options.max_rounds
    demand(1 <= state.round <= (last or state.round), f"there is no round {state.round} in this game")
    demand(len(state.staying) >= 2, "a game goes on only while two players have not withdrawn")
    demand(
        list(state.pyramids) == sorted(state.pyramids), "`pyramids` are listed with the lowest number first"
    )
    for seat, player in enumerate(state.players):
        _check_stores(box_of(state), seat, player)
        _check_gauge(state, seat, player)
        _check_history(state, seat, player)
        _check_front(state, seat)
    _check_founding(state) if state.phase == "setup" else _check_founded(state)
    _check_season(state) if state.phase == "season" else _check_no_season(state)
    check_works(state)


def is_distinct(names: tuple[object, ...]) -> bool:
    return len(set(names)) == len(names)


# -- one player's city ----------------------------------------------------------------------------------------------


def check_spaces(box: Box, seat: Seat, player: Player) -> None:
    """One tile a space, ports on the bank, nothing twice that is built once."""
    for space, tiles in enumerate(player.spaces):
        demand(len(tiles) <= 1 or _may_share(tiles), f"space {space} of seat {seat} holds more than one tile")
        for tile in tiles:
            on_bank = space in box.bank or not box.buildings[tile.building].nile_only
            demand(on_bank, f"a {PORT} lies on space {space}, off the bank")
    kinds = Counter(tile.building for _, tile in tiles_of(player))
    for building in box.unique:
        demand(kinds[building] <= 1, f"seat {seat} has two of {building}")
    _check_sites(seat, player)


def _may_share(tiles: tuple[Tile, ...]) -> bool:
    """A built warehouse and a built master builder."""
    names = {tile.building for tile in tiles}
    return len(tiles) == 2 and names == SHARE_A_SPACE and all(tile.built for tile in tiles)


def _check_sites(seat: Seat, player: Player) -> None:
    """New sites are led by master builders, each of another type; a site does not produce."""
    launched = tuple(tile.building for tile in new_sites(player))
    most = SITES_PER_BUILDER * count_built(player, MASTER_BUILDER)
    demand(len(launched) <= most, f"seat {seat} has more new sites than its master builders can lead")
    demand(is_distinct(launched), f"seat {seat} has launched two sites of one type in this round")
    for _, site in sites(player):
        demand(site.token is not True, f"the {site.building} of seat {seat} is a site and cannot produce")
        is_first = site.building not in player.ever_built
        demand(is_first, f"seat {seat} has completed a {site.building} already, and it is a site again")


def _check_stores(box: Box, seat: Seat, player: Player) -> None:
    """Stock and caravans have room."""
    stock, warehouses = player.stock, count_built(player, WAREHOUSE) + player.to_place.count(WAREHOUSE)
    least = min(stock.wood, stock.gold, stock.stone, stock.joker)
    demand(least >= 0, f"the stock of seat {seat} is negative")
    fits = stock.total <= box.warehouse_capacity.value * warehouses
    demand(fits, f"{stock.total} resources of seat {seat} do not fit into {warehouses} warehouse(s)")
    fits = 0 <= player.caravans_new <= player.caravans <= box.caravan_track.max
    demand(fits, f"seat {seat} has at most {box.caravan_track.max} caravans, the new ones among them")


def _check_gauge(state: State, seat: Seat, player: Player) -> None:
    """A city that grows during construction may lower its limit to where its gauge stands (Q36)."""
    limit = player.revolt_limit
    highest = box_of(state).revolt_gauge.revolt_at if state.phase == "construction" else limit
    if player.in_revolt:
        demand(
            player.revolt == limit,
            f"seat {seat} is in revolt, so that its gauge stands at its limit, {limit}",
        )
    else:
        is_calm = 0 <= player.revolt < highest
        demand(
            is_calm, f"the gauge of seat {seat} is outside 0 to {highest - 1}, where the people do not revolt"
        )
    demand(player.stands or state.phase not in ("setup", "sites"), "every obelisk stands before the season")


def _check_history(state: State, seat: Seat, player: Player) -> None:
    """Growth and `ever_built` agree with the board and with each other."""
    box = box_of(state)
    growth, ever_built = player.growth, player.ever_built
    for name, listed in (("growth", growth), ("ever_built", ever_built), ("undone", player.undone)):
        demand(is_distinct(listed), f"`{name}` of seat {seat} names nothing twice")
    demand(player.built_this_round >= 0, f"seat {seat} has built less than nothing")
    demand(box.buildings.keys() >= set(player.undone), f"`undone` of seat {seat} names buildings")
    fits = box.unique.issuperset(ever_built)
    demand(fits, f"`ever_built` of seat {seat} names administrative buildings, port and pyramid only")
    built = {tile.building for tile in built_tiles(player)} & box.unique
    demand(built <= set(ever_built), f"a building of seat {seat} stands and is missing in `ever_built`")
    has_main = any(box.is_main(building) for building in ever_built)
    demand(("main" in growth) == has_main, "growth `main` comes exactly with the first main building")
    if "administrative" in growth:
        administrative = sum(building in box.administrative for building in ever_built)
        demand(administrative >= 2, "growth `administrative` needs two administrative buildings")
    else:
        fits = administrative_counted(state, player) < 2
        demand(fits, "two administrative buildings were built without growth `administrative`")


def _check_front(state: State, seat: Seat) -> None:
    """Resource cards and Library jokers lie in front of players; a few are kept from round to round, and no joker."""
    player = state.players[seat]
    for card in player.cards:
        demand(may_lie_in_front(state, card), f"{card.id} cannot lie in front of a player like that")
    most = _most_kept(state, state.round - 1)
    kept = sum(card.kept is True for card in player.cards)
    demand(kept <= most, f"at most {most} cards are kept from the rounds before round {state.round}")
    if _is_between_rounds(state, seat):
        cards = player.cards
        if state.phase == "construction":
            most = _most_kept(state, state.round if player.in_revolt else 0)
        fits = len(cards) <= most and not any(card.joker for card in cards)
        demand(fits, f"at most {most} cards are kept from round to round, and no joker")


def _most_kept(state: State, revolts: int) -> int:
    """Two cards; since version 2 each revolt may have added one to those that stay (Q33)."""
    limits = box_of(state).keep_limits
    return limits.without_building + (revolts * limits.after_revolt if state.options.rules > 1 else 0)


def _is_between_rounds(state: State, seat: Seat) -> bool:
    """Before the season, or with this round's construction behind it."""
    if state.phase != "construction":
        return state.phase in ("setup", "sites")
    seats, active = len(state.players), state.active_seat or 0
    return (seat - state.first_seat) % seats < (active - state.first_seat) % seats


# -- phases ---------------------------------------------------------------------------------------------------------


def _check_founding(state: State) -> None:
    """Founding goes seat by seat; a city has its start buildings and one quick-start building at most."""
    box = box_of(state)
    placing = next_to_found(state)
    if placing is not None:
        demand(state.active_seat == placing, f"seat {placing} is the next to place its buildings")
    demand(state.round == 1, "cities are founded before round 1")
    for seat, player in enumerate(state.players):
        start = [*player.to_place, *(tile.building for _, tile in tiles_of(player))]
        own = set(start) - set(box.administrative)
        fits = own == set(box.start.buildings) and len(start) <= len(box.start.buildings) + 1
        demand(
            fits,
            f"seat {seat} founds a city with {', '.join(box.start.buildings)} and at most one more building",
        )
        demand(
            not sites(player) and bool(free_spaces(player)),
            f"seat {seat} has sites before its city is founded",
        )


def _check_founded(state: State) -> None:
    """Cities are founded, and have a master builder."""
    for seat, player in enumerate(state.players):
        demand(not player.to_place, f"seat {seat} places its start buildings in `setup` only")
        demand(count_built(player, MASTER_BUILDER) > 0, f"seat {seat} has no master builder")


def _check_no_season(state: State) -> None:
    """What belongs to the season is put away."""
    demand(not state.deck and not state.set_aside, "deck and set-aside card belong to the season")
    is_over = not state.sequence and not state.reactions and state.top_known_to is None
    demand(is_over, "sequence, reactions and a known top card belong to the season")


def _check_season(state: State) -> None:
    """Deck, reactions and sequence agree with each other."""
    is_dark, seats = box_of(state).hoshekh in state.discard, range(len(state.players))
    demand(state.deck_face_up != is_dark, "the deck is face up exactly while Hoshekh is not in the discard")
    demand(state.set_aside_count <= 1, "one card is set aside")
    if state.top_known_to is not None:
        fits = not state.deck_face_up and state.deck and state.top_known_to in seats
        demand(bool(fits), "`top_known_to` is a seat that knows the top card of a face-down deck")
    for seat in state.reactions:
        is_asked = seat in seats and state.players[seat].stands and seat != state.active_seat
        demand(is_asked, "only opponents who stand are asked to react")
    demand(is_distinct(state.reactions), "each seat reacts once")
    if state.sequence:
        _check_sequence(state, state.sequence)


def _check_sequence(state: State, sequence: WorkSequence) -> None:
    """The sequence of the active seat holds what it can have drawn."""
    demand(sequence.seat == state.active_seat, "the sequence is that of the active seat")
    counted = min(sequence.drawn, sequence.owed, sequence.troubles)
    demand(counted >= 0, "`drawn`, `owed` and `troubles` are counted from 0")
    drawn = [*(card.id for card in sequence.pending), *(card.id for card in sequence.temple)]
    demand(box_of(state).hoshekh not in drawn, "Hoshekh is never drawn")
    if drawn:
        stands = state.players[sequence.seat].stands
        demand(stands, "a player who is out of the season has no cards to resolve")
    fits = len(sequence.temple) <= 2 and not (sequence.temple and sequence.pending)
    demand(fits, "the Temple shows two cards at most, before any other is drawn")
    shines = state.deck_face_up and any(card.dark for card in sequence.temple)
    demand(not shines, "the Temple shows a card in the dark only from a face-down deck")
    demand(bool(state.deck) or not sequence.owed, "an empty deck owes nothing")
    others = set(range(len(state.players))) - {sequence.seat}
    fits = is_distinct(sequence.passed_to) and others >= set(sequence.passed_to)
    demand(fits, "`passed_to` names opponents, each once")
