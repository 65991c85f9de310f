"""The greedy bot: it does what leaves it the best table, judging one step and the rest of its turn at a glance."""

from games.babel.abilities import DestroyTemple
from games.babel.actions import BabelAction, Discard, Move
from games.babel.box import Nation
from games.babel.judgement import HAND_CARD, decided, worth_of_hand, worth_of_table, worth_within_reach
from games.babel.legal import legal_in
from games.babel.state import Nations, State, without
from games.babel.table import Table
from games.chance import Stream
from games.kernel import Bot, Seat

PATIENCE = 60
"""Two who destroy each other's temples could go on for ever (12.2): from this turn on the bot destroys none."""
RELUCTANCE = 1_000.0


class GreedyBot(Bot[State, BabelAction]):
    """Compares the tables that its legal actions lead to; chance decides between equals alone."""

    def choose(self, view: State, seat: Seat, dice: Stream) -> BabelAction:
        table = Table(view, seat)
        if view.pending:
            return Discard(_least_missed(table, view.pending.count))
        actions = legal_in(table)
        worths = [_worth_after(action, table) for action in actions]
        best = max(worths)
        if worths.count(best) == 1:
            return actions[worths.index(best)]
        equals = [action for action, worth in zip(actions, worths, strict=True) if worth == best]
        return equals[dice.below(len(equals))]


def _worth_after(action: BabelAction, table: Table) -> float:
    """To end the turn is worth the table as it is; any other action also what it leaves within reach."""
    state, seat = table.state, table.seat
    if not isinstance(action, Move):
        return worth_of_table(table.me, table.other, table.box)
    for fact in action.facts(table):
        state = fact.apply(state)
    me, other = state.players[seat], state.players[1 - seat]
    end = decided(me, other, state.endgame, table.box.thresholds)
    if end is not None:
        return end
    worth = worth_of_table(me, other, table.box) + worth_within_reach(me, other, table.box)
    if state.pending:
        worth += HAND_CARD * state.pending.count
    if isinstance(action, DestroyTemple) and state.turn > PATIENCE:
        worth -= RELUCTANCE
    return worth


def _least_missed(table: Table, count: int) -> Nations:
    """Give up one card after another, each time the one whose loss is felt least."""
    kept = table.me.hand or ()
    given: list[Nation] = []
    for _ in range(count):
        remaining = {nation: without(kept, nation) or () for nation in dict.fromkeys(kept)}
        given.append(max(remaining, key=lambda nation: worth_of_hand(table.me, remaining[nation], table.box)))
        kept = remaining[given[-1]]
    return tuple(sorted(given))
