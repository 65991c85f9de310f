"""The parent of a fork: the record of the game that it says it began from."""

from events.canonical import canonical, digest
from events.game import BrokenLog, unfold
from events.origins import position_of
from games.kernel import Registry, UnknownRuleset
from replays.audit.fast_checks import well_formed_entries
from replays.audit.verify import BROKEN, Fault, NotChecked
from replays.record import Record


def check_parent(record: Record, parent: Record, rulesets: Registry) -> None:
    """15: a fork began where the record of its parent stood at that version, with everybody back at the table."""
    origin = record["entries"][0]["data"]["origin"]
    if origin["kind"] != "fork":
        raise NotChecked("the game is no fork")
    if origin["game"] != parent.get("game"):
        raise NotChecked(f"it is a fork of {origin['game']}, and the record given is of another game")
    entries = well_formed_entries(parent)
    if entries is None:
        raise NotChecked(f"of the parent: {BROKEN}")
    if not 0 < origin["version"] <= len(entries):
        raise Fault(1, f"the parent has no entry {origin['version']}")
    try:
        *_, (_, then) = unfold(entries[: origin["version"]], rulesets)
    except UnknownRuleset as missing:
        raise NotChecked(str(missing)) from None
    except BrokenLog:
        raise NotChecked("the parent cannot be played again: audit it first") from None
    if then.state is None:
        raise Fault(1, "the parent had not started at that version")
    if digest(then.state) != then.state_hash:
        raise NotChecked("the parent is not the game that its record says: audit it first")
    if canonical(position_of(then.state)) != canonical(origin["position"]):
        raise Fault(1, "it does not begin where its parent stood at that version")
