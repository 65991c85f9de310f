"""Chaos beyond the fault model: the embedded store's files are damaged, and the server must say so.

Entries may be lost here. What must not happen is that they are lost in silence: `broken` names each promise of
docs/guarantees.md, "Damage", that was not kept, and `named` the games that a start-up found without entries they had.
"""

import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx

from events.keys import keys_of
from services.core.high_water_mark import HighWaterMark
from services.core.store_files import AOF_MANIFEST, FOLDER, appended_files
from tests.chaos.checker import Findings
from tests.chaos.embedded import Embedded
from tests.chaos.players import Ack
from tests.servers import wait_until

UNCOVERED_SECONDS = 1.0
"""What was written so shortly before a tail was lost may not stand in the high-water mark yet."""
FEW_FILES, WATCHERS = 256, 400
TRANSACTION = b"*1\r\n$5\r\nMULTI"


class Damaged(Embedded):
    """`stele up` whose files are damaged while it is down, or under its hands."""

    kinds = ("tear_tail", "cut_tail", "lose_manifest", "rot_byte", "use_up_files", "kill")

    def __init__(self, directory: Path, dice: Random, on_exit: ExitStack) -> None:
        super().__init__(directory, dice, on_exit)
        self.data = directory / "data"
        self.broken: list[str] = []
        self.named: set[str] = set()
        self.cuts: list[float] = []

    def promise(self, kept: bool, what: str) -> None:
        """Note whether the server did what it promises."""
        if not kept:
            self.broken.append(what)

    def readyz(self) -> dict[str, Any]:
        checks: dict[str, Any] = httpx.get(f"{self.server.url}/readyz", timeout=30).json()["checks"]
        return checks

    def restart_after(self, damage: Callable[[Path], object]) -> None:
        """Kill everything, damage the store's file, and start again."""
        self.server.kill_everything()
        damage(appended_files(self.data)[-1])
        self.server.start()
        self.named |= {missing.game for missing in HighWaterMark(self.data).lost()}

    # -- faults -------------------------------------------------------------------------------------------------------

    def tear_tail(self) -> None:
        """A power cut in the middle of a write."""
        before = self.readyz()["truncations"]

        def tear(file: Path) -> None:
            with file.open("ab") as opened:
                opened.write(b"*3\r\n$3\r\nSET\r\n$4\r\nso")

        self.restart_after(tear)
        self.promise(self.readyz()["truncations"] == before + 1, "a torn tail was dropped in silence")

    def cut_tail(self) -> None:
        """A disk that lied about its latest writes: the file ends sooner, between two commands."""
        cut = []

        def shorten(file: Path) -> None:
            whole = file.read_bytes()
            end = whole.find(TRANSACTION, int(len(whole) * self.dice.uniform(0.8, 0.98)))
            if end > 0:
                file.write_bytes(whole[:end])
                cut.append(end)

        self.cuts.append(time.monotonic())
        self.restart_after(shorten)
        told = {line.split()[0] for line in self.stele("losses").stdout.splitlines() if "ended at" in line}
        self.promise(not cut or self.named <= told | self.named, "`stele losses` does not name a game")
        self.promise(
            self.readyz()["lost_games"] == len(HighWaterMark(self.data).lost()), "/readyz hides a loss"
        )

    def lose_manifest(self) -> None:
        """The store would start empty."""
        self.server.kill_everything()
        (self.data / FOLDER / AOF_MANIFEST).unlink()
        refused = self.stele("up")
        self.promise(refused.returncode != 0, "the server started empty beside its files")
        self.promise(
            "stele repair" in refused.stderr + refused.stdout, "a refused start does not say what to do"
        )
        self.promise(
            self.stele("repair", "--data-dir", str(self.data), "--yes").returncode == 0,
            "`stele repair` did not write the manifest",
        )
        self.server.start()

    def rot_byte(self) -> None:
        """A byte of a settled game changes in the store: an audit of all must count it, until it is whole again."""
        settled = [game for game in self.games() if self.house.game(game).settled]
        if not settled:
            return
        stream = keys_of(self.dice.choice(settled)).stream
        whole: Any = self.house.client.dump(stream)
        rows: Any = self.house.client.xrange(stream)
        self.house.client.delete(stream)
        for place, (number, fields) in enumerate(rows):
            rotten = (
                {**fields, b"e": fields[b"e"].replace(b'"at":"20', b'"at":"21')} if place == 1 else fields
            )
            self.house.client.xadd(stream, rotten, id=number)
        self.promise(self.stele("audit", "--all").returncode == 1, "an audit of all passed a damaged log")
        self.promise(self.readyz()["failed_audits"] >= 1, "/readyz does not count a damaged log")
        self.house.client.restore(stream, 0, whole, replace=True)
        self.stele("audit", "--all")

    def use_up_files(self) -> None:
        """The API may open few files, and many watch."""
        assert self.server.process
        before = resource.prlimit(self.server.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self.server.process.pid, resource.RLIMIT_NOFILE, (FEW_FILES, before[1]))
        self.restart_api()
        held = []
        with suppress(OSError):
            for _ in range(WATCHERS):
                watcher = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                watcher.sendall(
                    b"GET /v1/games/%s/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
                    % self.any_game()
                )
                held.append(watcher)
        try:
            answer = httpx.get(f"{self.server.url}/healthz", timeout=30).status_code
            self.promise(answer == 200, f"/healthz answers {answer} beside {WATCHERS} watchers")
        except httpx.HTTPError as problem:
            self.promise(
                False, f"/healthz does not answer beside {WATCHERS} watchers: {type(problem).__name__}"
            )
        for watcher in held:
            watcher.close()
        resource.prlimit(self.server.process.pid, resource.RLIMIT_NOFILE, before)
        self.restart_api()

    # -- help ---------------------------------------------------------------------------------------------------------

    def restart_api(self) -> None:
        self.server.kill("services.api")
        wait_until(self.is_up, "the API to be back")

    def is_up(self) -> bool:
        with suppress(httpx.HTTPError):
            return httpx.get(f"{self.server.url}/readyz", timeout=5).status_code == 200
        return False

    def games(self) -> list[str]:
        """The public games that lists show."""
        listed = httpx.get(f"{self.server.url}/v1/games", params={"limit": 100}, timeout=30).json()["items"]
        return [row["id"] for row in listed]

    def any_game(self) -> bytes:
        return str(self.dice.choice(self.games())).encode()

    def stele(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).with_name("stele")), *arguments]
        environ = self.server.environ
        return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=120, check=False)

    def silent_losses(self, findings: Findings, acks: list[Ack]) -> list[str]:
        """Acknowledged actions that are gone although no start-up named their game and the mark had time to be written."""
        when = {f"{ack.game} version {ack.version}": ack.when for ack in acks}
        return [
            loss
            for loss in findings.lost
            if loss.split()[0] not in self.named
            and not any(cut - UNCOVERED_SECONDS < when[loss] <= cut for cut in self.cuts)
        ]
