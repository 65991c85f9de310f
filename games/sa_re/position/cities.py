"""The cities of a position: boards, stocks, cards in front, and the supply they leave (4.3)."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET

from games.sa_re.box import Box
from games.sa_re.city import PYRAMID, WAREHOUSE, administrative_standing, built_tiles, surveyed, tiles_of
from games.sa_re.opening import empty_spaces, pyramid_numbers, start_spaces, start_stock
from games.sa_re.position.filling import given_or, reject
from games.sa_re.position.sketch import (
    CardSketch,
    PlayerSketch,
    PositionSketch,
    SpaceSketch,
    StockSketch,
    TileSketch,
)
from games.sa_re.state import Card, Options, Phase, Player, Spaces, Stage, Stock, Tile, replace


def fill_players(
    box: Box, options: Options, phase: Phase, seats: int, sketch: PositionSketch
) -> tuple[Player, ...]:
    """Every seat with its city."""
    sketches = given_or(sketch.players, (None,) * seats)
    if len(sketches) != seats:
        reject(f"The position has {len(sketches)} players, the game {seats}.")
    cities = [given_or(each, PlayerSketch()) for each in sketches]
    numbers = _free_numbers(box, cities, sketch.pyramids)
    return tuple(_player(box, options, phase, city, numbers) for city in cities)


def _free_numbers(box: Box, cities: list[PlayerSketch], left: tuple[int, ...] | None) -> Iterator[int]:
    """A pyramid without a number gets the lowest one that lies nowhere else."""
    spaces = [tiles for city in cities for tiles in _space_lists(city)]
    named = {tile.number for tiles in spaces for tile in tiles if isinstance(tile, TileSketch)}
    taken = named | set(left or ())
    return (number for number in pyramid_numbers(box, len(cities)) if number not in taken)


def _space_lists(city: PlayerSketch) -> Iterable[SpaceSketch]:
    if isinstance(city.spaces, dict):
        return city.spaces.values()
    return city.spaces or ()


def _player(box: Box, options: Options, phase: Phase, sketch: PlayerSketch, numbers: Iterator[int]) -> Player:
    """One seat; what its board implies is filled in."""
    is_unfounded = phase == "setup" and not options.divinity
    default = empty_spaces(box) if is_unfounded else start_spaces(box)
    spaces = default if sketch.spaces is None else _spaces(box, sketch.spaces, numbers)
    player = Player(
        spaces,
        start_stock(box) if sketch.stock is None else _stock(sketch.stock),
        caravans=given_or(sketch.caravans, box.caravan_track.start),
        caravans_new=given_or(sketch.caravans_new, 0),
        revolt=given_or(sketch.revolt, box.revolt_gauge.start),
        obelisk=given_or(sketch.obelisk, "standing"),
        cards=tuple(fill_card(box, card) for card in given_or(sketch.cards, ())),
        built_this_round=given_or(sketch.built_this_round, 0),
        undone=_known(box, given_or(sketch.undone, ())),
        vacated=sketch.vacated,
    )
    to_place = _not_yet_placed(box, player) if phase == "setup" else ()
    ever_built = _known(box, given_or(sketch.ever_built, _completed(box, player)))
    growth = given_or(sketch.growth, _growth(box, player, ever_built))
    player = replace(
        player,
        to_place=_known(box, given_or(sketch.to_place, to_place)),
        ever_built=ever_built,
        growth=growth,
    )
    return surveyed(box, player, phase)


def _stock(sketch: StockSketch) -> Stock:
    return Stock(sketch.wood, sketch.gold, sketch.stone, sketch.joker)


def _known(box: Box, buildings: tuple[str, ...]) -> tuple[str, ...]:
    for building in buildings:
        if building not in box.buildings:
            reject(f"There is no building {building!r}.")
    return buildings


def _not_yet_placed(box: Box, player: Player) -> tuple[str, ...]:
    """The start buildings that are still to be placed."""
    there = {tile.building for tile in built_tiles(player)}
    return tuple(building for building in box.start.buildings if building not in there)


def _completed(box: Box, player: Player) -> tuple[str, ...]:
    """What has been built, as far as the board shows."""
    built = {tile.building for tile in built_tiles(player)}
    return tuple(name for name in box.buildings if name in box.unique and name in built)


def _growth(box: Box, player: Player, ever_built: tuple[str, ...]) -> tuple[Stage, ...]:
    """The stages that buildings imply, `main` first."""
    stages: tuple[Stage, ...] = ()
    if any(box.is_main(building) for building in ever_built):
        stages = ("main",)
    if administrative_standing(box, player) >= 2:
        stages = (*stages, "administrative")
    return stages


def _spaces(
    box: Box, sketch: dict[str, SpaceSketch] | tuple[SpaceSketch, ...], numbers: Iterator[int]
) -> Spaces:
    """The board, given as a list or by space numbers."""
    if not isinstance(sketch, dict):
        if len(sketch) != len(box.spaces):
            reject(f"A board has {len(box.spaces)} spaces, not {len(sketch)}.")
        sketch = {str(space): tiles for space, tiles in enumerate(sketch)}
    names = [str(space) for space in box.spaces]
    for name in sketch:
        if name not in names:
            reject(f"There is no space {name!r}.")
    return tuple(_space(box, sketch.get(name, ()), numbers) for name in names)


def _space(box: Box, sketch: SpaceSketch, numbers: Iterator[int]) -> tuple[Tile, ...]:
    tiles = [_tile(box, tile, numbers) for tile in sketch]
    return tuple(sorted(tiles, key=lambda tile: tile.building != WAREHOUSE))


def _tile(box: Box, short: str | TileSketch, numbers: Iterator[int]) -> Tile:
    """A tile by name or with its members; it is built unless it says otherwise."""
    sketch = TileSketch(short) if isinstance(short, str) else short
    building = _known(box, (sketch.building,))[0]
    built = given_or(sketch.built, True)
    is_pyramid = building == PYRAMID
    number = _number(box, sketch, numbers) if is_pyramid else 0
    members = {
        "token": (building in box.producers, built),
        "used": (building in box.administrative, False),
        "number": (is_pyramid, number),
        "steps": (is_pyramid, len(box.pyramid(number).steps) if is_pyramid and built else 0),
        "step_done": (is_pyramid, False),
        "new": (not built, False),
        "moved": (not built, False),
    }
    return Tile(building, built, **{name: _member(sketch, name, *rule) for name, rule in members.items()})


def _member(sketch: TileSketch, name: str, belongs: bool, default: Any) -> Any:
    """A member that only some tiles have."""
    value = getattr(sketch, name)
    if not belongs and value is not None:
        reject(f"This {sketch.building} cannot have `{name}`.")
    return given_or(value, default) if belongs else UNSET


def _number(box: Box, sketch: TileSketch, numbers: Iterator[int]) -> int:
    """The number of a pyramid: the one given, or the lowest free one."""
    number = sketch.number if sketch.number is not None else next(numbers, 0)
    if all(pyramid.number != number for pyramid in box.pyramids):
        reject("There are more pyramids on the boards than players, or one with an unknown number.")
    steps = len(box.pyramid(number).steps)
    done = given_or(sketch.steps, 0)
    if not 0 <= done <= steps or (sketch.built is False and done == steps):
        reject(f"Pyramid {number} has {steps} steps and is built with the last of them.")
    return number


# -- supply -----------------------------------------------------------------------------------------------------


def fill_supply(box: Box, players: tuple[Player, ...], given: dict[str, int] | None) -> dict[str, int]:
    """What the boards do not hold."""
    _known(box, tuple(given or ()))
    used = [tile.building for player in players for _, tile in tiles_of(player)]
    used += [building for player in players for building in player.to_place]
    left = {
        name: max(0, box.tiles(name, len(players)) - used.count(name))
        for name in box.buildings
        if name != PYRAMID
    }
    return {**left, **(given or {})}


def pyramids_left(box: Box, players: tuple[Player, ...]) -> tuple[int, ...]:
    """The pyramids that no board holds."""
    used = {tile.number for player in players for _, tile in tiles_of(player)}
    return tuple(number for number in pyramid_numbers(box, len(players)) if number not in used)


def card_name(box: Box, card: str) -> str:
    return card if card in box.cards else reject(f"There is no season card {card!r}.")


def fill_card(box: Box, short: str | CardSketch) -> Card:
    """A card in front of a player; Troubles lie there as jokers."""
    sketch = CardSketch(short) if isinstance(short, str) else short
    is_trouble = box.cards[card_name(box, sketch.id)].kind == "trouble"
    return Card(sketch.id, given_or(sketch.joker, is_trouble), given_or(sketch.exchanged, False))
