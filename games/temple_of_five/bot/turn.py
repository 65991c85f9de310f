"""How the bot plays its priest turn: it plans two chains at once, with the pieces that would lengthen them."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from games.kernel import Action, Seat, replace
from games.temple_of_five.actions.building import PlaceBonus
from games.temple_of_five.actions.priests import EndTurn, TakeBlessing, UseChain
from games.temple_of_five.appraisal import PIECE
from games.temple_of_five.bot.offers import NOTHING_TO_SPEND, Kind, Offers, Spending, offers_to
from games.temple_of_five.box import SHELF
from games.temple_of_five.contents import Space
from games.temple_of_five.goals import goal_of, ornaments_lacking, seen_goals
from games.temple_of_five.ground import Ground, ground_of, merged, surveyed
from games.temple_of_five.legal import blessings
from games.temple_of_five.priests import can_reuse_a_chain
from games.temple_of_five.rounds import chain_limit
from games.temple_of_five.state import LAST_ROUND, Player, Rows, State, box_of

LENGTHENED = 4
"""How many ways to lengthen chains by pieces are looked at closely."""
LIKELY = 0.6
"""How much a goal counts, before the last round, for each piece that is laid towards it."""

Piece = tuple[str, int]
"""The colour (by its sign) and the size of a bonus decoration."""
Line = tuple[Space, ...]
Groups = frozenset[int]


class Option(NamedTuple):
    """A chain that could be spent: as it lies, or once pieces are laid, of which this is the first."""

    kind: Kind
    groups: Groups
    price: float = 0.0
    pieces: tuple[Piece, ...] = ()
    line: Line = ()


class Plan(NamedTuple):
    """What a turn would bring, and what it would begin with."""

    worth: float
    option: Option | None = None
    spending: Spending = NOTHING_TO_SPEND


NO_PLAN = Plan(0.0)


def best_of_turn(view: State, seat: Seat) -> Action[State]:
    """Take a private card, lay a piece or use a chain as the best plan begins, or end the turn."""
    me, chains_left = view.players[seat], view.turn.chain_limit - view.turn.chains_used
    if chains_left and next(blessings(view, seat), None) is not None:
        return best_blessing(view, seat)
    ground = ground_of(view, me)
    reusable = longest_closed(view, me, ground) if can_reuse_a_chain(view, seat) else None
    plan = best_plan(view, seat, ground, chains_left, reusable)
    if plan.option is None:
        return EndTurn()
    if plan.option.line:
        return PlaceBonus(piece_in_reserve(view, me, plan.option.pieces[0]), plan.option.line)
    stand = best_stand(view, me, ground, plan.option.groups)
    return UseChain(stand, plan.spending.target, plan.spending.spaces)


def best_plan(view: State, seat: Seat, ground: Ground, chains: int, reusable: int | None = None) -> Plan:
    """The best plan; in the last round perhaps one that keeps the priests back that a goal asks for."""
    me = view.players[seat]
    options = list(options_of(view, me, ground, reusable))
    plan = plan_with(offers_to(view, seat, me.priests_reserve), options, chains)
    goal = goal_of(view, me, "priests_in_reserve") if view.round == LAST_ROUND else None
    if goal and me.priests_reserve >= goal.at_least:
        kept = plan_with(offers_to(view, seat, me.priests_reserve - goal.at_least), options, chains)
        if kept.worth + goal.points >= plan.worth:
            return kept._replace(worth=kept.worth + goal.points)
    return plan


def plan_with(offers: Offers, options: list[Option], chains: int) -> Plan:
    """The best one or two of these options, as far as chains and pieces go."""
    best = NO_PLAN
    for option in options:
        spending = offers.for_one(option.kind) if chains else NOTHING_TO_SPEND
        if spending.worth - option.price > best.worth:
            best = Plan(spending.worth - option.price, option, spending)
    if chains > 1:
        for one, two in combinations(shortlisted(offers, options), 2):
            spending = offers.for_two(one.kind, two.kind)
            worth = spending.worth - one.price - two.price
            if worth > best.worth and one.groups.isdisjoint(two.groups) and not (one.line and two.line):
                first = one if one.line or (spending.chain == one.kind and not two.line) else two
                best = Plan(worth, first, spending)
    return best


def shortlisted(offers: Offers, options: list[Option]) -> list[Option]:
    """Every chain as it lies, and the best lengthened ones."""
    lengthened = [option for option in options if option.line]
    lengthened.sort(key=lambda option: option.price - offers.for_one(option.kind).worth)
    return [option for option in options if not option.line] + lengthened[:LENGTHENED]


# -- what could be spent ----------------------------------------------------------------------------------------------


def options_of(view: State, me: Player, ground: Ground, reusable: int | None) -> Iterator[Option]:
    """Open chains, perhaps a closed one, and what pieces would make of them."""
    for number, (sign, length, closed, _) in enumerate(ground.groups):
        if (not closed or number == reusable) and length > 1:
            yield Option((sign, length), frozenset((number,)))
    if me.bonus_2_count or me.bonus_3_count:
        yield from lengthened_chains(view, me, ground)


def lengthened_chains(view: State, me: Player, ground: Ground) -> Iterator[Option]:
    """Chains that one piece would make or lengthen, and two of one colour."""
    pieces = pieces_of(view, me)
    price = price_of_a_piece(view, me)
    goals = seen_goals(view, me, ground.groups)
    levels = "".join(me.levels)
    for piece in dict.fromkeys(pieces):
        sign, size = piece
        rest = list(pieces)
        rest.remove(piece)
        for touched, line in room_for(view.options.component_set, me.surface, levels, view.level, piece):
            group = merged(sign, size, [ground.groups[number] for number in touched])
            if group.closed and price >= 0:
                continue
            added = 0.0
            if me.goal_side:
                left = [each for number, each in enumerate(ground.groups) if number not in touched]
                added = seen_goals(view, me, [*left, group]) - goals
            yield Option((sign, 0 if group.closed else group.length), touched, price - added, (piece,), line)
            more = max([other[1] for other in rest if other[0] == sign], default=0)
            if more:
                two = (piece, (sign, more))
                yield Option((sign, group.length + more), touched, 2 * price - added, two, line)


def price_of_a_piece(view: State, me: Player) -> float:
    """What a piece in reserve is worth, less what laying it adds towards a goal."""
    lacking, points = ornaments_lacking(view, me)
    is_last = view.round == LAST_ROUND
    price = 1.0 if is_last else PIECE
    if lacking:
        price -= points / lacking * (1.0 if is_last else LIKELY)
    return price


@lru_cache(maxsize=1 << 12)
def room_for(
    component_set: str, surface: Rows, levels: str, level: int, piece: Piece
) -> tuple[tuple[Groups, Line], ...]:
    """Where a piece may lie: for each set of groups of its colour that it would join, the line least covered later."""
    ground, (sign, size) = surveyed(component_set, surface, ()), piece
    joining = {number for number, group in enumerate(ground.groups) if group.sign == sign}
    found: dict[Groups, tuple[int, Line]] = {}
    for line, lost, beside in open_lines(component_set, surface, levels, level, size):
        touched = frozenset(joining.intersection(beside))
        if touched not in found or lost < found[touched][0]:
            found[touched] = lost, line
    return tuple([(touched, line) for touched, (_, line) in found.items()])


@lru_cache(maxsize=1 << 11)
def open_lines(
    component_set: str, surface: Rows, levels: str, level: int, size: int
) -> list[tuple[Line, int, list[int]]]:
    """The lines on which a piece may lie, how much of each a later level covers, and the groups beside it."""
    box, signs, at = SHELF[component_set].box, "".join(surface), surveyed(component_set, surface, ()).at
    empty, buried = box.empty * size, box.buried[level]
    found = []
    for line, places, beside in box.lines_beside[size]:
        if signs[places[0]] != box.empty or "".join([signs[place] for place in places]) != empty:
            continue
        if len({levels[place] for place in places}) == 1:
            lost = len(buried.intersection(places))
            found.append((line, lost, [at[place] for place in beside]))
    return found


def pieces_of(view: State, me: Player) -> list[Piece]:
    """The pieces in reserve."""
    box = box_of(view)
    found = [box.pieces_by_id[piece] for piece in me.bonus_reserve]
    return [(box.letter(piece.colour), piece.size) for piece in found]


def piece_in_reserve(view: State, me: Player, wanted: Piece) -> str:
    """The first piece in reserve of this colour and size."""
    return me.bonus_reserve[pieces_of(view, me).index(wanted)]


def longest_closed(view: State, me: Player, ground: Ground) -> int | None:
    """The longest closed chain with room for another priest."""
    place_of = box_of(view).place_of
    priests = Counter(ground.at[place_of[space]] for space in me.board_priests)
    roomy = [
        (group.length, -number)
        for number, group in enumerate(ground.groups)
        if group.closed and group.length > max(1, priests[number])
    ]
    return -max(roomy)[1] if roomy else None


def best_stand(view: State, me: Player, ground: Ground, groups: Groups) -> Space:
    """A space of the chain that a later level will cover, so that its priest comes home; the sooner the better."""
    box = box_of(view)
    (number,) = groups
    spaces = [space for place, space in enumerate(box.spaces) if ground.at[place] == number]
    free = [space for space in spaces if space not in me.board_priests]
    for level in range(view.level + 1, 4):
        for space in free:
            if any(space in slot for slot in box.slots[level]):
                return space
    return free[0]


def best_blessing(view: State, seat: Seat) -> TakeBlessing:
    """A card of the god of one's longest open chain: any chain serves the supreme god, but its cards are dear."""
    chains = [chain for chain in view.players[seat].chains if not chain.closed]
    longest = max(chains, key=lambda chain: chain.length, default=None)
    offered = list(blessings(view, seat))
    return next((taking for taking in offered if longest and taking.god == longest.colour), offered[-1])


def turn_worth(view: State, seat: Seat, me: Player, effect: str | None) -> float:
    """What a seat's turn would bring if its board were as this player's, under a top with this effect."""
    state = replace(view, players=view.players_with(seat, me))
    ground = ground_of(state, me)
    reusable = longest_closed(state, me, ground) if effect == "reuse_chain" else None
    plan = best_plan(state, seat, ground, chain_limit(effect), reusable)
    return plan.worth + seen_goals(state, me, ground.groups)
