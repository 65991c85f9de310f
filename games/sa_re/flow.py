"""What the rules do by themselves after an action: automatic steps and choices that are none (5.1)."""

from games.kernel import Course, GameSetUp, replace
from games.sa_re.construction import complete_work, work_is_paid
from games.sa_re.facts.construction import ConstructionStarted
from games.sa_re.facts.game import RoundStarted
from games.sa_re.forced import ONLY_ACTION
from games.sa_re.season import close_sequence
from games.sa_re.state import State


def go_on(course: Course[State]) -> None:
    """Run every automatic step, until a player has something to decide; from the first forced action on, all is automatic."""
    take_steps(course)
    decided = len(course.facts)
    while take_only_choice(course):
        take_steps(course)
    if len(course.facts) > decided:
        course.facts[decided:] = [replace(fact, auto=True) for fact in course.facts[decided:]]


def take_steps(course: Course[State]) -> None:
    """All that nobody decides: founded cities begin a round, a sequence ends without its player, paid works complete."""
    while True:
        state = course.state
        match state.phase:
            case "season" if sequence_is_cut_short(state):
                close_sequence(course)
            case "construction" if work_is_paid(state):
                complete_work(course)
            case "setup" if not any(player.to_place for player in state.players):
                course.happens(RoundStarted(state.round, state.first_seat))
            case _:
                return


def sequence_is_cut_short(state: State) -> bool:
    """A player who no longer stands plays no further, once all have reacted (5.4)."""
    sequence = state.sequence
    if sequence is None or state.reactions:
        return False
    return state.players[sequence.seat].obelisk != "standing"


def take_only_choice(course: Course[State]) -> bool:
    """The one action of a seat that has no other; tells whether there was one."""
    state = course.state
    only_action = ONLY_ACTION.get(state.decision)
    if only_action is None or (state.phase == "construction" and not turn_begins(course)):
        return False
    seat = state.to_act[0]
    action = only_action(state, seat)
    if action is None:
        return False
    action.happen(course, seat)
    return True


def turn_begins(course: Course[State]) -> bool:
    """Construction passes over what is no choice only at the beginning of a turn."""
    return isinstance(course.facts[-1], (ConstructionStarted, GameSetUp))
