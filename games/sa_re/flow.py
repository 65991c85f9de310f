"""What the rules do by themselves after an action: automatic steps and choices that are none (5.1)."""

from games.kernel import Action
from games.sa_re.construction import complete_work, work_is_paid
from games.sa_re.facts.construction import ConstructionStarted
from games.sa_re.facts.game import GameSetUp, RoundStarted
from games.sa_re.facts.season import HoshekhAppeared
from games.sa_re.legal import RULES, only_action
from games.sa_re.play import Play
from games.sa_re.season import close_sequence, hoshekh_is_on_top
from games.sa_re.state import State


def go_on(play: Play) -> None:
    """Run every automatic step, until a player has something to decide."""
    while take_step(play) or take_only_choice(play):
        pass


def take_step(play: Play) -> bool:
    """One step that nobody decides; tells whether there was one."""
    match play.state.phase:
        case "season":
            return take_step_of_season(play)
        case "construction" if work_is_paid(play.state):
            complete_work(play)
            return True
        case "setup" if not any(player.to_place for player in play.state.players):
            play.happens(RoundStarted(play.state.round, play.state.first_seat))
            return True
    return False


def take_step_of_season(play: Play) -> bool:
    """Darkness falls, or a sequence ends without its player."""
    if hoshekh_is_on_top(play.state):
        play.happens(HoshekhAppeared())
    elif sequence_is_cut_short(play.state):
        close_sequence(play)
    else:
        return False
    return True


def sequence_is_cut_short(state: State) -> bool:
    """A player who no longer stands plays no further, once all have reacted (5.4)."""
    sequence = state.sequence
    return sequence is not None and not state.reactions and not state.players[sequence.seat].stands


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
    return only_action(play.state, play.state.to_act[0])


def is_automatic(play: Play) -> bool:
    """Setup and season pass over what is no choice, construction only at the beginning of a turn.

    Whoever is asked to react can always stay or stop: that is a choice.
    """
    match play.state.decision:
        case "work" | "resolve" | "wrap_up" | "temple" | "place_start":
            return True
        case "construction":
            return isinstance(play.facts[-1], (ConstructionStarted, GameSetUp))
    return False
