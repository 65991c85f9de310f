"""Rematch: the next game of the same table, in which everybody sits one seat further on."""

from collections.abc import Mapping
from typing import Any

from events import commands
from events.batch import EntryBatch
from events.game import Game
from games.kernel import Refusal, Registry, is_lesson


def next_seat(seat: int, game: Game) -> int:
    """Where the person or bot of this seat sits in the next game."""
    return (seat + 1) % len(game.chairs)


def can_have_rematch(game: Game) -> bool:
    """Is this a game that was played, and is over? A lesson has none: it needs no right to be created."""
    over = game.started and game.status in ("ended", "aborted")
    return over and not is_lesson(game.created.ruleset, game.created.origin)


def check_rematch(game: Game, *, by_seat: bool) -> None:
    """Refuse a rematch of a game that can have none, or that is part of an event, whose host pairs its players."""
    if not can_have_rematch(game):
        raise Refusal(
            "no_rematch", "There is a rematch of games that were played and are over, but no lessons."
        )
    if by_seat and game.created.tags:
        raise Refusal("no_rematch", "This game has tags: only its host asks for a rematch, for everybody.")


def check_not_reserved(game: Game) -> None:
    """Refuse to seat anybody in a rematch in the usual way: its free seats wait for the players of the game before."""
    if game.created.rematch_of and game.status == "open":
        raise Refusal("reserved", "The free seats of a rematch are for the players of the game before.")


def rematch_of(game: Game, rulesets: Registry, server_seed: bytes) -> commands.NewGame:
    """The next game: the newest version of the same ruleset, otherwise as the game before; without tags."""
    created = game.created
    return commands.NewGame(
        ruleset=rulesets.latest(created.ruleset),
        options=created.options,
        seats=created.seats,
        server_seed=server_seed,
        private=created.private,
        clock=created.clock,
        host=created.host,
        takebacks=created.takebacks is not False,
        rematch_of=game.id,
    )


class JoinedAlready(Refusal):
    """Whoever asks sits in the next game already: nothing is left to do."""


def join(batch: EntryBatch, sitters: Mapping[int, commands.Sitter], by: dict[str, Any] | None) -> None:
    """Let these sit down in the next game, as far as their seats are free; bots in the name of whoever created it.

    Without `by`, the person among them is the actor of its own entry.
    """
    free = [seat for seat, chair in enumerate(batch.game.chairs) if not chair.taken]
    joining = {seat: sitter for seat, sitter in sitters.items() if seat in free}
    if not joining:
        raise JoinedAlready("joined_already", "You sit in the next game already.")
    for seat, sitter in sorted(joining.items(), key=lambda each: each[1].bot is None):
        commands.sit(batch, seat, sitter, batch.game.creator if sitter.bot else by)


def first_generation(game: Game, seat: int) -> int:
    """The generation of the token with which whoever joined a rematch at this seat came."""
    chair = game.chairs[seat]
    left = chair.leavings[: len(chair.leavings) - chair.handovers]
    return left[-1] if left else 0
