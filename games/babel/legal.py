"""The list of all that is not refused: it asks the actions themselves, so that the two cannot disagree (13)."""

from collections.abc import Iterable, Iterator

from games.babel import actions
from games.babel.actions import BabelAction
from games.babel.box import NATIONS
from games.babel.sites import starts_run
from games.babel.state import Nations, State, box_of
from games.kernel import Seat

_TRAVELS = {site: actions.Travel(site) for site in NATIONS}
_DEPLOYMENTS = {nation: actions.Deploy(nation) for nation in NATIONS}
_BUILDINGS = (actions.Build("start"), actions.Build("own"), actions.Build("opponent"))
_MIGRATIONS = {from_: tuple(actions.Migrate(from_, to) for to in NATIONS if from_ != to) for from_ in NATIONS}
_END_TURN = actions.EndTurn()


def choices(state: State, seat: Seat) -> Iterable[BabelAction]:
    """Every action that is not refused, in canonical order and form; a seat's own view is enough to tell."""
    if state.pending:
        hand = state.players[seat].hand or ()
        return [actions.Discard(nations) for nations in _ways_to_give_up(hand, state.pending.count)]
    return [action for action in _candidates(state, seat) if not action.against(state, seat)]


def _candidates(state: State, seat: Seat) -> Iterator[BabelAction]:
    me, box = state.players[seat], box_of(state)
    held = [nation for nation in NATIONS if nation in (me.hand or ())]
    for ways in (_TRAVELS, _DEPLOYMENTS):
        for nation in held:
            yield ways[nation]
    yield from _BUILDINGS
    for nation in () if state.migrated else NATIONS:
        if len(me.sites[nation].column) >= box.migration_size:
            yield from _MIGRATIONS[nation]
    column, length = me.here.column, box.run_length
    for at in range(len(column) - length + 1):
        if starts_run(column, at, length):
            yield from _abilities(at)
    yield _END_TURN


def _abilities(run: int) -> Iterator[BabelAction]:
    yield actions.DestroyTemple(run)
    yield actions.StealLevel(run)
    yield actions.ChangeSides(run)
    for nation in NATIONS:
        yield actions.ExpelNation(run, nation)
    yield actions.SkipLevel(run, "own")
    yield actions.SkipLevel(run, "opponent")
    yield actions.HalveHand(run)


def _ways_to_give_up(hand: Nations, count: int) -> Iterator[Nations]:
    """Every way to take this many cards from a sorted hand, each once, in lexicographic order."""
    if count == 0:
        yield ()
        return
    for at, nation in enumerate(hand):
        if len(hand) - at < count:
            return
        if at == 0 or hand[at - 1] != nation:
            for rest in _ways_to_give_up(hand[at + 1 :], count - 1):
                yield (nation, *rest)
