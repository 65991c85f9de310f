"""Commands on a game. Each writes its entries into a batch, or refuses and writes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from events import consequences, entries, seeds
from events.batch import EntryBatch
from events.canonical import canonical
from events.clocks import due_times
from events.game import Game, ruleset_of
from events.origins import check_position
from events.times import milliseconds, time_at
from games.chance import Chance
from games.kernel import BOT_VERSION, IllegalAction, InvalidSetup, Refusal, Registry, Ruleset

WORKER_ACTOR = {"system": "worker"}
CLOCK_ACTOR = {"system": "clock"}
ANONYMOUS_ACTOR = {"anonymous": True}


class OldTerms(Refusal):
    """A game of earlier terms cannot hold what this act would write."""

    def __init__(self) -> None:
        super().__init__("old_terms", "This game began under earlier terms, which do not know this.")


class DeadlinePassed(Refusal):
    """The seat had run out of time when it acted."""

    def __init__(self, seat: int, due: int) -> None:
        super().__init__("deadline_passed", f"Seat {seat} had to act by {time_at(due)}: it is too late.")


@dataclass(frozen=True)
class NewGame:
    """What a game is created with, besides its players."""

    ruleset: Ruleset[Any, Any]
    options: Mapping[str, Any] | None
    seats: int
    server_seed: bytes
    origin: dict[str, Any] = field(default_factory=lambda: {"kind": "fresh"})
    private: bool = False
    clock: entries.Clock | None = None
    host: str | None = None
    tags: tuple[str, ...] = ()
    takebacks: bool = True
    rematch_of: str | None = None


class Sitter(NamedTuple):
    """Who sits down: a player or a bot (whose name, if it has one, is kept apart)."""

    name_hash: str | None = None
    ref: str | None = None
    bot: str | None = None
    entropy: str | None = None
    entropy_commitment: str | None = None
    person: str | None = None
    """Name and nonce as JSON, for beside the log."""
    public_key: str | None = None
    """The Ed25519 key, in hex, that the seat signs with."""


def create(batch: EntryBatch, actor: dict[str, Any], new: NewGame) -> None:
    """Create a game; options, seats and position are tried now, with a throw-away chance."""
    options = new.ruleset.read_options(new.options)
    new.ruleset.check_seats(new.seats)
    position = new.origin.get("position")
    check_position(position)
    try_setup(new.ruleset, options, new.seats, position)
    chosen = new.ruleset.component_set(options)
    batch.write(
        actor,
        entries.GameCreated(
            ruleset=new.ruleset.name,
            ruleset_version=new.ruleset.version,
            component_set=entries.ComponentSetName(chosen.name, chosen.sha256),
            options=msgspec.to_builtins(options),
            seats=new.seats,
            seed_commitment=seeds.commitment(new.server_seed),
            private=new.private,
            clock=new.clock,
            host=new.host,
            origin=new.origin,
            tags=new.tags,
            terms=entries.TERMS,
            takebacks=new.takebacks,
            rematch_of=new.rematch_of,
        ),
    )


def try_setup(ruleset: Ruleset[Any, Any], options: Any, seats: int, position: Any) -> None:
    """Raise what a game with these options, seats and position would be refused for."""
    if position is None:
        try_usual_setup(ruleset, canonical(options), seats)
    else:
        ruleset.setup(options, seats, Chance(bytes(32)), position)


@lru_cache(256)
def try_usual_setup(ruleset: Ruleset[Any, Any], options: bytes, seats: int) -> None:
    """The same without a position: what could be dealt once with these options and seats, can be dealt again."""
    ruleset.setup(ruleset.read_options(msgspec.json.decode(options)), seats, Chance(bytes(32)), None)


def sit(batch: EntryBatch, seat: int | None, sitter: Sitter, by: dict[str, Any] | None = None) -> None:
    """Take a seat (any free one if none is named). Without `by`, the sitter is the actor."""
    game = batch.game
    if seat is not None and not 0 <= seat < len(game.chairs):
        raise InvalidSetup("invalid_seats", f"There is no seat {seat}; this game has {len(game.chairs)}.")
    if game.aborted:
        raise Refusal("game_over", "This game was called off.")
    free = [s for s, chair in enumerate(game.chairs) if not chair.taken]
    if not free:
        raise Refusal("game_full", "Every seat of this game is taken.")
    if seat is None:
        seat = free[0]
    if seat not in free:
        raise Refusal("seat_taken", f"Seat {seat} is taken; free: {', '.join(map(str, free))}.")
    if game.seeded and (sitter.entropy or sitter.entropy_commitment):
        raise Refusal("invalid_request", "A seeded game takes no entropy: its seed alone decides.")
    actor = by or {"seat": seat}
    if sitter.bot:
        _check_bot(game, sitter, actor)
    taken = entries.SeatTaken(
        seat=seat,
        player=entries.Player(sitter.name_hash, sitter.ref),
        bot=sitter.bot,
        entropy=sitter.entropy,
        entropy_commitment=sitter.entropy_commitment,
    )
    if not game.old_terms:
        version = BOT_VERSION if sitter.bot else None
        taken = msgspec.structs.replace(taken, public_key=sitter.public_key, bot_version=version)
    elif sitter.public_key:
        raise OldTerms
    batch.write(actor, taken)
    if sitter.person is not None:
        batch.people[seat] = sitter.person


def _check_bot(game: Game, sitter: Sitter, actor: Mapping[str, Any]) -> None:
    """A bot may be named; its `ref` comes from a host or an operator."""
    if game.first_terms and (sitter.name_hash or sitter.ref):
        raise OldTerms
    if sitter.ref is not None and not actor.keys() & {"host", "operator"}:
        raise Refusal("forbidden", "A bot's `ref` is for hosts and operators.")


def leave(batch: EntryBatch, actor: dict[str, Any], seat: int) -> None:
    """A seat is given up while the game is open: its tokens are dead, and its next sitter's has the next generation."""
    game = batch.game
    if not 0 <= seat < len(game.chairs):
        raise InvalidSetup("invalid_seats", f"There is no seat {seat}; this game has {len(game.chairs)}.")
    if game.first_terms:
        raise OldTerms
    if game.status != "open":
        raise Refusal("not_open", "A seat can be left only while the game is open.")
    chair = game.chairs[seat]
    if not chair.taken:
        raise Refusal("invalid_request", f"Nobody sits at seat {seat}.")
    if "seat" in actor and (chair.bot or actor["seat"] != seat):
        raise Refusal("forbidden", "A seat is given up by itself, the game's host or an operator.")
    batch.write(actor, entries.SeatLeft(seat, chair.generation + 1))


def open_seal(batch: EntryBatch, seat: int, entropy: str) -> None:
    """A seat opens the entropy it had sealed, once everyone sits."""
    game = batch.game
    chair = game.chairs[seat]
    if game.status != "sealing" or not chair.sealed:
        raise Refusal("not_sealing", "This seat has no seal to open now.")
    if seeds.seal(bytes.fromhex(entropy)) != chair.entropy_commitment:
        raise Refusal("seal_mismatch", "This is not what the seat's commitment was made of.")
    batch.write({"seat": seat}, entries.EntropyRevealed(seat, entropy))


def start_if_ready(batch: EntryBatch, rulesets: Registry, server_seed: bytes) -> None:
    """Deal, once every seat is taken and every seal opened: the last act before it is who starts the game."""
    game = batch.game
    if game.started or game.aborted or not game.full or any(chair.sealed for chair in game.chairs):
        return
    ruleset = ruleset_of(game, rulesets)
    chance = Chance(game.seed(server_seed))
    course = consequences.opening(ruleset, game, chance)
    started = entries.GameStarted(course.facts, list(chance.draws))
    batch.write(batch.latest_actor, started, course.state)


def renew_token(batch: EntryBatch, actor: dict[str, Any], seat: int) -> None:
    """Replace a lost token: the generation goes up, and every older token is dead."""
    chair = batch.game.chairs[seat]
    if batch.game.settled:
        raise Refusal("game_over", "This game is settled: nothing more is written in its log.")
    if not chair.taken:
        raise Refusal("invalid_request", f"Nobody sits at seat {seat}.")
    if chair.bot:
        raise Refusal("seat_is_bot", f"Seat {seat} is a bot's; it has no token.")
    batch.write(actor, entries.SeatTokenRenewed(seat, chair.generation + 1))


def act(
    batch: EntryBatch,
    seat: int,
    action: Any,
    rulesets: Registry,
    seed: bytes,
    signed: entries.ActionSignature | None = None,
) -> None:
    """A player, or a bot, acts."""
    game = batch.game
    ruleset = ruleset_of(game, rulesets)
    typed = ruleset.read_action(action)
    check_playing(game)
    check_not_paused(game)
    check_in_time(batch, seat)
    chance = Chance(seed)
    course = ruleset.play(game.state, seat, typed, chance)
    taken = entries.ActionTaken(
        dict(action), list(course.facts), list(chance.draws), UNSET if game.old_terms else signed
    )
    batch.write({"seat": seat}, taken, course.state)


def check_in_time(batch: EntryBatch, seat: int) -> None:
    """A deadline binds when acting, whether or not the clock has noticed."""
    game = batch.game
    if game.created.clock is None or game.first_terms:
        return
    due = due_times(game).get(seat)
    if due is not None and milliseconds(batch.at) > due:
        raise DeadlinePassed(seat, due)


def check_action(game: Game, seat: int, action: Any, rulesets: Registry) -> None:
    """Raise the refusal that the rules have for this action, and do nothing else: no chance is drawn from the game's seed.

    Asking is not bound by a deadline.
    """
    ruleset = ruleset_of(game, rulesets)
    typed = ruleset.read_action(action)
    check_playing(game)
    check_not_paused(game)
    ruleset.decide(game.state, seat, typed, Chance(bytes(32)))


def act_in_order(
    batch: EntryBatch,
    seat: int,
    actions: Sequence[Any],
    rulesets: Registry,
    seed: bytes,
    signed: Sequence[entries.ActionSignature | None] = (),
) -> None:
    """Several actions, up to the first refusal. What was accepted stands; a refusal of the first is that refusal."""
    for index, action in enumerate(actions):
        try:
            act(batch, seat, action, rulesets, seed, signed[index] if signed else None)
        except IllegalAction:
            if index == 0:
                raise
            return


def withdraw(
    batch: EntryBatch,
    seat: int,
    cause: str,
    actor: dict[str, Any],
    rulesets: Registry,
    signed: entries.EntrySignature | None = None,
) -> None:
    """A seat gives up (`resigned`), or has run out of time (`timed_out`)."""
    game = batch.game
    check_playing(game)
    if game.chairs[seat].withdrawn:
        raise Refusal("seat_withdrawn", f"Seat {seat} has withdrawn already.")
    if cause == "timed_out" and not game.first_terms and seat not in late_seats(game, milliseconds(batch.at)):
        raise Refusal("not_late", f"Seat {seat} has not run out of time.")
    ruleset = ruleset_of(game, rulesets)
    facts = consequences.withdrawal(ruleset, game, game.state, seat, cause)
    unsigned = game.old_terms or cause != "resigned"
    withdrawn = entries.SeatWithdrawn(seat, cause, facts, [], UNSET if unsigned else signed)
    batch.write(actor, withdrawn, ruleset.fold(game.state, facts))


def late_seats(game: Game, now: int) -> list[int]:
    """The seats whose deadline has come, in ascending order; `now` in milliseconds since 1970."""
    return sorted(seat for seat, due in due_times(game).items() if due <= now)


def adjudicate(
    batch: EntryBatch, actor: dict[str, Any], winners: Sequence[int], why: str, rulesets: Registry
) -> None:
    """The game's host or an operator ends a running game and says who has won, and why."""
    game = batch.game
    if not consequences.REASON_PATTERN.fullmatch(why):
        raise Refusal("invalid_request", "`why` has 1 to 200 characters, none of them a control character.")
    check_playing(game)
    if game.first_terms:
        raise OldTerms
    ruleset = ruleset_of(game, rulesets)
    facts = consequences.adjudication(ruleset, game, game.state, winners)
    state = ruleset.fold(game.state, facts)
    batch.write(actor, entries.GameAdjudicated(state.outcome, why, facts, []), state)


def abort(batch: EntryBatch, actor: dict[str, Any], reason: str, limit: int | None = None) -> None:
    """Call a game off: it ends with no result. The clock says which limit was reached."""
    if batch.game.status in ("ended", "aborted"):
        raise Refusal("game_over", "This game is over already.")
    batch.write(actor, entries.GameAborted(reason, None if batch.game.first_terms else limit))


def abort_by_creator(batch: EntryBatch, seat: int) -> None:
    """Whoever created a game without a token, and sits in it, calls it off before it has started."""
    game = batch.game
    if game.status in ("ended", "aborted"):
        raise Refusal("game_over", "This game is over already.")
    if game.started or not is_creator(game, seat):
        raise Refusal(
            "forbidden", "A seat calls a game off only before the start, and only one that created it."
        )
    if game.first_terms:
        raise OldTerms
    batch.write({"seat": seat}, entries.GameAborted("by_creator"))


def is_creator(game: Game, seat: int) -> bool:
    """Was this seat taken in the very creation of a game by nobody in particular?"""
    return game.chairs[seat].person and game.chairs[seat].seated_by == ANONYMOUS_ACTOR


def settle(batch: EntryBatch, server_seed: bytes, audit: dict[str, Any]) -> None:
    """Close an ended or aborted game for good and open its seed, whatever the audit found."""
    game = batch.game
    if game.status not in ("ended", "aborted") or game.settled:
        raise Refusal("not_settled", "Only a game that has ended, and is not settled yet, can be settled.")
    outcome = None if game.outcome is None or game.aborted else msgspec.to_builtins(game.outcome)
    batch.write(WORKER_ACTOR, entries.GameSettled(outcome, server_seed.hex(), audit))


def check_not_paused(game: Game) -> None:
    """Refuse what waits for the end of a pause."""
    if game.paused:
        raise Refusal("paused", "The game is paused.")


def check_playing(game: Game) -> None:
    """Refuse what can only be done while a game is played."""
    match game.status:
        case "open" | "sealing":
            raise Refusal("game_not_started", "The game has not started: a seat is free or a seal unopened.")
        case "ended" | "aborted":
            raise IllegalAction("game_over", "The game is over.")
