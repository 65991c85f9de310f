"""What the rules do by themselves after an action: automatic steps and choices that are none (5.1)."""

from itertools import islice

from games.kernel import Action
from games.sa_re.construction import complete_work, work_is_paid
from games.sa_re.facts.construction import ConstructionStarted
from games.sa_re.facts.game import GameSetUp, RoundStarted
from games.sa_re.facts.season import HoshekhAppeared
from games.sa_re.legal import RULES, legal_actions
from games.sa_re.play import Play
from games.sa_re.season import close_sequence, hoshekh_is_on_top
from games.sa_re.state import State


def go_on(play: Play) -> None:
    """Run every automatic step, until a player has something to decide."""
    while take_step(play) or take_only_choice(play):
        pass


def take_step(play: Play) -> bool:
    """One step that nobody decides; tells whether there was one."""
    state = play.state
    if state.phase == "setup" and not any(player.to_place for player in state.players):
        play.happens(RoundStarted(state.round, state.first_seat))
    elif hoshekh_is_on_top(state):
        play.happens(HoshekhAppeared())
    elif sequence_is_cut_short(state):
        close_sequence(play)
    elif work_is_paid(state):
        complete_work(play)
    else:
        return False
    return True


def sequence_is_cut_short(state: State) -> bool:
    """A player who no longer stands plays no further, once all have reacted (5.4)."""
    sequence = state.sequence
    return (
        state.phase == "season"
        and sequence is not None
        and not state.reactions
        and not state.players[sequence.seat].stands
    )


def take_only_choice(play: Play) -> bool:
    """The one action of a seat that has no other; tells whether there was such a seat."""
    action = only_choice(play)
    if action is None:
        return False
    play.auto = True
    RULES[type(action)].effect(play, play.state.to_act[0], action)
    return True


def only_choice(play: Play) -> Action | None:
    """The action of the one seat to act, if it has no other."""
    if not is_automatic(play) or len(play.state.to_act) != 1:
        return None
    actions = list(islice(legal_actions(play.state, play.state.to_act[0]), 2))
    return actions[0] if len(actions) == 1 else None


def is_automatic(play: Play) -> bool:
    """Setup and season pass over what is no choice, construction only at the beginning of a turn."""
    match play.state.decision:
        case "place_start" | "work" | "resolve" | "temple" | "react" | "wrap_up":
            return True
        case "construction":
            return isinstance(play.facts[-1], ConstructionStarted | GameSetUp)
    return False
