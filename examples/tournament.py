"""A round-robin tournament: everyone plays everyone, at home and away, while you look on.

    python examples/tournament.py http://127.0.0.1:8000 HOST_TOKEN --ruleset babel --tag spring-cup

Two of the four players are bots of the server, two play here. The games carry a tag: the feed tells what happens in
them, and the server keeps the standings. Started again with the same tag, it goes on where it was.
"""

import argparse
import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from itertools import permutations

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from stele_client import Action, AsyncGame, AsyncStele, AsyncTurn, Player, Standing

Strategy = Callable[[AsyncTurn], Action]


def dice(turn: AsyncTurn) -> Action:
    """Any action."""
    return random.choice(turn.actions)


def busy(turn: AsyncTurn) -> Action:
    """Any action that is not the end of something, as long as there is one."""
    active = [action for action in turn.actions if not action["type"].startswith(("end", "pass", "stop"))]
    return random.choice(active or turn.actions)


PLAYERS: dict[str, Player] = {
    "greta": {"name": "Greta", "ref": "greta", "bot": "greedy"},
    "randi": {"name": "Randi", "ref": "randi", "bot": "random"},
    "dora": {"name": "Dora", "ref": "dora"},
    "bess": {"name": "Bess", "ref": "bess"},
}
STRATEGIES: dict[str, Strategy] = {"dora": dice, "bess": busy}


class Scoreboard:
    """What is shown: how many games are settled, what happens just now, who leads."""

    def __init__(self, games: int) -> None:
        self._progress = Progress(TextColumn("{task.description:60}"), BarColumn(), MofNCompleteColumn())
        self._bar = self._progress.add_task("", total=games)
        self.standings: list[Standing] = []

    def tell(self, news: str) -> None:
        self._progress.update(self._bar, description=news)

    def settled(self) -> None:
        self._progress.advance(self._bar)

    def __rich__(self) -> Group:
        table = Table("player", "played", "won", "shared", "lost", "points")
        for one in self.standings:
            counts = (one.played, one.won, one.shared, one.lost, one.points)
            table.add_row(one.name or one.ref, *map(str, counts))
        return Group(self._progress, table)


class Tournament:
    def __init__(self, stele: AsyncStele, ruleset: str, tag: str, board: Scoreboard) -> None:
        self.stele, self.ruleset, self.tag, self.board = stele, ruleset, tag, board
        self._tables = asyncio.Semaphore(6)  # games at once

    async def run(self) -> None:
        listening = asyncio.create_task(self.listen())
        await asyncio.gather(*(self.match(*pair) for pair in permutations(PLAYERS, 2)))
        while sum(one.played for one in await self.refresh()) < 2 * len(list(permutations(PLAYERS, 2))):
            await asyncio.sleep(0.5)  # the standings follow the games after a moment
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening

    async def listen(self) -> None:
        """Show what happens, as the feed tells it."""
        async for event in self.stele.feed(tag=self.tag):
            names = " – ".join(str(seat["ref"]) for seat in event.seats)
            self.board.tell(f"{names}: {event.type}, entry {event.version}")

    async def match(self, *pair: str) -> None:
        """One game, from its creation to its settlement; the key makes it the same game if this is started again."""
        async with self._tables:
            players = [PLAYERS[ref] for ref in pair]
            key = f"{self.tag}-{self.ruleset}-{'-'.join(pair)}"
            table = await self.stele.create(self.ruleset, players, tags=[self.tag], key=key)
            seats = table.players.items()
            await asyncio.gather(*(self.play(game, STRATEGIES[pair[seat]]) for seat, game in seats))
            async for _ in table.game.follow(after=table.state.version):
                pass
        self.board.settled()
        await self.refresh()

    async def play(self, game: AsyncGame, choose: Strategy) -> None:
        async for turn in game.my_turns():
            await turn.play(choose(turn))

    async def refresh(self) -> list[Standing]:
        self.board.standings = [one async for one in self.stele.standings(tag=self.tag)]
        return self.board.standings


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("server", help="the server's address")
    parser.add_argument("token", help="a host's token")
    parser.add_argument("--ruleset", default="babel", help="babel, aton, temple_of_five, sa_re")
    parser.add_argument("--tag", default="spring-cup", help="what the games are found by")
    wanted = parser.parse_args()
    board = Scoreboard(len(list(permutations(PLAYERS, 2))))
    async with AsyncStele(wanted.server, wanted.token) as stele:
        with Live(board, console=Console(), refresh_per_second=8):
            await Tournament(stele, wanted.ruleset, wanted.tag, board).run()


if __name__ == "__main__":
    asyncio.run(main())
