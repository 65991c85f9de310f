"""The Python client over a server that dies on the way: whole games, no turn lost, none played twice."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from random import Random

import pytest

from stele_client import AsyncGame, AsyncStele, Event, Game, Player, Stele
from tests.clients.roles import ROLES
from tests.seeding import rotated
from tests.servers import PATIENCE
from tests.system import stele as system
from tests.system.test_every_game import SHORT

KILLED = rotated(["babel", "sa_re", "aton", "temple_of_five"])
PLAYERS: list[Player] = [{"name": "Ann"}, {"name": "Ben"}]


@pytest.fixture(scope="module")
def mortal() -> Iterator[system.Stele]:
    """A server of which parts may be killed."""
    with system.stele_up(**ROLES) as server:
        yield server


class Killer:
    """Kills the API once, when so many actions have been played."""

    def __init__(self, server: system.Stele, after: int) -> None:
        self.server, self.after = server, after
        self.played = 0
        self.lock = threading.Lock()

    def count(self) -> None:
        with self.lock:
            self.played += 1
            if self.played == self.after:
                assert self.server.kill("services.api")


def check(events: list[Event], again: list[Event], answers: list[tuple[int, str]]) -> None:
    """Nothing was missed while the server was away, and each action that was answered stands once."""
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.hash for event in again] == [event.hash for event in events]
    actions = [(event.seq, event.hash) for event in events if event.type == "action_taken"]
    assert sorted(answers) == actions
    assert events[-1].type == "game_settled"


@pytest.mark.parametrize("ruleset", KILLED)
def test_async_bots_play_a_whole_game_while_the_api_is_killed(mortal: system.Stele, ruleset: str) -> None:
    killer = Killer(mortal, 17)
    answers: list[tuple[int, str]] = []

    async def play(game: AsyncGame, dice: Random) -> None:
        async for turn in game.my_turns():
            done = await turn.play(dice.choice(turn.actions))
            answers.append((done.version, done.hash))
            await asyncio.to_thread(killer.count)

    async def watch(game: AsyncGame) -> list[Event]:
        return [event async for event in game.follow()]

    async def whole_game() -> None:
        async with AsyncStele(mortal.url) as server:
            table = await server.create(ruleset, PLAYERS, options=SHORT.get(ruleset))
            players = (play(game, Random(seat)) for seat, game in table.players.items())
            watching = asyncio.create_task(watch(table.game))
            await asyncio.gather(*players)
            check(await watching, [event async for event in table.game.events()], answers)
            assert (await table.game.audit()).verdict == "pass"

    asyncio.run(asyncio.wait_for(whole_game(), 120))
    assert killer.played > killer.after


def test_bots_without_an_event_loop_do_the_same(mortal: system.Stele) -> None:
    killer = Killer(mortal, 11)
    answers: list[tuple[int, str]] = []

    def play(game: Game, dice: Random) -> None:
        for turn in game.my_turns():
            done = turn.play(dice.choice(turn.actions))
            answers.append((done.version, done.hash))
            killer.count()

    with Stele(mortal.url) as server:
        table = server.create("aton", PLAYERS)
        threads = [started(play, game, Random(seat)) for seat, game in table.players.items()]
        events = list(table.game.follow())
        for thread in threads:
            thread.join(PATIENCE)
        check(events, list(table.game.events()), answers)
    assert killer.played > killer.after


def started(play: Callable[[Game, Random], None], game: Game, dice: Random) -> threading.Thread:
    thread = threading.Thread(target=play, args=(game, dice), daemon=True)
    thread.start()
    return thread
