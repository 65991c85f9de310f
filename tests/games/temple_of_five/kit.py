"""What the generic suite needs to know of Temple of Five."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from games.kernel import Viewer
from games.temple_of_five import TempleOfFive
from games.temple_of_five.exchange import DESTINATIONS, split_due
from games.temple_of_five.state import DECKS, Choice, Player, Special, State, replace
from tests.rulesets.kit import Kit, Perft, Setting

OPTIONS = [
    {"special_tiles": special, "will_of_the_gods": will, "ultimate_goal": goal}
    for special, will, goal in product(("single_colour", "effect", "mixed"), (False, True), (False, True))
]
"""Every combination of the variants."""

LATE_POSITION: Any = msgspec.json.decode((Path(__file__).parent / "late_position.json").read_bytes())
LATE_OPTIONS = {"special_tiles": "effect", "ultimate_goal": True}
"""The last priest turn of four, with pieces in reserve and long chains: where most actions are legal."""
LATE = Setting(4, LATE_OPTIONS, LATE_POSITION)


def permute(state: State, viewer: Viewer, random: Random) -> State:
    """Deal anew what a viewer cannot see: piles, decks, unseen tiles, and of the others all that they hide."""
    others = [seat for seat in range(state.seats) if seat != viewer]
    state = decks_shuffled(state, random)
    state = pieces_dealt_anew(state, others, random)
    state = tiles_dealt_anew(state, others, random)
    for seat in others:
        state = state.with_seat(seat, choices_made_anew(state, state.players[seat], random))
    return state


def decks_shuffled(state: State, random: Random) -> State:
    return replace(state, **{deck: shuffled(state.pile(deck), random) for deck in DECKS.values()})


def pieces_dealt_anew(state: State, others: Sequence[int], random: Random) -> State:
    for size in (2, 3):
        pile, reserve = f"bonus_{size}_pile", f"bonus_{size}"
        pool = Pool(
            state.pile(pile), *(getattr(state.players[seat], reserve) for seat in others), random=random
        )
        state = replace(state, **{pile: pool.take(state.count(pile))})
        for seat in others:
            player = state.players[seat]
            state = state.with_seat(
                seat, replace(player, **{reserve: pool.take(len(getattr(player, reserve)))})
            )
    return state


def tiles_dealt_anew(state: State, others: Sequence[int], random: Random) -> State:
    """Decoration tiles and special tiles, whichever of them are in hand this round."""
    held = "special_pile" if state.level == 3 else "tile_pile"
    hands = [state.players[seat].hand or () for seat in others]
    unseen = [player.unseen or () for player in state.players]
    face_down = [seat for seat in others if lies_face_down(state.players[seat])]
    tiles = Pool(state.pile("tile_pile"), *(hands if held == "tile_pile" else []), *unseen, random=random)
    specials = Pool(
        state.pile("special_pile"),
        state.pile("special_discard"),
        *(hands if held == "special_pile" else []),
        [top.tile or "" for top in (state.players[seat].special for seat in face_down) if top],
        random=random,
    )
    state = replace(
        state,
        tile_pile=tiles.take(state.tile_pile_count),
        special_pile=specials.take(state.special_pile_count),
        special_discard=specials.take(state.special_discard_count),
    )
    for seat, player in enumerate(state.players):
        state = state.with_seat(seat, replace(player, unseen=tiles.take(player.unseen_count)))
    for seat in others:
        player = state.players[seat]
        hand = (specials if held == "special_pile" else tiles).take(player.hand_count)
        state = state.with_seat(seat, replace(player, hand=hand))
    for seat in face_down:
        player = state.players[seat]
        state = state.with_seat(seat, replace(player, special=Special(specials.take(1)[0], False)))
    return state


def lies_face_down(player: Player) -> bool:
    return player.special is not None and not player.special.face_up


def choices_made_anew(state: State, player: Player, random: Random) -> Player:
    """Another secret choice that would have led as far as this one."""
    if state.phase == "choose_goal" and player.goal_side is not None:
        return replace(player, goal_side=random.choice("ab"))
    if player.choice is None:
        return player
    hand, due = player.hand or (), split_due(state.seats, state.level)
    allotted = hand[: len(player.choice.tiles)]
    possible = []
    for destinations in product(DESTINATIONS, repeat=len(allotted)):
        room = {to: due[to] - destinations.count(to) for to in DESTINATIONS}
        waits = len(allotted) == len(hand) or sum(number > 0 for number in room.values()) > 1
        if min(room.values()) >= 0 and waits:
            choice = Choice()
            for tile, to in zip(allotted, destinations, strict=True):
                choice = choice.joined_by(tile, to)
            possible.append(choice)
    return replace(player, choice=random.choice(possible))


class Pool:
    """Components that nobody looks at, drawn in any order."""

    def __init__(self, *zones: Sequence[str], random: Random) -> None:
        self._ids = [component for zone in zones for component in zone]
        random.shuffle(self._ids)

    def take(self, number: int) -> tuple[str, ...]:
        taken = tuple(self._ids[:number])
        del self._ids[:number]
        return taken


def shuffled(ids: Sequence[str], random: Random) -> tuple[str, ...]:
    return tuple(random.sample(ids, len(ids)))


def components(state: State) -> dict[str, Any]:
    """Every tile, card and piece, wherever it is, and every seat's priests."""
    found: Counter[str] = Counter()
    for zone in (
        *DECKS.values(),
        "tile_pile",
        "special_pile",
        "special_discard",
        "bonus_2_pile",
        "bonus_3_pile",
    ):
        found.update(state.pile(zone))
    blessings = [state.display.of(god) for god in DECKS] + [player.private_card for player in state.players]
    found.update(blessing.card for blessing in blessings if blessing is not None)
    for player in state.players:
        found.update((player.hand or ()) + (player.unseen or ()) + player.bonus_reserve + player.completed)
        found.update(tile.tile for tile in player.tiles)
        found.update(piece.bonus for piece in player.pieces)
        if player.special is not None and player.special.tile is not None:
            found[player.special.tile] += 1
    priests = [
        player.priests_reserve
        + len(player.board_priests)
        + sum(blessing.priests.count(seat) for blessing in blessings if blessing is not None)
        for seat, player in enumerate(state.players)
    ]
    return {"components": found, "priests": priests, "boards": [player.board for player in state.players]}


def alike(facts: list[Any]) -> list[Any]:
    """Facts in which pieces of one colour and size, and tiles of one face, have one name (13.2)."""
    return [
        alike_placing(fact) if fact["type"] in ("bonus_placed", "special_placed") else fact for fact in facts
    ]


def alike_placing(fact: dict[str, Any]) -> dict[str, Any]:
    if fact["type"] == "bonus_placed":
        return {**fact, "bonus": without_number(fact["bonus"])}
    tile, discarded = without_number(fact["tile"]), without_number(fact["discarded"])
    if not fact["face_up"]:
        tile, discarded = sorted((tile, discarded))
    return {**fact, "tile": tile, "discarded": discarded}


def without_number(component: str) -> str:
    return component.rpartition("_")[0]


KIT = Kit(
    ruleset=TempleOfFive(),
    settings=(
        Setting(2, {}),
        Setting(2, {"special_tiles": "mixed", "will_of_the_gods": True, "ultimate_goal": True}),
        Setting(3, {"special_tiles": "effect", "ultimate_goal": True}),
        Setting(3, {"will_of_the_gods": True}),
        Setting(4, {"special_tiles": "mixed"}),
        Setting(4, {"special_tiles": "effect", "will_of_the_gods": True}),
    ),
    permute=permute,
    reveals=frozenset(
        {
            ("goals_revealed", "sides"),
            ("tiles_dealt", "tiles"),
            ("tile_revealed", "tile"),
            ("tile_allotted", "type"),
            ("tiles_exchanged", "hands"),
            ("tiles_exchanged", "type"),
            ("bonus_drawn", "bonus"),
            ("card_revealed", "card"),
            ("blessing_taken", "card"),
        }
    ),
    fleeting=frozenset({("tile_allotted", "type")}),
    components=components,
    alike=alike,
    perft=(
        Perft("the first exchange of three", Setting(3, {}), (18, 216, 1296)),
        Perft(
            "goals, then tiles one by one",
            Setting(2, {"will_of_the_gods": True, "ultimate_goal": True}),
            (4, 8, 32, 96, 1344),
        ),
        Perft("the last tiles of level 2", Setting(2, {}, {"phase": "build", "round": 5}), (32, 640)),
        Perft(
            "the tops", Setting(2, {"special_tiles": "mixed"}, {"phase": "build", "round": 6}), (6, 18, 3108)
        ),
        Perft("the last turns of four", LATE, (545,)),
    ),
)
