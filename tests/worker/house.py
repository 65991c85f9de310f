"""The games, the queue and the workers of a test, in its own process or as processes of their own."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import msgspec
import pytest
from redis import Redis

from events import commands
from events.batch import EntryBatch, EntryFactory
from events.clocks import DEFAULT_PATIENCE, Patience
from events.entries import Carved, Clock
from events.game import Game, fold
from events.keys import game_id, keys_of
from events.store import Client, EventStore
from games import RULESETS
from games.kernel import Registry
from games.toy import LANTERNS
from projections.store import ProjectionStore
from services.core.ledger import Ledger, new_seed
from services.core.settings import ROWS, variable
from services.host import die_with_parent
from services.host.supervisor import signal_group
from services.worker import jobs
from services.worker.feeds import Feeds, games_of
from services.worker.housekeeping import Sweeper
from services.worker.job_handlers import JobHandlers
from services.worker.process import make_worker
from services.worker.projector import Projector
from services.worker.queue import WorkQueue
from tests.events.logs import named, person
from tests.servers import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
GAMES = Registry([*RULESETS, LANTERNS])


class House:
    """Everything a test needs of one store (and queue): games to create and look at, work to be done at its word."""

    def __init__(
        self,
        client: Client,
        queue: Redis,
        rulesets: Registry = GAMES,
        entry_factory: EntryFactory | None = None,
        patience: Patience = DEFAULT_PATIENCE,
    ) -> None:
        self.client = client
        self.rulesets = rulesets
        self.projections = ProjectionStore(client, rulesets, patience)
        self.ledger = Ledger(EventStore(client), self.projections, entry_factory)
        self.queue = WorkQueue(queue)
        self.workshop = JobHandlers(self.ledger, self.queue)
        self.projector = Projector(Feeds(client), self.workshop)
        self.sweeper = Sweeper(self.projections, self.queue, self.projector.leave_behind)
        self.projector.feeds.join()

    # -- games ------------------------------------------------------------------------------------------------------

    def create(
        self,
        ruleset: str = "lanterns",
        bots: Sequence[str | None] = ("random",) * 3,
        *,
        clock: int | None = None,
        seated: int | None = None,
        sealed: str | None = None,
        refs: Sequence[str | None] = (),
        **settings: Any,
    ) -> str:
        """A new game: at each seat a bot of this level, or (None) a player; the first `seated` of them sit down."""
        game, seed = game_id(), new_seed()
        new = commands.NewGame(
            self.rulesets.latest(ruleset),
            settings.pop("options", {}),
            len(bots),
            seed,
            clock=Clock(clock) if clock else None,
            **settings,
        )

        def write(batch: EntryBatch) -> None:
            commands.create(batch, {"host": new.host} if new.host else {"anonymous": True}, new)
            for seat, bot in list(enumerate(bots))[:seated]:
                if bot:
                    commands.sit(batch, seat, commands.Sitter(bot=bot))
                    continue
                name, ref = f"Player {seat}", refs[seat] if refs else None
                commands.sit(
                    batch, seat, named(name, ref=ref, entropy_commitment=sealed, person=person(name).decode())
                )
            commands.start_if_ready(batch, self.rulesets, seed)

        self.ledger.create(game, write, server_seed=seed)
        return game

    def act(self, game: str, seat: int) -> None:
        """A player makes the first legal move."""
        dossier = self.ledger.get(game)
        ruleset = self.rulesets.get(dossier.game.created.ruleset, dossier.game.created.ruleset_version)
        raw = msgspec.to_builtins(ruleset.legal_actions(dossier.game.state, seat)[0])
        self.ledger.change(game, lambda batch, now: commands.act(batch, seat, raw, self.rulesets, now.seed))

    def game(self, game: str) -> Game:
        return self.ledger.get(game).game

    def log(self, game: str) -> list[Carved]:
        return self.ledger.store.read(game)

    def types(self, game: str) -> list[str]:
        return [carved.entry.type for carved in self.log(game)]

    def folded(self, game: str) -> Game:
        """The game as its log alone tells it."""
        game_now: Game | None = None
        for carved in self.log(game):
            game_now = fold(game_now, carved, self.rulesets)
        assert game_now
        return game_now

    def rewrite(self, game: str, change: Callable[[dict[bytes, bytes]], dict[bytes, bytes] | None]) -> None:
        """Write a log anew behind everyone's back: each row changed, or left out."""
        stream = keys_of(game).stream
        rows = cast(Any, self.client.xrange(stream))
        self.client.delete(stream)
        for number, fields in rows:
            if changed := change(fields):
                self.client.xadd(stream, cast(Any, changed), id=number)

    # -- work -------------------------------------------------------------------------------------------------------

    def hear(self) -> None:
        """Project what the feeds name and what was left behind, without sweeping."""
        while lines := self.projector.feeds.next(1):
            self.projector.project(list(games_of(lines)))
        self.projector.project(self.projector.take_left_behind())

    def work(self) -> None:
        """Do every job that waits, and those that they ask for."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jobs, "job_handlers", lambda: self.workshop)
            make_worker(self.queue).work(burst=True, logging_level="WARNING")

    def run(self) -> None:
        """Hear and work until nothing is left to do."""
        while True:
            self.hear()
            if not any(self.queue.waiting().values()):
                return
            self.work()

    def forget_claims(self) -> None:
        """As if the seconds had passed after which a lost job may be asked for again."""
        for key in self.queue.connection.scan_iter("stele:claim:*"):
            self.queue.connection.delete(key)

    def clear_queue(self) -> None:
        """Lose every job that waits, as a queue without a disk does when it is killed."""
        for queue in self.queue.all:
            queue.delete()

    # -- what must hold -----------------------------------------------------------------------------------------------

    def check_done(self, game: str) -> None:
        """It ended, was settled exactly once with a clean audit, and nothing is left to do."""
        assert self.types(game).count("game_settled") == 1
        assert self.types(game)[-1] == "game_settled"
        settled = self.folded(game).settled
        assert settled
        assert settled.audit["verdict"] == "pass", settled.audit

    def check_projected(self, game: str) -> None:
        """What is kept beside the log is what the log alone gives."""
        assert game not in set(self.projections.dirty())
        snapshot = self.projections.load(game).snapshot
        assert snapshot == self.folded(game)

    def all_done(self, games: Sequence[str]) -> bool:
        return all(self.game(game).settled for game in games) and not any(self.projections.dirty())


COMMANDS = {
    "api": "services.api",
    "projector": "services.worker.projector",
    "worker": "services.worker.process",
    "thinker": "services.worker.thinker",
    "slow thinker": "tests.worker.slow_thinker",
}


class Processes:
    """The projector and workers as processes, to be killed and started again."""

    def __init__(self, url: str, **environ: str) -> None:
        settings = {variable(field) for field in ROWS}
        clean = {name: value for name, value in os.environ.items() if name not in settings}
        self.environ = {**clean, "STELE_STORE_URL": url, "PYTHONPATH": str(ROOT), **environ}
        self.running: list[subprocess.Popen[bytes]] = []
        self.output: IO[bytes] | None = None
        """Where they say what they have to say, if not where we do."""

    def start(self, program: str, **environ: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", COMMANDS[program]]
        process = die_with_parent.start(command, env={**self.environ, **environ}, output=self.output)
        self.running.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """kill -9, with all that it has started."""
        signal_group(process, signal.SIGKILL)
        process.wait()
        self.running.remove(process)

    def wait_for_death(self, process: subprocess.Popen[bytes]) -> int:
        wait_until(lambda: process.poll() is not None, "the process to die at its fault", PATIENCE)
        self.running.remove(process)
        return process.returncode

    def end(self) -> None:
        for process in list(self.running):
            self.kill(process)


@contextmanager
def processes(url: str, *programs: str, **environ: str) -> Iterator[Processes]:
    """These programs on this store for the length of the block."""
    group = Processes(url, **environ)
    try:
        for program in programs:
            group.start(program)
        yield group
    finally:
        group.end()
