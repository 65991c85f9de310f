"""Commands at the table: taking back, handing a seat over, adding time, pausing and resuming."""

from collections.abc import Callable
from typing import Any

from events import entries
from events.batch import EntryBatch
from events.commands import OldTerms, Sitter, check_in_time, check_not_paused, check_playing
from events.game import Game
from events.takebacks import check_take_back
from games.kernel import Refusal, Registry

MAX_HANDOVERS = 20
"""How often each seat may be handed over in one game."""


class AgreedAlready(Refusal):
    """The seat has agreed to a pause before: nothing is left to do."""


def take_back(
    batch: EntryBatch,
    seat: int,
    to: int | None,
    rulesets: Registry,
    sign: Callable[[Game, int], entries.EntrySignature | None] = lambda game, to: None,
) -> None:
    """A person takes back its latest actions, back to the state after entry `to`, which it may have signed."""
    game = batch.game
    _check_terms(game)
    if not game.takebacks:
        raise Refusal("takebacks_off", "In this game nothing is taken back.")
    check_playing(game)
    check_not_paused(game)
    check_in_time(batch, seat)
    to, state = check_take_back(game, seat, to, rulesets)
    batch.write({"seat": seat}, entries.TakenBack(seat, to, sign(game, to), [], []), state)


def hand_over(batch: EntryBatch, actor: dict[str, Any], seat: int, sitter: Sitter) -> None:
    """Another person takes over a person's seat, named by the host or an operator, or let in by the seat itself."""
    game = batch.game
    check_can_hand_over(game, seat)
    chair = game.chairs[seat]
    batch.write(
        actor,
        entries.SeatHandedOver(
            seat=seat,
            player=entries.Player(sitter.name_hash, sitter.ref),
            generation=chair.generation + 1,
            public_key=sitter.public_key,
        ),
    )
    batch.handed_over[seat] = chair.came_with
    if sitter.person is not None:
        batch.people[seat] = sitter.person


def check_can_hand_over(game: Game, seat: int) -> None:
    """Refuse to hand over a seat that is no person's, of a game that is not played."""
    _check_terms(game)
    check_playing(game)
    _check_person(game, seat)
    if game.chairs[seat].handovers >= MAX_HANDOVERS:
        raise Refusal("limit_reached", f"A seat is handed over at most {MAX_HANDOVERS} times in a game.")


def add_time(batch: EntryBatch, actor: dict[str, Any], seat: int, seconds: int) -> None:
    """The host or an operator gives a seat more time."""
    game = batch.game
    _check_terms(game)
    check_playing(game)
    clock = _check_clock(game)
    _check_person(game, seat)
    only_turns = clock.total_seconds is None and clock.reserve_seconds is None
    if only_turns and seat not in game.to_act:
        raise Refusal("not_to_act", f"Seat {seat} is not to act: no time is running that could be added to.")
    batch.write(actor, entries.TimeAdded(seat, seconds))


def agree_to_pause(batch: EntryBatch, seat: int) -> None:
    """A person asks for a pause, or agrees to one; once all have, the game is paused."""
    game = batch.game
    _check_may_pause(game)
    _check_person(game, seat)
    if seat in game.pause_agreed:
        raise AgreedAlready("agreed_already", "You have agreed already.")
    check_in_time(batch, seat)
    batch.write({"seat": seat}, entries.PauseAgreed(seat))
    people = [other for other, chair in enumerate(game.chairs) if chair.staying]
    if all(other in batch.game.pause_agreed for other in people):
        batch.write({"seat": seat}, entries.GamePaused())


def pause(batch: EntryBatch, actor: dict[str, Any]) -> None:
    """The host or an operator pauses a game."""
    _check_may_pause(batch.game)
    batch.write(actor, entries.GamePaused())


def resume(batch: EntryBatch, actor: dict[str, Any]) -> None:
    """End a pause: one of the players by any of them, one of the host by the host or an operator."""
    game = batch.game
    _check_terms(game)
    check_playing(game)
    if game.paused is None:
        raise Refusal("not_paused", "The game is not paused.")
    seat = actor.get("seat")
    if (game.paused.by == "players") != (seat is not None):
        who = "one of its players" if game.paused.by == "players" else "its host or an operator"
        raise Refusal("forbidden", f"This pause is ended by {who}.")
    if seat is not None:
        _check_person(game, seat)
    batch.write(actor, entries.GameResumed())


def _check_may_pause(game: Game) -> None:
    _check_terms(game)
    check_playing(game)
    _check_clock(game)
    check_not_paused(game)


def _check_terms(game: Game) -> None:
    if game.old_terms:
        raise OldTerms


def _check_clock(game: Game) -> entries.Clock:
    if game.created.clock is None:
        raise Refusal("no_clock", "This game has no clock.")
    return game.created.clock


def _check_person(game: Game, seat: int) -> None:
    """Refuse what concerns people who have not withdrawn, and nobody else."""
    if not 0 <= seat < len(game.chairs):
        raise Refusal("invalid_seats", f"There is no seat {seat}; this game has {len(game.chairs)}.")
    if game.chairs[seat].bot:
        raise Refusal("seat_is_bot", f"Seat {seat} is a bot's.")
    if game.chairs[seat].withdrawn:
        raise Refusal("seat_withdrawn", f"Seat {seat} has withdrawn.")
