"""Every later version reads what a released one wrote, shows it as it was shown, and goes on from there."""

import json
import time
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from tests.seeding import SEED
from tests.servers import PATIENCE, wait_until
from tests.upgrades.conftest import Furnish
from tests.upgrades.kept import VERSIONS, Kept
from tests.upgrades.looking import House, differences

FORTUNES = frozenset({"state", "reason"})
"""What a webhook tells of its receiver, which did not answer since."""
RULESETS = {"babel", "aton", "temple_of_five", "sa_re"}
PLAYED_OUT = {f"running {ruleset}" for ruleset in RULESETS}


# -- what was written is read -------------------------------------------------------------------------------------------


def on_every_version(*ways: str, long: tuple[str, ...] = (), turn: int | None = None) -> pytest.MarkDecorator:
    """Versions, each with ways in which its files are brought in: `make test` takes one of `ways` for each, by the seed.

    With a `turn` it takes one version: another one for each turn.
    """

    def is_chosen(number: int, way: str) -> bool:
        in_turn = turn is None or number == (SEED + turn) % len(VERSIONS)
        return in_turn and way == ways[(SEED + number) % len(ways)]

    cases = [
        pytest.param(version, way, marks=() if is_chosen(number, way) else pytest.mark.long)
        for number, version in enumerate(VERSIONS)
        for way in (*ways, *long)
    ]
    return pytest.mark.parametrize(("version", "way"), cases)


@on_every_version("store", "backup", "data directory", long=("rebuilt store", "archived store"))
def test_every_answer_is_as_it_was(furnished: Furnish, way: str) -> None:
    machine = furnished(way)
    seen = machine.kept.seen
    with machine.up(workers=0) as house:
        expect_none(differences(seen["games"], house.look()))
        expect_none(differences(lasting(seen["lists"], seen), lasting(house.lists(), seen)))
        expect_none(repeated_differently(house, seen["requests"]))
        expect_none(differences(seen.get("webhooks", {}), house.webhooks()))
        if way != "backup":  # which holds games and webhooks, not what was made of them
            expect_none(differences(reviews_made(seen.get("reviews", {})), reviews_made(house.reviews())))
        heads = {name: house.head(game) for name, game in house.games.items()}
        assert heads == {name: game["head"] for name, game in seen["games"].items()}, "nothing was changed"
        expect_dead(house)


def reviews_made(reviews: Any) -> Any:
    return {name: review for name, review in reviews.items() if review["status"] == "done"}


def expect_dead(house: House) -> None:
    """Tokens that were replaced, or whose seats were left, stay dead."""
    for name, game in house.games.items():
        if "dead_token" in game:
            path = path_of(house, name)
            assert house.send("GET", path, game["dead_token"]).status_code == 401
            assert house.send("GET", path, game["tokens"]["0"]).status_code == 200


def expect_none(faults: Iterator[str]) -> None:
    told = "\n".join(islice(faults, 20))
    assert not told, told


def lasting(lists: Any, seen: Any) -> Any:
    """The rows of games that were not played on after the lists were read."""
    versions = {game["full"]["id"]: game["full"]["version"] for game in seen["games"].values()}
    listed = {row["id"] for row in seen["lists"]["/v1/games"] if row["version"] == versions[row["id"]]}
    return {
        path: [row for row in rows if "/v1/games" not in path or row["id"] in listed]
        for path, rows in lists.items()
    }


def repeated_differently(house: House, requests: Any) -> Iterator[str]:
    """What is wrong with the answers to requests that are sent once more with their keys."""
    for sent in requests:
        answer = house.post(sent["path"], sent["body"], sent["token"], sent["key"])
        where = f"{sent['path']} {sent['key']}"
        if (answer.status_code, answer.headers.get("Idempotent-Replayed")) != (sent["status"], "true"):
            yield f"{where}: {answer.status_code} {answer.text}"
        else:
            told = {name: value for name, value in sent["answer"].items() if name not in FORTUNES}
            yield from differences(told, answer.json(), where)


@on_every_version("store", turn=0)
def test_archived_and_settled_games_audit_clean_and_are_told_on_the_command_line(
    furnished: Furnish, way: str
) -> None:
    machine = furnished(way)
    games = machine.house["games"]
    for name in ("archived babel", "archived aton", "archived abort", "settled sa_re"):
        assert "Verdict: pass" in machine.stele("audit", games[name]["id"])
    record = machine.directory / "record.json"
    machine.stele("export", games["archived babel"]["id"], record)
    assert "Verdict: pass" in machine.stele("audit", record)
    assert "Ada" in machine.stele("replay", games["archived babel"]["id"])


# -- and goes on --------------------------------------------------------------------------------------------------------


@on_every_version("data directory", long=("store",), turn=1)
def test_games_go_on_to_their_ends_and_are_settled(furnished: Furnish, way: str) -> None:
    machine = furnished(way)
    seen = machine.kept.seen["games"]
    with machine.up(workers=2) as house:
        enter_what_waits(house)
        running = [name for name, game in seen.items() if not game["full"]["settled"]]
        for name in running:
            play_to_the_end(house, name)
        for name in running:
            settled = wait_until_settled(house, name)
            audit = house.get(f"{path_of(house, name)}/audit", house.operator)
            assert (name, audit["verdict"]) == (name, "pass")
            assert settled["version"] > seen[name]["full"]["version"]
        ended = house.get(path_of(house, "running out of time"))
        (late,) = seen["running out of time"]["full"]["to_act"]
        assert (ended["outcome"]["winners"], ended["outcome"]["reason"]) == ([1 - late], "timed_out")
        assert house.get(path_of(house, "sealing"))["fairness"] == "sealed"
        counted = {house.games[name]["id"] for name in ("running babel", "ended, not settled")}
        wait_until(lambda: results_of(house) >= counted, "the results to follow", PATIENCE)
        assert not results_of(house) & {house.games[name]["id"] for name in ("imported", "running fork")}


def enter_what_waits(house: House) -> None:
    """Sit down at the free seats and open the seal, as it could be done before."""
    private = house.games["open and private"]
    stranger = house.post(f"/v1/games/{private['id']}/seats", {"name": "Hal"})
    assert stranger.status_code == 404
    for name in (name for name in house.games if name.startswith("open")):
        game = house.games[name]
        while house.get(path_of(house, name), house.operator)["status"] == "open":
            invited = {"join_code": game["join_code"]} if "join_code" in game else {}
            seated = house.post(f"{path_of(house, name)}/seats", {"name": "Hal"} | invited)
            assert seated.status_code == 201, seated.text
            game["tokens"][str(seated.json()["seat"])] = seated.json()["token"]
    sealing = house.games["sealing"]
    entropy = {"entropy": sealing["entropy"]["1"]}
    opened = house.post(f"{path_of(house, 'sealing')}/seats/1/entropy", entropy, sealing["tokens"]["1"])
    assert opened.status_code == 201, opened.text


def play_to_the_end(house: House, name: str) -> None:
    """The players act with the tokens that they have, bots and stand-ins by themselves.

    One game of each ruleset is played out; of the others a dozen actions are enough, then the last player gives up, or
    an operator calls the game off.
    """
    path, dice = path_of(house, name), Random(name)
    until = time.monotonic() + PATIENCE
    acted = 0
    while (shown := house.get(path, house.operator))["status"] == "playing":
        assert time.monotonic() < until, f"{name} stands still: {shown}"
        people = people_to_act(shown)
        if not people or name == "running out of time":
            house.get(f"{path}?after={shown['version']}&wait=5", house.operator)
        elif acted < 12 or name in PLAYED_OUT:
            act(house, name, dice.choice(people), dice)
            acted += 1
        else:
            give_up(house, name, len(shown["seats"]))


def people_to_act(shown: Any) -> list[int]:
    seats = shown["seats"]
    return [seat for seat in shown["to_act"] if not (seats[seat]["bot"] or seats[seat]["withdrawn"])]


def act(house: House, name: str, seat: int, dice: Random) -> None:
    path, token = path_of(house, name), house.games[name]["tokens"][str(seat)]
    actions = house.get(f"{path}/actions", token)["actions"]
    answer = house.post(f"{path}/actions", dice.choice(actions), token)
    assert answer.status_code == 201, answer.text


def give_up(house: House, name: str, seats: int) -> None:
    tokens = list(house.games[name]["tokens"].values())
    how, token = ("resignation", tokens[-1]) if seats == 2 else ("abort", house.operator)
    answer = house.post(f"{path_of(house, name)}/{how}", None, token)
    assert answer.status_code == 201, answer.text


def wait_until_settled(house: House, name: str) -> Any:
    path = path_of(house, name)
    wait_until(lambda: bool(house.get(path, house.operator)["settled"]), f"{name} to be settled", PATIENCE)
    return house.get(path, house.operator)


def results_of(house: House) -> set[str]:
    return {row["game"] for row in house.all_pages("/v1/results")}


def path_of(house: House, name: str) -> str:
    return f"/v1/games/{house.games[name]['id']}"


# -- what is kept is enough ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_games_of_every_kind_are_kept(version: str) -> None:
    games = [game["full"] for game in Kept(version).seen["games"].values()]
    for kind in (("playing", False), ("ended", True)):
        assert {game["ruleset"] for game in games if (game["status"], game["settled"]) == kind} == RULESETS
    kinds = {(game["status"], game["settled"]) for game in games}
    waiting = {("open", False), ("sealing", False), ("ended", False), ("aborted", False), ("aborted", True)}
    assert kinds >= waiting
    assert {game["fairness"] for game in games} == {"sealed", "open", "server_only", "seeded", None}
    assert {game["origin"]["kind"] for game in games} == {"fresh", "seeded", "position", "fork"}


@pytest.mark.parametrize("version", VERSIONS)
def test_everything_that_lies_beside_the_logs_is_kept(version: str) -> None:
    keys = [row["key"] for row in Kept(version).rows]
    ends = {key.rpartition(":")[2] for key in keys}
    beside = {
        "snapshot",
        "keyframes",
        "retries",
        "people",
        "secrets",
        "archived",
        "dirty",
        "todo",
        "deadlines",
    }
    ranking = (
        "standings" if version == "0.1.0" else "scored"
    )  # what players are ranked by has another key since
    assert ends >= beside | {"log", "feed", "settled", ranking}
    assert any(key.startswith("rq:queue:") for key in keys), "jobs that nobody took"


@pytest.mark.parametrize("version", VERSIONS)
def test_every_settled_game_was_clean(version: str) -> None:
    seen = Kept(version).seen["games"]
    verdicts = {name: game["audit"]["verdict"] for name, game in seen.items() if "audit" in game}
    imported = {name for name in verdicts if name.startswith("imported")}
    assert {verdicts.pop(name) for name in imported} == {"incomplete"}, "signed with a key of another server"
    assert len(verdicts) >= 14
    assert set(verdicts.values()) == {"pass"}


@pytest.mark.parametrize("version", [version for version in VERSIONS if version != "0.1.0"])
def test_what_came_after_the_first_version_is_kept(version: str) -> None:
    kept = Kept(version)
    seen, games = kept.seen, [game["full"] for game in kept.seen["games"].values()]
    assert {seat["name"] for game in games for seat in game["seats"] if seat["bot"]} >= {"Deep", "Marvin"}
    assert {tuple(game["clock"]) for game in games if game["clock"]} >= {
        ("turn_seconds",),
        ("increment_seconds", "total_seconds"),
    }
    assert {tag for game in games for tag in game["tags"]} >= {"cup-7", "round.1"}
    assert "by_creator" in {game["abort_reason"] for game in games}
    assert {review["status"] for review in seen["reviews"].values()} >= {"done", "running"}
    assert all(seen["lists"][path] for path in seen["lists"] if "standings" in path)
    assert {len(rows) for rows in seen["webhooks"].values()} == {1, 3}
    logs = [row["value"] for row in kept.rows if row["key"].endswith(":log")]
    types = {json.loads(dict(fields)["e"])["type"] for log in logs for _, fields in log}
    assert types >= {"game_adjudicated", "seat_left", "seat_token_renewed", "entropy_revealed"}
