"""A game as its log tells it: the fold of entries that everything else reads."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from events.entries import (
    FIRST_TERMS,
    GENESIS,
    ActionTaken,
    Carved,
    EntropyRevealed,
    GameAborted,
    GameAdjudicated,
    GameCreated,
    GameSettled,
    GameStarted,
    SeatLeft,
    SeatTaken,
    SeatTokenRenewed,
    SeatWithdrawn,
)
from events.seeds import game_seed
from events.times import milliseconds
from games.kernel import CLOCK_RESTARTS, Registry, Ruleset

replace = msgspec.structs.replace


class BrokenLog(ValueError):
    """Entries that cannot follow one another; the message says where."""


class Chair(msgspec.Struct, frozen=True):
    """One seat of a game: who sits there, and what they brought."""

    taken: bool = False
    ref: str | None = None
    named: bool = False
    bot: str | None = None
    withdrawn: str | None = None
    generation: int = 0
    """The generation of the seat's token: one counter for all who ever sat there."""
    leavings: tuple[int, ...] = ()
    """The generation that began with each time the seat was given up."""
    entropy: str | None = None
    entropy_commitment: str | None = None
    revealed: str | None = None
    seated_by: dict[str, Any] | None = None

    @property
    def person(self) -> bool:
        """Does somebody sit here who is no bot?"""
        return self.taken and self.bot is None

    @property
    def staying(self) -> bool:
        """Is this seat a person's who has not withdrawn?"""
        return self.person and self.withdrawn is None

    @property
    def sealed(self) -> bool:
        """Has this seat a seal that is still closed?"""
        return self.entropy_commitment is not None and self.revealed is None

    @property
    def entropy_bytes(self) -> bytes:
        """What this seat adds to the game's seed."""
        return bytes.fromhex(self.revealed) if self.revealed else (self.entropy or "").encode()


class Game(msgspec.Struct, frozen=True):
    """Everything that follows from a game's log up to `version`."""

    id: str
    created: GameCreated
    created_at: str
    creator: dict[str, Any]
    chairs: tuple[Chair, ...]
    version: int
    hash: str
    at: str
    state: Any = None
    state_hash: str | None = None
    started: bool = False
    aborted: str | None = None
    settled: GameSettled | None = None
    decisions: dict[int, int] = {}
    """For each seat to act, the entry that asked it (or its own latest action since)."""
    asked_at: dict[int, str] = {}
    """For each seat to act, when its clock began to run."""
    left: dict[int, int] = {}
    """What seats have left of a total clock, in milliseconds, as of the latest entry; absent: all of it."""
    full_since: str | None = None
    """When the last seat was taken."""

    @property
    def status(self) -> str:
        """`open`, `sealing`, `playing`, `ended` or `aborted`."""
        if self.aborted:
            return "aborted"
        if self.started:
            return "ended" if self.outcome else "playing"
        return "sealing" if self.full else "open"

    @property
    def first_terms(self) -> bool:
        """Is this a game of the first terms, into which nothing newer is written?"""
        return self.created.terms == FIRST_TERMS

    @property
    def full(self) -> bool:
        return all(chair.taken for chair in self.chairs)

    @property
    def outcome(self) -> Any:
        return self.state.outcome if self.state is not None else None

    @property
    def to_act(self) -> tuple[int, ...]:
        playing = self.started and not self.aborted and not self.outcome
        return self.state.to_act if playing else ()

    @property
    def on_clock(self) -> tuple[int, ...]:
        """The seats to act that a clock binds: people who have not withdrawn."""
        return tuple(seat for seat in self.to_act if self.chairs[seat].staying)

    def caller_at(self, seat: int, generation: int | None = None) -> str:
        """How `req` names who sits there, or sat there with a token of an earlier generation."""
        chair = self.chairs[seat]
        since = chair.generation if generation is None else generation
        before = sum(began <= since for began in chair.leavings)
        return f"{seat}~{before}" if before else f"{seat}"

    @property
    def seeded(self) -> bool:
        origin = self.created.origin
        return origin["kind"] == "seeded" or bool(origin.get("seeded"))

    @property
    def position(self) -> dict[str, Any] | None:
        """The position this game begins from, if it is not an ordinary setup."""
        return self.created.origin.get("position")

    def seed(self, server_seed: bytes) -> bytes:
        """The seed of this game's chances, once every seat is taken and every seal opened."""
        if self.seeded:
            return server_seed
        return game_seed(server_seed, self.id, [chair.entropy_bytes for chair in self.chairs])

    @property
    def fairness(self) -> str | None:
        """What the chances of this game are worth: who could have chosen the deal."""
        if self.created.origin["kind"] in ("position", "fork"):
            return None
        if self.seeded:
            return "seeded"
        independent = [chair for seat, chair in enumerate(self.chairs) if self._is_independent(seat, chair)]
        if any(chair.entropy_commitment for chair in independent):
            return "sealed"
        return "open" if any(chair.entropy for chair in independent) else "server_only"

    def _is_independent(self, seat: int, chair: Chair) -> bool:
        """Did a player bring its own? (By the first terms: anyone but a bot and who created the game.)"""
        if self.first_terms:
            return chair.seated_by != self.creator and not chair.bot
        return chair.person and chair.seated_by == {"seat": seat}


def fold(game: Game | None, carved: Carved, rulesets: Registry) -> Game:
    """The game after one more entry of its log."""
    facts = getattr(carved.data, "facts", None)
    if game is None or facts is None:
        return follow(game, carved, game.state if game else None)
    if game.state is None and not isinstance(carved.data, GameStarted):
        raise BrokenLog(f"entry {carved.seq} of {game.id} is played before the start")
    ruleset = ruleset_of(game, rulesets)
    return follow(game, carved, ruleset.fold(game.state, ruleset.read_facts(facts)))


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


def follow(game: Game | None, carved: Carved, state: Any) -> Game:
    """The game after an entry whose facts have led to this state."""
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
        **_changes(game, carved),
    )
    return _ask(game, after, carved)


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
    match carved.data:
        case ActionTaken() | GameAdjudicated():
            return {}
        case SeatTaken() as taken:
            free = [seat for seat, chair in enumerate(game.chairs) if not chair.taken]
            seated = _chair(
                game,
                taken.seat,
                taken=True,
                ref=taken.player.ref,
                named=taken.player.name_hash is not None,
                bot=taken.bot,
                entropy=taken.entropy,
                entropy_commitment=taken.entropy_commitment,
                seated_by=carved.entry.actor,
            )
            return seated | ({"full_since": carved.entry.at} if free == [taken.seat] else {})
        case EntropyRevealed(seat=seat, entropy=entropy):
            return _chair(game, seat, revealed=entropy)
        case SeatTokenRenewed(seat=seat, generation=generation):
            return _chair(game, seat, generation=generation)
        case SeatLeft(seat=seat, generation=generation):
            return _chair(game, seat, **_emptied(game, seat, generation))
        case SeatWithdrawn(seat=seat, cause=cause):
            return _chair(game, seat, withdrawn=cause)
        case GameStarted():
            return {"started": True}
        case GameAborted(reason=reason):
            return {"aborted": reason}
        case GameSettled() as settled:
            return {"settled": settled}
    raise BrokenLog(f"entry {carved.seq} of {game.id} cannot stand there: {carved.entry.type}")


def _chair(game: Game, seat: int, **changes: Any) -> dict[str, Any]:
    if not 0 <= seat < len(game.chairs):
        raise BrokenLog(f"{game.id} has no seat {seat}")
    chairs = list(game.chairs)
    chairs[seat] = replace(chairs[seat], **changes)
    return {"chairs": tuple(chairs)}


def _emptied(game: Game, seat: int, generation: int) -> dict[str, Any]:
    """A chair as nobody had sat there, but for the counter of its tokens."""
    leavings = (*game.chairs[seat].leavings, generation) if seat < len(game.chairs) else ()
    return msgspec.structs.asdict(Chair(generation=generation, leavings=leavings))


# -- who is asked, and how long they have -----------------------------------------------------------------------------


def _ask(before: Game, after: Game, carved: Carved) -> Game:
    """Bring up to date which entry asked each seat to act, since when its clock runs, and what is left of it."""
    to_act = after.to_act
    if not to_act and not before.decisions:
        return after
    entry = carved.entry
    actor = entry.actor.get("seat") if entry.type == "action_taken" else None
    restarts = _moment(before) != _moment(after)
    decisions: dict[int, int] = {}
    asked_at: dict[int, str] = {}
    for seat in to_act:
        waiting = seat in before.decisions
        decisions[seat] = before.decisions[seat] if waiting and seat != actor else entry.seq
        asked_at[seat] = before.asked_at[seat] if waiting and not restarts else entry.at
    rewarded = actor if actor not in to_act or restarts else None
    return replace(after, decisions=decisions, asked_at=asked_at, left=_left(before, entry.at, rewarded))


def _left(before: Game, at: str, rewarded: int | None) -> dict[int, int]:
    """What is left of a total clock: whoever was asked loses the time since, and gains by ending its turn."""
    clock = before.created.clock
    if clock is None or clock.total_seconds is None:
        return before.left
    left = dict(before.left)
    passed = milliseconds(at) - milliseconds(before.at)
    for seat in before.on_clock:
        gained = (clock.increment_seconds or 0) * 1000 if seat == rewarded else 0
        left[seat] = left.get(seat, clock.total_seconds * 1000) - passed + gained
    return left


def _moment(game: Game) -> tuple[Any, ...]:
    """The values whose change begins a turn clock anew."""
    names = CLOCK_RESTARTS if game.first_terms or game.state is None else game.state.clock_restarts()
    return tuple(getattr(game.state, name, None) for name in names)
