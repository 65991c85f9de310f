"""The fold of a game: its value after each entry of its log."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from events.asking import ask
from events.entries import (
    GENESIS,
    ActionTaken,
    Carved,
    EntropyRevealed,
    GameAborted,
    GameAdjudicated,
    GameCreated,
    GamePaused,
    GameResumed,
    GameSettled,
    GameStarted,
    PauseAgreed,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    SeatTokenRenewed,
    SeatWithdrawn,
    TakenBack,
    TimeAdded,
)
from events.game_state import Chair, Game, Lineage, Pause
from games.kernel import Registry, Ruleset

__all__ = ["BrokenLog", "Chair", "Game", "Pause", "fold", "fold_on", "follow", "ruleset_of", "unfold"]

replace = msgspec.structs.replace


class BrokenLog(ValueError):
    """Entries that cannot follow one another; the message says where."""


def fold(game: Game | None, carved: Carved, rulesets: Registry) -> Game:
    """The game after one more entry of its log."""
    facts = getattr(carved.data, "facts", None)
    if game is None or facts is None:
        return follow(game, carved, game.state if game else None)
    if game.state is None and not isinstance(carved.data, GameStarted):
        raise BrokenLog(f"entry {carved.seq} of {game.id} is played before the start")
    if isinstance(carved.data, TakenBack):
        return follow(game, carved, _restored(game, carved))
    ruleset = ruleset_of(game, rulesets)
    typed = ruleset.read_facts(facts)
    return follow(game, carved, ruleset.fold(game.state, typed), typed)


def _restored(game: Game, carved: Carved) -> Any:
    """The state that a take-back leads to."""
    index = game.lineage.index_of(carved.data.to) if game.lineage else None
    if game.lineage is None or index is None:
        raise BrokenLog(f"entry {carved.seq} of {game.id} takes back what cannot be taken back")
    return game.lineage.points[index].state


def unfold(
    entries: Iterable[Carved], rulesets: Registry, game: Game | None = None
) -> Iterator[tuple[Carved, Game]]:
    """Each entry with the game as it stood after it, from the beginning or from a game already folded."""
    for carved in entries:
        game = fold(game, carved, rulesets)
        yield carved, game


def fold_on(game: Game, entries: Iterable[Carved], rulesets: Registry) -> Game:
    """The game after these further entries of its log."""
    for _, after in unfold(entries, rulesets, game):
        game = after
    return game


def follow(game: Game | None, carved: Carved, state: Any, facts: Sequence[Any] = ()) -> Game:
    """The game after an entry whose (typed) facts have led to this state."""
    entry = carved.entry
    expected = (game.version + 1, game.hash) if game else (1, GENESIS)
    if (entry.seq, entry.prev) != expected:
        raise BrokenLog(f"entry {entry.seq} of {entry.game} does not follow entry {expected[0] - 1}")
    if game is None:
        return _begin(carved)
    after = replace(
        game,
        version=entry.seq,
        hash=carved.hash,
        at=entry.at,
        state=state,
        state_hash=entry.state,
        lineage=_trace(game, carved, state, facts) if game.takebacks else None,
        **_changes(game, carved),
    )
    return ask(game, after, carved)


def _trace(game: Game, carved: Carved, state: Any, facts: Sequence[Any]) -> Lineage | None:
    """What can be taken back after an entry: what one person has done since anybody else did something."""
    entry = carved.entry
    lineage, data, seq = game.lineage, entry.data, entry.seq
    if isinstance(data, TakenBack):
        return lineage and lineage.returned(data.to, seq)
    if isinstance(data, ActionTaken) and lineage:
        seat = entry.actor["seat"]
        if 0 <= seat < len(game.chairs) and game.chairs[seat].staying:
            return lineage.acted(seat, seq, state, tuple(facts), bool(data.random))
    if hasattr(data, "facts"):
        return Lineage.from_here(seq, state)
    return lineage and lineage.stayed(seq)


def ruleset_of(game: Game, rulesets: Registry) -> Ruleset[Any, Any]:
    """The very version of the rules that this game began with."""
    return rulesets.get(game.created.ruleset, game.created.ruleset_version)


def _begin(carved: Carved) -> Game:
    entry = carved.entry
    created = entry.data
    if not isinstance(created, GameCreated):
        raise BrokenLog(f"{entry.game} begins with {entry.type}")
    chairs = (Chair(),) * created.seats
    return Game(entry.game, created, entry.at, entry.actor, chairs, entry.seq, carved.hash, entry.at)


def _changes(game: Game, carved: Carved) -> dict[str, Any]:
    """What an entry changes besides the state of play."""
    match carved.entry.data:
        case ActionTaken():
            return {"pause_agreed": ()} if game.pause_agreed else {}
        case GameAdjudicated() | TimeAdded():
            return {}
        case SeatTaken() as taken:
            free = [seat for seat, chair in enumerate(game.chairs) if not chair.taken]
            return _seated(game, carved) | ({"full_since": carved.entry.at} if free == [taken.seat] else {})
        case PauseAgreed(seat=seat):
            return {"pause_agreed": tuple(sorted({*game.pause_agreed, seat}))}
        case GamePaused():
            by = "players" if "seat" in carved.entry.actor else "host"
            return {"paused": Pause(carved.entry.at, by), "pause_agreed": ()}
        case GameResumed():
            return {"paused": None}
        case GameStarted():
            return {"started": True}
        case GameAborted(reason=reason):
            return {"aborted": reason}
        case GameSettled() as settled:
            return {"settled": settled}
    return _changes_of_a_seat(game, carved)


def _changes_of_a_seat(game: Game, carved: Carved) -> dict[str, Any]:
    """What an entry changes at the seat that it names."""
    match carved.data:
        case TakenBack(seat=seat):
            return _chair(game, seat, takebacks=_chair_at(game, seat).takebacks + 1)
        case EntropyRevealed(seat=seat, entropy=entropy):
            return _chair(game, seat, revealed=entropy)
        case SeatTokenRenewed(seat=seat, generation=generation):
            return _chair(game, seat, generation=generation)
        case SeatLeft(seat=seat, generation=generation):
            return _chair(game, seat, **_emptied(game, seat, generation))
        case SeatWithdrawn(seat=seat, cause=cause):
            return _chair(game, seat, withdrawn=cause)
        case SeatHandedOver(seat=seat):
            return _chair(game, seat, **_handed_over(game, carved))
    raise BrokenLog(f"entry {carved.seq} of {game.id} cannot stand there: {carved.entry.type}")


def _seated(game: Game, carved: Carved) -> dict[str, Any]:
    """Who sits down."""
    taken: SeatTaken = carved.data
    return _chair(
        game,
        taken.seat,
        taken=True,
        ref=taken.player.ref,
        named=taken.player.name_hash is not None,
        bot=taken.bot,
        entropy=taken.entropy,
        entropy_commitment=taken.entropy_commitment,
        seated_by=carved.entry.actor,
        public_key=taken.public_key or None,
        came_with=_chair_at(game, taken.seat).generation,
    )


def _chair(game: Game, seat: int, **changes: Any) -> dict[str, Any]:
    chairs = list(game.chairs)
    chairs[seat] = replace(_chair_at(game, seat), **changes)
    return {"chairs": tuple(chairs)}


def _chair_at(game: Game, seat: int) -> Chair:
    if not 0 <= seat < len(game.chairs):
        raise BrokenLog(f"{game.id} has no seat {seat}")
    return game.chairs[seat]


def _handed_over(game: Game, carved: Carved) -> dict[str, Any]:
    """What changes at a seat that another person takes over."""
    handed: SeatHandedOver = carved.data
    chair = _chair_at(game, handed.seat)
    return {
        "ref": handed.player.ref,
        "named": handed.player.name_hash is not None,
        "generation": handed.generation,
        "leavings": (*chair.leavings, handed.generation),
        "public_key": handed.public_key,
        "came_with": handed.generation,
        "held_since": carved.seq,
        "handovers": chair.handovers + 1,
    }


def _emptied(game: Game, seat: int, generation: int) -> dict[str, Any]:
    """A chair as nobody had sat there, but for the counter of its tokens."""
    leavings = (*game.chairs[seat].leavings, generation) if seat < len(game.chairs) else ()
    return msgspec.structs.asdict(Chair(generation=generation, leavings=leavings))
