"""Who looks ahead knows no more than its seat: bots that search choose alike in twin games, and no game in play is reviewed."""

from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from typing import Any

import pytest

from games.canonical import canonical
from games.chance import Stream
from games.kernel import SEARCHING
from games.search import Strong
from services.worker.hint_job import hint_body
from services.worker.job_handlers import JobHandlers
from services.worker.queue import WorkQueue
from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, Table
from tests.leaks.conftest import DATABASES
from tests.leaks.twins import Twins, but_for_hashes, twins_at
from tests.rulesets.kit import Kit
from tests.rulesets.kits import KITS
from tests.rulesets.playing import Moment, each_kit, situations
from tests.seeding import rotated
from tests.servers import ValkeyServer

A_LITTLE = 0.05
"""Of the playouts that `strong` has: every level takes the same way."""
TWINS = 5
ENOUGH = 100
"""Twins among which a bot that peeks does something else at least once: many moments leave it no choice."""


@pytest.fixture(scope="module")
def sights() -> Iterator[list[bytes]]:
    """What bots that search were given to look at; they think less than usual."""
    noted: list[bytes] = []
    usual = Strong.choose

    def choose(bot: Strong[Any, Any], view: Any, seat: int, dice: Stream) -> Any:
        noted.append(canonical(view))
        return usual(bot, view, seat, dice)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Strong, "choose", choose)
        for level in SEARCHING:
            patch.setitem(SEARCHING, level, A_LITTLE)
        yield noted


@pytest.fixture(scope="module")
def workshops(servers: tuple[Api, Api], valkey: ValkeyServer) -> Iterator[tuple[JobHandlers, JobHandlers]]:
    """A worker for each server."""
    clients = [valkey.client(db=database) for database in DATABASES]
    one, other = (
        JobHandlers(api.context.ledger, WorkQueue(client))
        for api, client in zip(servers, clients, strict=True)
    )
    yield one, other
    for client in clients:
        client.close()


def moments_of_all_kinds(kit: Kit, random: Random) -> Iterator[Moment]:
    """Moments of games in play at random, rare situations as often as common ones."""
    kinds = [moments for situation, moments in situations(kit).items() if situation != "ended"]
    while True:
        yield random.choice(random.choice(kinds))


def twins_of_bots(servers: tuple[Api, Api], kit: Kit, name: str) -> Iterator[Twins]:
    """Twin games in which a bot that searches is to act, who cannot tell them apart: for a name always the same."""
    random, levels = Random(f"{name} {kit}"), cycle(SEARCHING)
    for number, moment in enumerate(moments_of_all_kinds(kit, random)):
        seat = random.choice(moment.state.to_act)
        twins = twins_at(servers, moment, seat, random, f"{name}-{kit}-{number}", next(levels))
        if twins and seat in twins.states()[0].to_act:
            yield twins


@each_kit
def test_bots_that_search_see_and_choose_the_same_in_twin_games(
    servers: tuple[Api, Api], workshops: tuple[JobHandlers, JobHandlers], sights: list[bytes], kit: Kit
) -> None:
    for twins in islice(twins_of_bots(servers, kit, "ahead"), TWINS):
        pairs = list(zip(workshops, twins.games, strict=True))
        version, _ = twins.games[0].head
        one, other = (first_sight(sights, workshop, table) for workshop, table in pairs)
        assert one == other
        choice, twin = (acted(table, version) for table in twins.games)
        assert choice == twin


@pytest.mark.parametrize("kit", rotated(KITS, most=3), ids=str)
def test_a_bot_that_peeks_is_given_away_by_its_choices(
    servers: tuple[Api, Api],
    workshops: tuple[JobHandlers, JobHandlers],
    sights: list[bytes],
    kit: Kit,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it is given to look at is the same in twin games; only what it does shows that it knows more."""
    for twins in islice(twins_of_bots(servers, kit, "peek"), ENOUGH):
        version, _ = twins.games[0].head
        seen = []
        for workshop, table in zip(workshops, twins.games, strict=True):
            monkeypatch.setattr("games.search.worlds_seen", lambda *_, table=table: lambda _: truth_of(table))
            seen.append(first_sight(sights, workshop, table))
        assert seen[0] == seen[1]
        choice, twin = (acted(table, version) for table in twins.games)
        if choice != twin:
            return
    pytest.fail("none of its choices differed")


def truth_of(table: Table) -> Any:
    """A game's full state, which no bot is given."""
    return table.api.context.ledger.get(table.id).game.state


def first_sight(sights: list[bytes], workshop: JobHandlers, table: Table) -> bytes:
    """Let a game's bot think: what it was given to look at. Bots of earlier games that wait lose their turns to it."""
    while workshop.queue.thoughts.next():
        pass
    sights.clear()
    workshop.think(table.id)
    return sights[0]


def acted(table: Table, before: int) -> bytes:
    """What was done in this game first after so many entries."""
    return canonical(table.api.context.store.read(table.id)[before].data.action)


@each_kit
def test_hints_are_the_same_in_twin_games(servers: tuple[Api, Api], sights: list[bytes], kit: Kit) -> None:
    random = Random(f"hint {kit}")
    seats = ((moment, random.choice(moment.state.to_act)) for moment in moments_of_all_kinds(kit, random))
    found = (
        (seat, twins_at(servers, moment, seat, random, f"hint-{kit}-{number}"))
        for number, (moment, seat) in enumerate(seats)
    )
    asked = ((seat, twins) for seat, twins in found if twins and seat in twins.states()[0].to_act)
    for seat, twins in islice(asked, TWINS):
        one, other = (hint_for(table, seat) for table in twins.games)
        assert one == other
    assert sights, "the search was asked"


def hint_for(table: Table, seat: int) -> bytes:
    """What a worker would keep for this seat."""
    ledger = table.api.context.ledger
    return hint_body(ledger, ledger.get(table.id).game, seat)


@each_kit
def test_a_game_in_play_is_not_reviewed_and_the_refusal_tells_nothing(
    servers: tuple[Api, Api], kit: Kit
) -> None:
    random = Random(f"review {kit}")
    found = (
        twins_at(servers, moment, viewer, random, f"review-{kit}-{number}-{viewer}")
        for number, moment in enumerate(moments_of_all_kinds(kit, random))
        for viewer in moment.game.viewers
    )
    for twins in islice(filter(None, found), 3):
        for token in (twins.games[0].token(twins.viewer), CLUB, SCHOOL, OPERATOR):
            for method in ("POST", "GET", "DELETE"):
                refuse_a_review(twins, method, token)
        assert all(table.api.context.reviews.under_way() == {} for table in twins.games)


def refuse_a_review(twins: Twins, method: str, token: str | None) -> None:
    """Whoever asks, both games answer the same, which is no."""
    one, other = (table.api.send(method, f"{table.path}/review", None, token) for table in twins.games)
    assert one.code in ("not_settled", "forbidden", "unauthorized"), one
    assert but_for_hashes(one) == but_for_hashes(other), method
