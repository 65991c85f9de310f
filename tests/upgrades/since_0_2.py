"""What a server can hold since 0.2.0, beyond what `make.py` fills it with: all of it has terms of their own (`terms: 2`).

Tags, references and standings, total clocks, judged games, seats that were left, bots with names, bots that search,
reviews (made, waited for), webhooks whose receivers do not answer, forks of forks, a game without a host that its creator
called off, and records of every kind brought in from elsewhere.
"""

import json
from typing import TYPE_CHECKING, Any

from tests.servers import wait_until
from tests.upgrades.kept import HERE

if TYPE_CHECKING:
    from tests.upgrades.make import Maker, Table

ADA, BEN, CLEO = ({"name": name, "ref": name.lower()} for name in ("Ada", "Ben", "Cleo"))
CUP = ["cup-7", "round.1"]
NO_RECEIVER = "http://127.0.0.1:9/hooks"
"""Refuses every connection: what is sent there is tried again for a day."""
RECORDS = (
    "babel/adjudicated",
    "babel/seats_left_and_taken_again",
    "babel/sealed_entropy",
    "aton/total_clock",
    "sa_re/fork_with_everybody_back",
    "temple_of_five/last_player",
)


def register_webhooks(maker: "Maker") -> None:
    """Before anything happens that they are told of."""
    wanted = {"url": NO_RECEIVER, "types": ["game_ended", "game_settled"], "tag": CUP[0]}
    maker.post("/v1/webhooks", {"url": NO_RECEIVER}, maker.keys["hosts"]["school"], "a-webhook-of-the-school")
    maker.post("/v1/webhooks", wanted, maker.keys["hosts"]["club"], "a-webhook-of-the-club")
    maker.post("/v1/webhooks", wanted | {"tag": "nothing"}, maker.operator, "a-webhook-of-an-operator")


def play_a_cup(maker: "Maker") -> None:
    """Games with tags and references, of which standings are made."""
    for number, (ruleset, players) in enumerate(
        (("babel", (ADA, BEN)), ("aton", (BEN, CLEO)), ("babel", (CLEO, ADA)))
    ):
        table = maker.begin(f"settled cup {number}", ruleset, *players, tags=CUP, key=f"cup-{number}")
        table.play(10)
        table.post("/resignation", token=table.tokens["1"], key=f"cup-resigning-{number}")
        table.wait_until_settled()
    judged = maker.begin("settled by a judge", "sa_re", ADA, BEN, CLEO, tags=CUP[:1])
    judged.play(20)
    verdict = {"winners": [0, 2], "why": "Both were ahead when the hall closed."}
    judged.post("/adjudication", verdict, maker.keys["hosts"]["club"], key="judging")
    judged.wait_until_settled()
    maker.begin_running("running cup", 14, "temple_of_five", ADA, BEN, CLEO, tags=CUP)


def play_with_bots(maker: "Maker") -> None:
    """Bots with names, and one that searches."""
    named = {"bot": "random", "name": "Marvin"}
    maker.finish("settled against a bot that searches", "babel", {"bot": "keen", "name": "Deep"}, named)
    maker.begin_running("running against a named bot", 12, "aton", ADA, named)


def leave_seats(maker: "Maker") -> None:
    """Seats that were taken, left, and taken again with other tokens; and a game that its creator called off."""
    left = maker.begin("open with a seat left", "babel", seats=2)
    left.sit({"name": "Hal"}, key="sitting-down-as-hal-0000001")
    answer = maker.house.send("DELETE", f"{left.path}/seats/0", left.tokens["0"])
    assert answer.status_code == 200, answer.text
    left.kept["dead_token"] = left.kept["tokens"].pop("0")
    left.sit({"name": "Ida", "seat": 0})
    off = maker.begin("settled, called off by its creator", "aton", {"name": "Emil"}, seats=2, token=None)
    off.post("/abort", token=off.tokens["0"], key="calling-off-as-its-creator")
    off.wait_until_settled()


def bring_in_records(maker: "Maker") -> None:
    """Games of both terms that were played elsewhere."""
    for name in RECORDS:
        record = HERE.parent / f"golden/{name}.json"
        maker.stele("import", record)
        maker.house.games[f"imported {name}"] = {"id": json.loads(record.read_text())["game"], "tokens": {}}


def fork_a_fork(maker: "Maker") -> None:
    """A private fork that is played to its end, and another game that began where it stood."""
    from tests.upgrades.make import fork  # noqa: PLC0415  # it calls this module

    parent = maker.tables["settled babel"]
    child = fork(maker, "settled fork", parent, 12)
    child.post("/resignation", token=child.tokens["0"])
    child.wait_until_settled()
    fork(maker, "running fork of a fork", child, 8)


def review(maker: "Maker") -> None:
    """A review that is made; see `ask_for_a_review` for one that waits."""
    table = maker.tables["settled cup 0"]
    assert maker.house.post(f"{table.path}/review", token=table.tokens["0"]).status_code == 202
    wait_until(lambda: done(maker, table), "a review", 120)


def done(maker: "Maker", table: "Table") -> bool:
    told: Any = maker.house.get(f"{table.path}/review")
    return bool(told["status"] == "done")


def play_with_a_total_clock(maker: "Maker") -> None:
    clock = {"total_seconds": 3600, "increment_seconds": 5}
    maker.begin_running("running with a total clock", 15, "babel", ADA, BEN, clock=clock)


def ask_for_a_review(maker: "Maker") -> None:
    """While nobody works."""
    path = maker.tables["settled cup 1"].path
    assert maker.house.post(f"{path}/review", token=maker.operator).status_code == 202
