"""The public status of a game (who is to act, deadlines, outcome), and the actions that a viewer may take."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from events.canonical import canonical
from events.clocks import Patience, deadlines, time_left
from events.game import Game, ruleset_of
from events.takebacks import lowest_takeback
from games.kernel import Registry, Viewer
from replays.labels import LabelWords, labels_of


def public_status(game: Game, patience: Patience) -> dict[str, Any]:
    """Who is asked, how long they have, and how it ended: the same for everyone."""
    return {
        "status": game.status,
        "to_act": game.to_act,
        "decisions": by_seat(game.decisions),
        "deadlines": by_seat(deadlines(game, patience)),
        "left": by_seat(time_left(game)),
        "outcome": None if game.aborted else game.outcome,
        "paused": game.paused,
        "pause_agreed": game.pause_agreed,
    }


def own_status(game: Game, viewer: Viewer, rulesets: Registry) -> dict[str, Any]:
    """What concerns the viewer's own seat alone: how far it may take back, and the hash of the entry that asked it."""
    asked = None if viewer is None else game.decision_hashes.get(viewer)
    return {"takeback": lowest_takeback(game, viewer, rulesets), "decision_hash": asked}


def by_seat(values: Mapping[int, Any]) -> dict[str, Any]:
    """Values by seat as JSON has them: its keys are text."""
    return {str(seat): value for seat, value in values.items()}


def available_actions(game: Game, viewer: Viewer, rulesets: Registry) -> list[Any]:
    """What a viewer may do now: nothing, unless it is a seat that is to act and that no bot plays."""
    if viewer is None or not _may_choose(game, viewer):
        return []
    return ruleset_of(game, rulesets).legal_actions(game.state, viewer)


class Include(NamedTuple):
    """What a caller wants to know beside an answer: what it may do, and that in words."""

    actions: bool = False
    labels: LabelWords | None = None

    @property
    def mark(self) -> str | None:
        """What an ETag says of it."""
        if self.labels is None:
            return "actions" if self.actions else None
        return f"labels.{sha256(canonical(self.labels)).hexdigest()[:8]}"


NOTHING_MORE = Include()


def included(game: Game, viewer: Viewer, rulesets: Registry, include: Include) -> dict[str, Any]:
    """The members `actions` and `labels` of an answer, as far as they are wanted."""
    if not include.actions:
        return {}
    actions = available_actions(game, viewer, rulesets)
    if include.labels is None:
        return {"actions": actions}
    if viewer is None or not actions:
        return {"actions": actions, "labels": []}
    ruleset = ruleset_of(game, rulesets)
    view = ruleset.view(game.state, viewer)
    return {"actions": actions, "labels": labels_of(ruleset, view, viewer, actions, include.labels)}


def hint_seat(game: Game) -> int | None:
    """The seat that may have hints now: one that is to act while bots sit at all other seats; None if there is none."""
    people = [seat for seat, chair in enumerate(game.chairs) if not chair.bot]
    return people[0] if len(people) == 1 and _may_choose(game, people[0]) else None


def _may_choose(game: Game, seat: int) -> bool:
    return seat in game.to_act and game.chairs[seat].staying and not game.paused
