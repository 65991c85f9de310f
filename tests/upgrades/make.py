"""Makes the files of one version: `python -m tests.upgrades.make 0.1.0`, in a working copy of that very version.

It plays on a real server over HTTP and the command line alone, so it runs with every version. What is kept is never
made again: later versions are judged by it. The fixture of 0.1.0 was made by commit 8bdf07f, which had none of the steps in
`since_0_2.py`; that of 0.2.0 by the release itself, with these tests.

In the end the server stands still in the middle of everything: games in every state, jobs that nobody took, a bot and a
settlement that are waited for, projections that are behind, a clock that has run out.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from redis import Redis

from tests.servers import short_directory, wait_until
from tests.system.stele import Stele
from tests.upgrades import since_0_2
from tests.upgrades.kept import HERE, Kept
from tests.upgrades.looking import House

CLUB = "the-token-of-the-host-club-0001"
SCHOOL = "the-token-of-the-host-school-01"
OPERATOR = "the-token-of-an-operator-000001"
PATIENT = str(10**9)
"""Seconds; so that open and sealed games still wait when the files are read in later years."""
SETTINGS = {
    "STELE_HOST_TOKENS": f"club:{CLUB},school:{SCHOOL}",
    "STELE_OPERATOR_TOKENS": OPERATOR,
    "STELE_OPEN_GAME_TTL": PATIENT,
    "STELE_SEAL_TTL": PATIENT,
    "STELE_ARCHIVE_AFTER": "0",
    "STELE_WEBHOOK_ALLOW_PRIVATE": "1",
}
ADA, BEN = {"name": "Ada", "ref": "ada"}, {"name": "Ben", "ref": "ben"}
CLEO, DORA = {"name": "Cleo", "ref": "cleo"}, {"name": "Zoë ✨"}
SHORT = {"max_rounds": 3}
SEALS = {"0": "0a" * 32, "1": "1b" * 32}
A_CENTURY_AHEAD = """
import datetime

class Ahead(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(days=36525)

datetime.datetime = Ahead
"""
"""A `sitecustomize.py` for a server whose games' clocks never run out while anyone reads this."""


class Table:
    """A game that is being played, and what is to be remembered of it."""

    def __init__(self, maker: "Maker", created: Any) -> None:
        self.maker, self.house = maker, maker.house
        self.path = f"/v1/games/{created['id']}"
        self.kept: dict[str, Any] = {"id": created["id"]}
        self.kept["tokens"] = {
            str(seat["seat"]): seat["token"] for seat in created["seats"] if "token" in seat
        }
        if "join_code" in created:
            self.kept["join_code"] = created["join_code"]

    @property
    def tokens(self) -> dict[str, str]:
        return dict(self.kept["tokens"])

    def look(self) -> Any:
        return self.house.get(self.path, self.maker.operator)

    def post(self, part: str, body: Any = None, token: str | None = None, key: str | None = None) -> Any:
        """Send something that must be accepted; with a key, remember the answer."""
        return self.maker.post(self.path + part, body, token, key)

    def sit(self, body: Any, token: str | None = None, key: str | None = None) -> None:
        seated = self.post("/seats", body, token, key)
        if seated["token"]:
            self.kept["tokens"][str(seated["seat"])] = seated["token"]

    def act(self, seat: int, key: str | None = None) -> None:
        """A seat does anything that it may."""
        token = self.tokens[str(seat)]
        legal = self.house.get(f"{self.path}/actions", token)["actions"]
        self.post("/actions", self.maker.dice.choice(legal), token, key)

    def play(self, until: int = 10**6) -> bool:
        """Play on up to some version, or to the end; whether it still runs."""
        while (shown := self.look())["status"] == "playing" and shown["version"] < until:
            if people := persons_to_act(shown):
                self.act(self.maker.dice.choice(people))
            else:
                self.house.get(f"{self.path}?after={shown['version']}&wait=10", self.maker.operator)
        return bool(shown["status"] == "playing")

    def wait_until_settled(self) -> None:
        wait_until(lambda: bool(self.look()["settled"]), f"{self.path} to be settled", 60)


def persons_to_act(shown: Any) -> list[int]:
    seats = shown["seats"]
    return [n for n in shown["to_act"] if seats[n]["bot"] is None and seats[n]["withdrawn"] is None]


class Maker:
    """Fills a house with games."""

    operator = OPERATOR

    def __init__(self, server: Stele) -> None:
        self.server = server
        self.dice = Random("the first stone")
        self.keys: dict[str, Any] = {"hosts": {"club": CLUB, "school": SCHOOL}, "operator": OPERATOR}
        self.house = House(server, {"games": {}, **self.keys})
        self.tables: dict[str, Table] = {}
        self.requests: list[Any] = []

    def post(self, path: str, body: Any, token: str | None, key: str | None) -> Any:
        answer = self.house.post(path, body, token, key)
        assert answer.status_code == 201, answer.text
        if key:
            sent = {"path": path, "body": body, "token": token, "key": key}
            self.requests.append(sent | {"status": 201, "answer": answer.json()})
        return answer.json()

    def begin(
        self,
        name: str,
        ruleset: str,
        *players: Any,
        token: str | None = CLUB,
        key: str | None = None,
        **more: Any,
    ) -> Table:
        body = {"ruleset": ruleset, **more} | ({"players": list(players)} if players else {})
        table = Table(self, self.post("/v1/games", body, token, key))
        self.tables[name] = table
        self.house.games[name] = table.kept
        return table

    def begin_running(self, name: str, until: int, ruleset: str, *players: Any, **more: Any) -> Table:
        """A game that stands at such a version: one that is over before is played anew."""
        while not (table := self.begin(name, ruleset, *players, **more)).play(until):
            print(f"{name} was over after {table.look()['version']} entries", flush=True)
            table.wait_until_settled()
        return table

    def finish(self, name: str, ruleset: str, *players: Any, **more: Any) -> Table:
        table = self.begin(name, ruleset, *players, **more)
        table.play()
        table.wait_until_settled()
        return table

    def stele(self, *arguments: Any) -> None:
        """A command on this server's machine."""
        command = [str(Path(sys.executable).with_name("stele")), *map(str, arguments)]
        subprocess.run(command, env=self.server.environ, check=True)


# -- the games, in the order in which they are made -------------------------------------------------------------------


def play_what_is_archived(maker: Maker) -> None:
    maker.finish("archived babel", "babel", ADA, BEN, key="archived-babel")
    maker.finish("archived aton", "aton", BEN, CLEO, private=True)
    aborted = maker.begin("archived abort", "sa_re", ADA, seats=2)
    aborted.post("/abort", token=CLUB, key="archived-abort")
    aborted.wait_until_settled()
    maker.stele("archive", "--older-than", "0s")


def play_what_is_settled(maker: Maker) -> None:
    for ruleset in ("babel", "aton", "temple_of_five"):
        maker.finish(f"settled {ruleset}", ruleset, ADA, BEN)
    maker.finish("settled sa_re", "sa_re", ADA, BEN, CLEO, options=SHORT)
    maker.finish("settled bots", "aton", {"bot": "greedy"}, {"bot": "random"})
    maker.finish("settled seeded", "babel", ADA, BEN, seed="5e" * 32)
    given_up = maker.begin("settled resigned", "temple_of_five", ADA, BEN)
    given_up.post("/resignation", token=given_up.tokens["1"], key="resigning")
    given_up.wait_until_settled()
    called_off = maker.begin("settled abort", "babel", ADA, BEN)
    called_off.play(8)
    called_off.post("/abort", token=OPERATOR, key="calling-off")
    called_off.wait_until_settled()
    carved = sit_down_sealed(maker, "settled sealed")
    carved.post("/seats/1/entropy", {"entropy": SEALS["1"]}, carved.tokens["1"])
    carved.play()
    carved.wait_until_settled()
    for name, ruleset in ("settled timed out", "babel"), ("settled all timed out", "aton"):
        maker.begin(name, ruleset, ADA, BEN, clock={"turn_seconds": 1}).wait_until_settled()
    maker.stele("forget", maker.tables["settled aton"].kept["id"], 1)
    record = HERE.parent / "golden/babel/resigned.json"
    maker.stele("import", record)
    maker.house.games["imported"] = {"id": json.loads(record.read_text())["game"], "tokens": {}}


def play_what_runs(maker: Maker) -> None:
    maker.begin_running("running babel", 80, "babel", ADA, BEN)
    maker.begin_running("running aton", 70, "aton", {"name": "Emil"}, DORA, token=None)
    maker.begin_running("running temple_of_five", 70, "temple_of_five", ADA, BEN, CLEO)
    maker.begin_running("running sa_re", 130, "sa_re", ADA, BEN, CLEO, DORA, options=SHORT)
    maker.begin_running("running private", 30, "babel", ADA, BEN, private=True)
    maker.begin_running("running of the school", 10, "aton", ADA, BEN, token=SCHOOL)
    maker.begin_running("running against a bot", 20, "babel", ADA, {"bot": "greedy"})
    withdrawn = maker.begin_running(
        "running with a withdrawn seat", 40, "temple_of_five", ADA, BEN, CLEO, DORA
    )
    withdrawn.post("/resignation", token=withdrawn.tokens["2"], key="resigning-of-four")
    withdrawn.play(60)
    maker.begin_running("running from a position", 12, "babel", ADA, BEN, position={})
    fork(maker, "running fork", maker.tables["settled aton"], 20)
    fork(maker, "running fork of an archived game", maker.tables["archived babel"], 24)


def fork(maker: Maker, name: str, parent: Table, version: int) -> Table:
    wanted = {"version": version, "players": [{"name": "Ada"}, {"name": "Ben"}]}
    table = Table(maker, parent.post("/forks", wanted, CLUB, key=name.replace(" ", "-")))
    maker.tables[name], maker.house.games[name] = table, table.kept
    table.play(8)
    return table


def leave_what_waits(maker: Maker) -> None:
    maker.begin("open", "babel", ADA, seats=2, key="open")
    maker.begin("open and private", "aton", seats=2, private=True)
    maker.begin("open to anyone", "sa_re", seats=3, token=None, key="nobody-else-has-this-key-01").sit(
        {"name": "Emil"}, key="sitting-down-as-emil-000001"
    )
    sealing = sit_down_sealed(maker, "sealing")
    sealing.kept["entropy"] = {"1": SEALS["1"]}
    openly = maker.begin("running with open entropy", "babel", seats=2)
    for name in ("Fay", "Gus"):
        openly.sit({"name": name, "entropy": f"dice of {name}"}, key=f"sitting-down-as-{name}-0000001")
    openly.play(12)
    renewed = maker.begin_running("running with a new token", 9, "babel", ADA, BEN)
    renewed.kept["dead_token"] = renewed.tokens["0"]
    answer = renewed.post("/seats/0/token", token=CLUB, key="renewing-a-token")
    renewed.kept["tokens"]["0"] = answer["token"]


def sit_down_sealed(maker: Maker, name: str) -> Table:
    """A game of two sealed seats, one of them opened."""
    table = maker.begin(name, "babel", seats=2)
    for seat, entropy in SEALS.items():
        seal = hashlib.sha256(b"stele-seal-1" + bytes.fromhex(entropy)).hexdigest()
        table.sit(
            {"name": f"Sealed {seat}", "entropy_commitment": seal}, key=f"sitting-down-sealed-0000{seat}"
        )
    table.post("/seats/0/entropy", {"entropy": SEALS["0"]}, table.tokens["0"], key="opening-a-seal")
    return table


def play_with_a_clock_that_runs(maker: Maker) -> None:
    maker.begin_running("running with a clock", 15, "aton", ADA, BEN, clock={"turn_seconds": 3600})


def leave_in_the_middle_of_everything(maker: Maker) -> None:
    """Nobody works any more: what is done now stays undone behind it."""
    maker.begin("running out of time", "babel", ADA, BEN, clock={"turn_seconds": 1})
    for name in ("running babel", "running aton", "running sa_re", "running with a clock"):
        several_at_once(maker.tables[name])
    against_a_bot = maker.tables["running against a bot"]
    while 0 in (shown := against_a_bot.look())["to_act"]:
        against_a_bot.act(0, key=f"before-the-bot-{shown['version']}")
    maker.stele("rebuild", "--game", against_a_bot.kept["id"])  # which notes what the bot owes
    with_a_withdrawn_seat = maker.tables["running with a withdrawn seat"]
    while people := persons_to_act(with_a_withdrawn_seat.look()):
        with_a_withdrawn_seat.act(people[0])
    maker.begin("aborted, not settled", "babel", ADA, seats=2).post("/abort", token=CLUB)
    ended = maker.begin("ended, not settled", "aton", ADA, BEN, key="ended-not-settled")
    ended.post("/resignation", token=ended.tokens["0"], key="resigning-unsettled")
    time.sleep(1.5)  # until time has run out, and the projector has asked for all this


def several_at_once(table: Table) -> None:
    """An action, then a list of actions that cannot all be played, each with a key."""
    seat = table.look()["to_act"][0]
    table.act(seat, key="one-action")
    seat = table.look()["to_act"][0]
    token = table.tokens[str(seat)]
    action = table.house.get(f"{table.path}/actions", token)["actions"][0]
    table.post("/actions", [action] * 32, token, key="a-list-of-actions")


# -- the server -------------------------------------------------------------------------------------------------------


@contextmanager
def running(server: Stele, **environ: str) -> Iterator[None]:
    """The server with other settings, for the length of the block."""
    usual = server.environ
    server.environ = usual | environ
    server.start()
    try:
        yield
    finally:
        server.stop()
        server.environ = usual


STEPS: tuple[Callable[[Maker], None], ...] = (
    since_0_2.register_webhooks,
    play_what_is_archived,
    play_what_is_settled,
    since_0_2.play_a_cup,
    since_0_2.play_with_bots,
    play_what_runs,
    leave_what_waits,
    since_0_2.leave_seats,
    since_0_2.bring_in_records,
    since_0_2.fork_a_fork,
    since_0_2.review,
)
"""What is done while workers work; what a version of the server cannot do yet is left out of it."""


def make(version: str) -> None:
    kept = Kept(version)
    kept.directory.mkdir()  # never over another
    with short_directory() as directory:
        server = Stele(directory, **SETTINGS)
        data = directory / "data"
        (directory / "ahead").mkdir()
        (directory / "ahead/sitecustomize.py").write_text(A_CENTURY_AHEAD)
        maker = Maker(server)
        with running(server):
            for step in STEPS:
                tell(step, maker)
        with running(server, STELE_WORKERS="0", PYTHONPATH=str(directory / "ahead")):
            tell(play_with_a_clock_that_runs, maker)
            tell(since_0_2.play_with_a_total_clock, maker)
        with running(server):
            time.sleep(5)  # until everything is projected
            lists = maker.house.lists()
            webhooks = maker.house.webhooks()
        with running(server, STELE_WORKERS="0"):
            tell(leave_in_the_middle_of_everything, maker)
            tell(since_0_2.ask_for_a_review, maker)
            seen = {"games": maker.house.look(), "lists": lists, "requests": maker.requests}
            kept.write_seen(seen | {"webhooks": webhooks, "reviews": maker.house.reviews()})
            maker.stele("backup", kept.backup)
            with Redis(unix_socket_path=os.path.realpath(data / "valkey.sock")) as client:
                kept.write_rows(client)
                client.bgrewriteaof()
                wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"], "the rewrite")
        keys = {name: (data / f"{name}.key").read_text().strip() for name in ("token", "signing")}
        kept.write_house({"version": version, "keys": keys, **maker.keys, "games": maker.house.games})
        kept.pack_data(data)
        server.http.close()


def tell(step: Callable[[Maker], None], maker: Maker) -> None:
    print(step.__name__.replace("_", " "), "…", flush=True)
    step(maker)


if __name__ == "__main__":
    make(sys.argv[1])
