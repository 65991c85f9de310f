"""What no position may break: the invariants of the game, each with a sentence that names the fault (12)."""

from collections import Counter

from msgspec import UNSET

from games.kernel import Seat
from games.sa_re.box import Box, box_of
from games.sa_re.city import (
    MASTER_BUILDER,
    PORT,
    PYRAMID,
    SHARE_A_SPACE,
    WAREHOUSE,
    administrative_standing,
    count_built,
    free_spaces,
    new_sites,
    tiles_of,
)
from games.sa_re.opening import pyramid_numbers
from games.sa_re.position.piles import placed_cards
from games.sa_re.position.works import Faults, faults_of_works, may_lie_in_front
from games.sa_re.sites import SITES_PER_BUILDER
from games.sa_re.state import Player, State, Tile, WorkSequence


def faults(state: State) -> Faults:
    """Everything that is wrong with a position; the first one is told."""
    yield from _frame(state)
    for seat, player in enumerate(state.players):
        yield from (f"Seat {seat}: {fault}" for fault in _player(state, player))
        yield from (f"Seat {seat}: {fault}" for fault in _front(state, seat))
    yield from _tiles(state)
    yield from _cards(state)
    yield from _setup(state) if state.phase == "setup" else _after_setup(state)
    yield from _season(state) if state.phase == "season" else _out_of_season(state)
    yield from faults_of_works(state)


# -- the frame --------------------------------------------------------------------------------------------------


def _frame(state: State) -> Faults:
    """The round exists, and somebody is left to play."""
    last = state.options.max_rounds
    if state.round < 1 or (last is not None and state.round > last):
        yield f"There is no round {state.round} in this game."
    if sum(player.vacated is None for player in state.players) < 2:
        yield "A game goes on only while two players have not withdrawn."


# -- one player's city --------------------------------------------------------------------------------------------


def _player(state: State, player: Player) -> Faults:
    """One city with its gauge, stores and cards."""
    box = box_of(state)
    yield from _gauge(state, player)
    yield from _spaces(box, player)
    yield from _history(box, player)
    stock, warehouses = player.stock, count_built(player, WAREHOUSE) + player.to_place.count(WAREHOUSE)
    if min(stock.wood, stock.gold, stock.stone, stock.joker) < 0:
        yield "the stock cannot be negative."
    if stock.total > box.warehouse_capacity.value * warehouses:
        yield f"{stock.total} resources do not fit into {warehouses} warehouse(s)."
    if not 0 <= player.caravans_new <= player.caravans <= box.caravan_track.max:
        yield f"there are at most {box.caravan_track.max} caravans, the new ones among them."


def _gauge(state: State, player: Player) -> Faults:
    """A city that grows during construction may lower its limit to where its gauge stands (Q36)."""
    limit = player.revolt_limit
    highest = box_of(state).revolt_gauge.revolt_at if state.phase == "construction" else limit
    if player.in_revolt and player.revolt != limit:
        yield f"in revolt the gauge stands at its limit, {limit}."
    if not player.in_revolt and not 0 <= player.revolt < highest:
        yield f"the gauge is outside 0 to {highest - 1}, where the people do not revolt."
    if state.phase in ("setup", "sites") and not player.stands:
        yield "every obelisk stands before the season."


def _spaces(box: Box, player: Player) -> Faults:
    """One tile a space, ports on the bank, nothing twice that is built once."""
    for space, tiles in enumerate(player.spaces):
        if len(tiles) > 1 and not _may_share(tiles):
            yield f"space {space} holds more than one tile."
        if any(box.buildings[tile.building].nile_only for tile in tiles) and space not in box.bank:
            yield f"a {PORT} lies on space {space}, off the bank."
    kinds = Counter(tile.building for _, tile in tiles_of(player))
    for building in box.unique:
        if kinds[building] > 1:
            yield f"there are two of {building}."
    yield from _sites(box, player)


def _may_share(tiles: tuple[Tile, ...]) -> bool:
    """A built warehouse and a built master builder."""
    return (
        len(tiles) == 2
        and {tile.building for tile in tiles} == SHARE_A_SPACE
        and all(tile.built for tile in tiles)
    )


def _sites(box: Box, player: Player) -> Faults:
    """New sites are led by master builders; sites do not produce; pyramids are built step by step."""
    launched = Counter(tile.building for tile in new_sites(player))
    if launched.total() > SITES_PER_BUILDER * count_built(player, MASTER_BUILDER):
        yield "there are more new sites than the master builders can lead."
    if any(count > 1 for count in launched.values()):
        yield "two sites of one type were launched in this round."
    for _, tile in tiles_of(player):
        if not tile.built and tile.building in player.ever_built:
            yield f"a {tile.building} was completed already and is a site again."
        if not tile.built and tile.token is True:
            yield f"the {tile.building} is a site and cannot produce."
        if tile.built and isinstance(tile.number, int) and tile.steps != len(box.pyramid(tile.number).steps):
            yield "a built pyramid has all its steps."


def _history(box: Box, player: Player) -> Faults:
    """Growth and `ever_built` agree with the board and with each other."""
    if len(set(player.growth)) < len(player.growth) or len(set(player.ever_built)) < len(player.ever_built):
        yield "`growth` and `ever_built` name nothing twice."
    if len(set(player.undone)) < len(player.undone):
        yield "`undone` names nothing twice."
    if any(building not in box.unique for building in player.ever_built):
        yield "`ever_built` names administrative buildings, port and pyramid only."
    if any(
        tile.built and tile.building in box.unique and tile.building not in player.ever_built
        for _, tile in tiles_of(player)
    ):
        yield "a building that stands is missing in `ever_built`."
    if ("main" in player.growth) != any(box.is_main(building) for building in player.ever_built):
        yield "growth `main` comes exactly with the first main building."
    grown = "administrative" in player.growth
    if administrative_standing(box, player) >= 2 and not grown:
        yield "two administrative buildings stand without growth `administrative`."
    if grown and sum(building in box.administrative for building in player.ever_built) < 2:
        yield "growth `administrative` needs two administrative buildings."


def _front(state: State, seat: Seat) -> Faults:
    """Resource cards and Library jokers lie in front of players, after a round at most two and no joker."""
    box, cards = box_of(state), state.players[seat].cards
    for card in cards:
        if not may_lie_in_front(box, card):
            yield f"{card.id} cannot lie in front of a player like that."
    kept = box.keep_limits.without_building
    if _is_between_rounds(state, seat) and (len(cards) > kept or any(card.joker for card in cards)):
        yield f"at most {kept} cards are kept from round to round, and no joker."


def _is_between_rounds(state: State, seat: Seat) -> bool:
    """Before the season, or with this round's construction behind it."""
    if state.phase != "construction":
        return state.phase in ("setup", "sites")
    seats, active = len(state.players), state.active_seat or 0
    return (seat - state.first_seat) % seats < (active - state.first_seat) % seats


# -- components ---------------------------------------------------------------------------------------------------


def _tiles(state: State) -> Faults:
    """Every tile of the box lies on a board or in the supply."""
    box, seats = box_of(state), len(state.players)
    used = Counter(tile.building for player in state.players for _, tile in tiles_of(player))
    used.update(building for player in state.players for building in player.to_place)
    for building, left in state.supply.items():
        if left < 0 or used[building] + left != box.tiles(building, seats):
            yield f"There are {box.tiles(building, seats)} tiles of {building} in this game, not {used[building] + left}."
    numbers = [
        tile.number for player in state.players for _, tile in tiles_of(player) if tile.number is not UNSET
    ]
    if sorted((*state.pyramids, *numbers)) != list(pyramid_numbers(box, seats)):
        yield "Each pyramid lies in one place: a city or the supply."
    if list(state.pyramids) != sorted(state.pyramids) or PYRAMID in state.supply:
        yield "`pyramids` lists the pyramids in the supply, lowest number first."


def _cards(state: State) -> Faults:
    """Every season card lies in exactly one place."""
    counts = Counter(placed_cards(state))
    for card in box_of(state).cards:
        if counts[card] != 1:
            yield f"The card {card} lies in {counts[card]} places."
    for card in counts:
        if card not in box_of(state).cards:
            yield f"There is no season card {card!r}."


# -- phases -------------------------------------------------------------------------------------------------------


def _setup(state: State) -> Faults:
    """Founding goes seat by seat; a city has its start buildings and one quick-start building at most."""
    box = box_of(state)
    placing = [seat for seat, player in enumerate(state.players) if player.to_place]
    if placing and state.active_seat != placing[0]:
        yield f"Seat {placing[0]} is the next to place its buildings."
    if state.round != 1:
        yield "Cities are founded before round 1."
    for seat, player in enumerate(state.players):
        start = sorted([*player.to_place, *(tile.building for _, tile in tiles_of(player))])
        quick = [building for building in start if building in box.administrative]
        if (
            sorted(set(start) - set(quick)) != sorted(box.start.buildings)
            or len(start) > len(box.start.buildings) + 1
        ):
            yield f"Seat {seat}: a city is founded with {', '.join(box.start.buildings)} and at most one more building."
        if any(not tile.built for _, tile in tiles_of(player)) or not free_spaces(player):
            yield f"Seat {seat}: there are no sites while cities are founded."


def _after_setup(state: State) -> Faults:
    """Cities are founded, and have a master builder."""
    for seat, player in enumerate(state.players):
        if player.to_place:
            yield f"Seat {seat}: start buildings are placed in `setup` only."
        if count_built(player, MASTER_BUILDER) == 0:
            yield f"Seat {seat}: a city has a master builder."


def _out_of_season(state: State) -> Faults:
    """What belongs to the season is put away."""
    if state.deck or state.set_aside:
        yield "Deck and set-aside card belong to the season."
    if state.sequence or state.reactions or state.top_known_to is not None:
        yield "Sequence, reactions and a known top card belong to the season."


def _season(state: State) -> Faults:
    """Deck, reactions and sequence agree with each other."""
    cards = box_of(state).cards
    if state.deck_face_up == any(cards[card].kind == "hoshekh" for card in state.discard):
        yield "The deck is face up exactly while Hoshekh is not in the discard."
    if len(state.set_aside or ()) > 1:
        yield "One card is set aside."
    if state.top_known_to is not None and (
        state.deck_face_up or not state.deck or not 0 <= state.top_known_to < len(state.players)
    ):
        yield "`top_known_to` is a seat that knows the top card of a face-down deck."
    for seat in state.reactions:
        if not 0 <= seat < len(state.players) or not state.players[seat].stands or seat == state.active_seat:
            yield "Only opponents who stand are asked to react."
    if len(set(state.reactions)) < len(state.reactions):
        yield "Each seat reacts once."
    if state.sequence:
        yield from _sequence(state, state.sequence)


def _sequence(state: State, sequence: WorkSequence) -> Faults:
    """The sequence of the active seat holds what it can have drawn."""
    cards = box_of(state).cards
    if sequence.seat != state.active_seat:
        yield "The sequence is that of the active seat."
    drawn = [*(card.id for card in sequence.pending), *(card.id for card in sequence.temple if card.id)]
    if any(cards[card].kind == "hoshekh" for card in drawn):
        yield "Hoshekh is never drawn."
    if drawn and not state.players[sequence.seat].stands:
        yield "A player who is out of the season has no cards to resolve."
    if len(sequence.temple) > 2 or (sequence.temple and sequence.pending):
        yield "The Temple shows two cards at most, before any other is drawn."
    if state.deck_face_up and any(card.dark for card in sequence.temple):
        yield "The Temple shows a card in the dark only from a face-down deck."
    if sequence.owed and not state.deck:
        yield "An empty deck owes nothing."
    others = set(range(len(state.players))) - {sequence.seat}
    if len(set(sequence.passed_to)) < len(sequence.passed_to) or not set(sequence.passed_to) <= others:
        yield "`passed_to` names opponents, each once."
