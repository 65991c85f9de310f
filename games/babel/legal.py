"""What is refused and why, and the list of all that is not: both ask the same rules, so they cannot disagree (13)."""

from collections.abc import Iterator

from games.babel.abilities import (
    ChangeSides,
    DestroyTemple,
    ExpelNation,
    HalveHand,
    SkipLevel,
    StealLevel,
)
from games.babel.actions import BabelAction, Build, Deploy, Discard, EndTurn, Migrate, Move, Travel
from games.babel.box import NATIONS
from games.babel.start_card import can_build_start_card
from games.babel.state import Nations, State
from games.babel.table import Table
from games.kernel import Seat

SENTENCES = {
    "already_there": "Your pawn stands at that site already.",
    "card_not_in_hand": "You do not hold enough cards of that nation.",
    "pawn_in_quarry": "Your pawn is still in the quarry: travel to a site first.",
    "no_such_temple_card": "There is no temple card to take from there.",
    "wrong_level": "That card's level does not follow on the temple where your pawn stands.",
    "not_enough_nations": "Your column here has fewer cards than the level asks for.",
    "already_migrated": "You have migrated in this turn already.",
    "same_site": "A migration goes from one site to another.",
    "too_few_cards": "A migration takes three cards, and that column has fewer.",
    "no_run": "No run of three or more equal cards begins at that index of your column here.",
    "wrong_nation": "That run is of another nation than the ability needs.",
    "no_target": "The other player has nothing that this ability could act on.",
    "level_not_higher": "The temple facing you is not higher than yours.",
    "wrong_count": "You have to discard exactly half of your hand, rounded down.",
    "start_card_must_be_built": "Your start card has to be built in this turn, and this would prevent it.",
}
"""What each refusal tells the player."""

_FIRST: tuple[Move, ...] = (
    *(Travel(site) for site in NATIONS),
    *(Deploy(nation) for nation in NATIONS),
    Build("start"),
    Build("own"),
    Build("opponent"),
    *(Migrate(from_, to) for from_ in NATIONS for to in NATIONS if from_ != to),
)
_END_TURN = EndTurn()


def refusal(action: BabelAction, table: Table) -> str | None:
    """The code of the first rule that forbids this action; the start card's duty comes last."""
    return action.refusal(table) or _neglects_start_card(action, table)


def _neglects_start_card(action: BabelAction, table: Table) -> str | None:
    """A turn may not end before the start card is built, nor waste the means to build it (6.0)."""
    if not table.owes_start_card:
        return None
    if isinstance(action, Move):
        after = table.state
        for fact in action.facts(table):
            after = fact.apply(after)
        me = after.players[table.seat]
        if not me.start_card or can_build_start_card(me, after.migrated, table.box):
            return None
    return "start_card_must_be_built"


def legal_actions(state: State, seat: Seat) -> list[BabelAction]:
    """Every action that is not refused, in canonical order and form; a seat's own view is enough to tell."""
    if seat not in state.to_act:
        return []
    if state.pending:
        hand = state.players[seat].hand or ()
        return [Discard(nations) for nations in _choices(hand, state.pending.count)]
    return legal_in(Table(state, seat))


def legal_in(table: Table) -> list[BabelAction]:
    """The legal actions of the player whose turn it is."""
    return [action for action in _candidates(table) if not refusal(action, table)]


def _candidates(table: Table) -> Iterator[BabelAction]:
    yield from _FIRST
    for run in table.runs():
        yield from _abilities(run)
    yield _END_TURN


def _abilities(run: int) -> Iterator[BabelAction]:
    yield DestroyTemple(run)
    yield StealLevel(run)
    yield ChangeSides(run)
    for nation in NATIONS:
        yield ExpelNation(run, nation)
    yield SkipLevel(run, "own")
    yield SkipLevel(run, "opponent")
    yield HalveHand(run)


def _choices(hand: Nations, count: int) -> Iterator[Nations]:
    """Every way to take this many cards from a sorted hand, each once, in lexicographic order."""
    if count == 0:
        yield ()
        return
    for at, nation in enumerate(hand):
        if len(hand) - at < count:
            return
        if at == 0 or hand[at - 1] != nation:
            for rest in _choices(hand[at + 1 :], count - 1):
                yield (nation, *rest)
