"""The greedy bot: it does what leaves it the best table, judging one step and the rest of its turn at a glance."""

from games.babel.actions import BabelAction, DestroyTemple, Discard, EndTurn
from games.babel.appraisal import HAND_CARD, Table, decided, worth_of_hand, worth_within_reach
from games.babel.box import Nation
from games.babel.legal import choices
from games.babel.state import Nations, State, box_of
from games.babel.winning import winning_action
from games.chance import Stream
from games.kernel import Bot, Seat, without

PATIENCE = 60
"""Two who destroy each other's temples could go on for ever (12.2): from this turn on the bot destroys none."""
RELUCTANCE = 1_000.0


class Greedy(Bot[State, BabelAction]):
    """Compares the tables that its legal actions lead to; chance decides between equals alone."""

    def choose(self, view: State, seat: Seat, dice: Stream) -> BabelAction:
        if view.pending:
            return Discard(_least_missed(view, seat, view.pending.count))
        if winning := winning_action(view, seat):
            return winning
        actions = [*choices(view, seat)]
        table = Table(view.players[seat], view.players[1 - seat], box_of(view))
        worths = [_worth_after(action, view, seat, table) for action in actions]
        best = max(worths)
        if worths.count(best) == 1:
            return actions[worths.index(best)]
        equals = [action for action, worth in zip(actions, worths, strict=True) if worth == best]
        return equals[dice.below(len(equals))]


def _worth_after(action: BabelAction, view: State, seat: Seat, table: Table) -> float:
    """To end the turn is worth the table as it is; any other action also what it leaves within reach."""
    if isinstance(action, EndTurn):
        return table.worth(view.players[seat], view.players[1 - seat])
    box, after = box_of(view), action.leads_to(view, seat)
    me, other = after.players[seat], after.players[1 - seat]
    end = decided(me, other, after.endgame, box.thresholds)
    if end is not None:
        return end
    worth = table.worth(me, other) + worth_within_reach(me, other, box)
    if after.pending:
        worth += HAND_CARD * after.pending.count
    if isinstance(action, DestroyTemple) and after.turn > PATIENCE:
        worth -= RELUCTANCE
    return worth


def _least_missed(view: State, seat: Seat, count: int) -> Nations:
    """Give up one card after another, each time the one whose loss is felt least."""
    me, box = view.players[seat], box_of(view)
    hand = me.hand or ()
    given_up: list[Nation] = []
    for _ in range(count):
        remaining = {nation: without(hand, nation) or () for nation in dict.fromkeys(hand)}
        given_up.append(
            max(
                remaining,
                key=lambda nation: worth_of_hand(remaining[nation], me.pawn, me.here.column, box.run_length),
            )
        )
        hand = remaining[given_up[-1]]
    return tuple(sorted(given_up))
