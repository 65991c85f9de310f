"""Games that are worth keeping for ever: how each is set up, who sits there, and how it is played to its end."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, cast

from events import commands
from events.game import ruleset_of
from events.keys import game_id
from events.origins import position_of
from games import RULESETS
from games.canonical import canonical
from games.chance import Stream
from games.kernel import Action, Ruleset
from replays.record import entries_of
from tests.events.logs import NAMES, Log, Watch, created, game_at, named, person, ticking_scribe
from tests.golden.records import HERE, golden

Tell = Callable[[Log], None]
"""Plays a game on from where it stands, as far as the story goes."""
Choose = Callable[[Ruleset[Any, Any], Any, int, Stream], Action[Any]]
"""Which action a seat that sees this view takes."""
Origin = Callable[[], dict[str, Any]]


SECONDS_A_MOVE = 20
SEALED = bytes(range(100, 132))
BOT = commands.Sitter(bot="greedy")


def greedy(ruleset: Ruleset[Any, Any], view: Any, seat: int, dice: Stream) -> Action[Any]:
    return cast(Action[Any], ruleset.bot("greedy").choose(view, seat, dice))


def at_random(ruleset: Ruleset[Any, Any], view: Any, seat: int, dice: Stream) -> Action[Any]:
    return cast(Action[Any], ruleset.bot("random").choose(view, seat, dice))


def play(log: Log, moves: int | None, choose: Choose) -> None:
    """So many moves, or all up to the end; where several seats may act, they take turns in it."""
    while log.game.to_act and moves != 0:
        game, to_act = log.game, log.game.to_act
        seat = to_act[game.version % len(to_act)]
        ruleset = ruleset_of(game, log.rulesets)
        dice = Stream(log.seed, f"bot/{seat}/{game.version}")
        action = choose(ruleset, ruleset.view(game.state, seat), seat, dice)
        think(log)
        log.acts(seat, json.loads(canonical(action)))
        moves = None if moves is None else moves - 1


def think(log: Log, seconds: int = SECONDS_A_MOVE) -> None:
    assert isinstance(log.entry_factory.now, Watch)
    log.entry_factory.now.wind(seconds)


def in_order(*tells: Tell) -> Tell:
    """One thing after the other."""

    def tell(log: Log) -> None:
        for each in tells:
            each(log)

    return tell


def moves(number: int, choose: Choose = greedy) -> Tell:
    return lambda log: play(log, number, choose)


def to_the_end(choose: Choose = greedy) -> Tell:
    return lambda log: play(log, None, choose)


def does(seat: int, **action: Any) -> Tell:
    return lambda log: log.acts(seat, action)


def resigns(seat: int) -> Tell:
    return lambda log: log.resigns(seat)


def runs_out_of_time(seat: int) -> Tell:
    return in_order(lambda log: think(log, 3600), lambda log: log.times_out(seat))


def called_off(reason: str, by: Mapping[str, Any]) -> Tell:
    return lambda log: log.is_aborted(reason, by)


@dataclass(frozen=True)
class Golden:
    """One game to be kept."""

    ruleset: str
    name: str
    tell: Tell
    seats: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)
    origin: Origin = lambda: {"kind": "fresh"}
    number: int = 0
    """Which of many deals: the first that gives the game its name."""
    sitters: tuple[commands.Sitter, ...] | None = None
    """Who sits down at the creation; everyone under their own name, if nothing is said."""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def dealt(self, number: int) -> "Golden":
        return replace(self, number=number)

    @property
    def server_seed(self) -> bytes:
        return sha256(f"golden/{self.ruleset}/{self.name}/{self.number}".encode()).digest()

    @property
    def id(self) -> str:
        return game_id(sha256(f"golden/{self.ruleset}/{self.name}".encode()).digest())

    def played(self) -> Log:
        """The whole game, before it is settled."""
        names = NAMES[: self.seats]
        seated = tuple(map(named, names)) if self.sitters is None else self.sitters
        batch = created(
            self.id,
            ticking_scribe(),
            seated,
            RULESETS,
            ruleset=RULESETS.latest(self.ruleset),
            seats=self.seats,
            options=self.options,
            origin=self.origin(),
            server_seed=self.server_seed,
            **self.settings,
        )
        people = {
            seat: person(names[seat]) for seat, sitter in enumerate(seated) if sitter.name_hash is not None
        }
        log = Log(batch, RULESETS, people, server_seed=self.server_seed)
        self.tell(log)
        return log


def seeded() -> dict[str, Any]:
    """The origin of a game whose seed was told by whoever created it."""
    return {"kind": "seeded"}


def positioned(position: Mapping[str, Any], *, seeded: bool = False) -> Origin:
    """The origin of a game that begins from a position."""
    return lambda: {"kind": "position", "position": dict(position), "seeded": seeded}


def forked(ruleset: str, name: str, version: int) -> Origin:
    """The origin of a game that goes on from a moment of another one that is kept here."""

    def origin() -> dict[str, Any]:
        parent = game_at(entries_of(golden(HERE / ruleset / f"{name}.json")), version, RULESETS)
        fork = {"kind": "fork", "game": parent.id, "version": version, "redeal": "none"}
        return {**fork, "position": position_of(parent.state)}

    return origin
