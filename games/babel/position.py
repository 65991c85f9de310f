"""Set-up, and positions: a full state or any part of one, the rest filled in as set-up would (3, 4.4)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Annotated, Any, TypeVar

import msgspec

from games.babel.box import NATIONS, Box, Nation, Options, box_of
from games.babel.facts import GameSetUp
from games.babel.state import Levels, Nations, Pending, Player, Site, State, total_of
from games.babel.turns import standing, start_turn
from games.chance import Chance
from games.kernel import Course, Fact, InvalidSetup, Seat

C = TypeVar("C", int, Nation)

Count = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
_DERIVED = {"phase", "to_act", "hand_count", "total", "temple_pile_count", "nation_pile_count"}


class GivenSite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    temple: Levels | None = None
    column: Nations | None = None


class GivenPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pawn: Nation | None = None
    hand: Nations | None = None
    hand_count: int | None = None
    start_card: bool | None = None
    sites: dict[Nation, GivenSite | None] | None = None
    temple_column: Levels | None = None
    total: int | None = None


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as it was sent: a member left out is null."""

    options: Options | None = None
    phase: str | None = None
    turn: Annotated[int, msgspec.Meta(ge=1, le=10**9)] | None = None
    active_seat: int | None = None
    to_act: tuple[int, ...] | None = None
    endgame: bool | None = None
    migrated: bool | None = None
    pending: Pending | None = None
    players: tuple[GivenPlayer | None, GivenPlayer | None] | None = None
    temple_pile: Levels | None = None
    temple_pile_count: int | None = None
    temple_pile_known: Levels | None = None
    nation_pile: Nations | None = None
    nation_pile_count: int | None = None
    nation_discard: Nations | None = None
    reshuffles: Count | None = None
    outcome: None = None


def set_up(options: Options, position: Mapping[str, Any] | None, chance: Chance) -> list[Fact[State]]:
    """An ordinary game begins with the first draw; a position is taken as it stands."""
    given = _read(position)
    _require(given.options in (None, options), "`options` differ from those of the game")
    course = Course(_complete(given, options, chance))
    course.facts.append(GameSetUp(course.state))
    if not _gives_something(position):
        start_turn(course, 1, chance)
    return course.facts


def _read(position: Mapping[str, Any] | None) -> Given:
    try:
        return msgspec.convert({} if position is None else position, Given)
    except msgspec.ValidationError as error:
        raise InvalidSetup("invalid_position", f"The position cannot be read: {error}.") from None


def _gives_something(position: Mapping[str, Any] | None) -> bool:
    """Whether a position says more than options, derived members and nulls."""

    def says(value: Any) -> bool:
        if isinstance(value, Mapping):
            return any(says(inner) for member, inner in value.items() if member not in _DERIVED)
        return value is not None

    members = dict(position or {})
    players = members.pop("players", None) or ()
    members.pop("options", None)
    return says(members) or any(says(player) for player in players)


def _complete(given: Given, options: Options, chance: Chance) -> State:
    box = box_of(options)
    turn = given.turn or 1
    active = (turn - 1) % 2
    _require(given.active_seat in (None, active), f"in turn {turn} the active seat is {active}")
    players = _players(given, turn, box)
    temple_pile = _temple_pile(given, players, box, chance)
    hands, nation_pile = _nation_cards(given, players, options, chance)
    players = (_with_hand(players[0], hands[0]), _with_hand(players[1], hands[1]))
    endgame, over = standing((players[0].total, players[1].total), given.endgame or False, box.thresholds)
    _require(over is None, f"the game would be over already: {over}")
    _check_pending(given.pending, 1 - active, players)
    return State(
        options=options,
        phase="discard" if given.pending else "actions",
        turn=turn,
        active_seat=active,
        to_act=(1 - active if given.pending else active,),
        endgame=endgame,
        migrated=given.migrated or False,
        pending=given.pending,
        players=players,
        temple_pile=temple_pile,
        temple_pile_count=len(temple_pile),
        temple_pile_known=given.temple_pile_known or (),
        nation_pile=nation_pile,
        nation_pile_count=len(nation_pile),
        nation_discard=given.nation_discard or (),
        reshuffles=given.reshuffles or 0,
        outcome=None,
    )


def _players(given: Given, turn: int, box: Box) -> tuple[Player, Player]:
    first, second = given.players or (None, None)
    return _player(first or GivenPlayer(), 0, turn, box), _player(second or GivenPlayer(), 1, turn, box)


def _player(given: GivenPlayer, seat: Seat, turn: int, box: Box) -> Player:
    """The start card lies there until the seat has had its first turn."""
    told = given.sites or {}
    sites = {nation: _site(told.get(nation) or GivenSite(), nation, box) for nation in NATIONS}
    column = given.temple_column or ()
    _check_levels(column, f"the temple column of seat {seat}", box)
    start_card = turn <= seat + 1 if given.start_card is None else given.start_card
    return Player(given.pawn, given.hand, 0, start_card, sites, column, total_of(sites))


def _with_hand(player: Player, hand: Nations) -> Player:
    return msgspec.structs.replace(player, hand=tuple(sorted(hand)), hand_count=len(hand))


def _site(given: GivenSite, name: Nation, box: Box) -> Site:
    temple = given.temple or ()
    _check_levels(temple, f"a temple at {name}", box)
    rising = all(below < above for below, above in pairwise(temple))
    _require(rising, f"a temple at {name} does not rise: {list(temple)}")
    return Site(temple, given.column or ())


def _temple_pile(given: Given, players: tuple[Player, Player], box: Box, chance: Chance) -> Levels:
    """All temple cards that lie nowhere else; those that everybody knows are on top."""
    known = given.temple_pile_known or ()
    on_top = known if given.temple_pile is None else given.temple_pile
    _check_levels((*on_top, *known), "the temple pile", box)
    used: Counter[int] = Counter(on_top)
    for player in players:
        used.update(player.temple_column)
        used.update([1] * player.start_card)
        for site in player.sites.values():
            used.update(site.temple)
    unused = _unused(used, box.levels, "temple cards of level")
    if given.temple_pile is None:
        return known + chance.shuffle("temples/0", unused)
    _require(not unused, f"temple cards are left over: {unused}")
    _require(on_top[: len(known)] == known, "`temple_pile_known` is not the beginning of `temple_pile`")
    return given.temple_pile


def _nation_cards(
    given: Given, players: tuple[Player, Player], options: Options, chance: Chance
) -> tuple[list[Nations], Nations]:
    """Missing hands are dealt, seat 0 first; a missing pile receives all the rest."""
    box = box_of(options)
    used: Counter[Nation] = Counter((given.nation_pile or ()) + (given.nation_discard or ()))
    for player in players:
        used.update(player.hand or ())
        for site in player.sites.values():
            used.update(site.column)
    unused: Nations = tuple(_unused(used, {name: box.nations[name].copies for name in NATIONS}, "cards of"))
    if given.nation_pile is None or any(player.hand is None for player in players):
        unused = chance.shuffle("nations/0", unused)
    hands: list[Nations] = []
    for player, size in zip(players, box.starting_hands[options.edition], strict=True):
        if player.hand is None:
            _require(len(unused) >= size, f"{size} cards are to be dealt, and {len(unused)} are unused")
            hands.append(unused[:size])
            unused = unused[size:]
        else:
            hands.append(player.hand)
    if given.nation_pile is None:
        return hands, unused
    _require(not unused, f"{len(unused)} nation cards are left over")
    return hands, given.nation_pile


def _unused(used: Counter[C], box: Mapping[C, int], what: str) -> list[C]:
    """The cards of the box that lie nowhere yet."""
    for kind, copies in box.items():
        _require(used[kind] <= copies, f"there are only {copies} {what} {kind}, not {used[kind]}")
    return [kind for kind, copies in box.items() for _ in range(copies - used[kind])]


def _check_levels(levels: Iterable[int], where: str, box: Box) -> None:
    for level in levels:
        _require(level in box.levels, f"{where} holds a level {level}")


def _check_pending(pending: Pending | None, seat: Seat, players: tuple[Player, Player]) -> None:
    if pending is None:
        return
    half = players[seat].hand_count // 2
    _require(
        pending == Pending("discard_half", seat, half) and half >= 1,
        f"`pending` can only ask seat {seat} for half of its {players[seat].hand_count} cards",
    )


def _require(fine: bool, fault: str) -> None:
    if not fine:
        raise InvalidSetup("invalid_position", f"The position is not possible: {fault}.")
