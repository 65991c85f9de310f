"""What the rules do by themselves after an action: automatic steps and choices that are none (5.1)."""

from games.sa_re.construction import complete_work, work_is_paid
from games.sa_re.facts.construction import ConstructionStarted
from games.sa_re.facts.game import GameSetUp, RoundStarted
from games.sa_re.facts.season import HoshekhAppeared
from games.sa_re.forced import ONLY_ACTION
from games.sa_re.legal import RULES
from games.sa_re.play import Play
from games.sa_re.season import close_sequence, hoshekh_is_on_top
from games.sa_re.state import State, replace


def begin(play: Play) -> None:
    """A position may lie there with Hoshekh on top; in play it acts as soon as it comes up."""
    if hoshekh_is_on_top(play.state):
        play.happens(HoshekhAppeared())
    go_on(play)


def go_on(play: Play) -> None:
    """Run every automatic step, until a player has something to decide; from the first forced action on, all is automatic."""
    take_steps(play)
    decided = len(play.facts)
    while take_only_choice(play):
        take_steps(play)
    if len(play.facts) > decided:
        play.facts[decided:] = [replace(fact, auto=True) for fact in play.facts[decided:]]


def take_steps(play: Play) -> None:
    """All that nobody decides: founded cities begin a round, a sequence ends without its player, paid works complete."""
    while True:
        state = play.state
        match state.phase:
            case "season" if sequence_is_cut_short(state):
                close_sequence(play)
            case "construction" if work_is_paid(state):
                complete_work(play)
            case "setup" if not any(player.to_place for player in state.players):
                play.happens(RoundStarted(state.round, state.first_seat))
            case _:
                return


def sequence_is_cut_short(state: State) -> bool:
    """A player who no longer stands plays no further, once all have reacted (5.4)."""
    sequence = state.sequence
    if sequence is None or state.reactions:
        return False
    return state.players[sequence.seat].obelisk != "standing"


def take_only_choice(play: Play) -> bool:
    """The one action of a seat that has no other; tells whether there was one."""
    state = play.state
    only_action = ONLY_ACTION.get(state.decision)
    if only_action is None or (state.phase == "construction" and not turn_begins(play)):
        return False
    seat = state.to_act[0]
    action = only_action(state, seat)
    if action is None:
        return False
    RULES[type(action)].effect(play, seat, action)
    return True


def turn_begins(play: Play) -> bool:
    """Construction passes over what is no choice only at the beginning of a turn."""
    return isinstance(play.facts[-1], (ConstructionStarted, GameSetUp))
