"""A Swiss tournament: each round pairs players with equal scores who have not met, while you look on.

    python examples/tournament.py http://127.0.0.1:8000 HOST_TOKEN --players 40 --rounds 5 --tag spring-cup

The director (a host) creates all games of a round at once, finds a substitute for a player who stays away, and gives
time to a table that begins late. The players play here, each on its own stream. The games carry a tag: the feed tells
what happens in them, and the server keeps the standings. Started again with the same tag, it goes on where it was.
"""

import argparse
import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from stele_client import Action, AsyncBatchItem, AsyncGame, AsyncStele, AsyncTurn, Clock, NewGame, Standing

CLOCK: Clock = {"total_seconds": 900, "increment_seconds": 5}
EXTRA_SECONDS = 60
"""What both players of a table get that begins late."""
SHOWN = 12
"""Players on the board."""
Strategy = Callable[[AsyncTurn], Action]


def dice(turn: AsyncTurn) -> Action:
    """Any action."""
    return random.choice(turn.actions)


def busy(turn: AsyncTurn) -> Action:
    """Any action that is not the end of something, as long as there is one."""
    active = [action for action in turn.actions if not action["type"].startswith(("end", "pass", "stop"))]
    return random.choice(active or turn.actions)


@dataclass
class Entrant:
    """A place in the tournament: who plays for it, its score, and the places it has met."""

    name: str
    ref: str
    choose: Strategy
    score: int = 0
    met: set[int] = field(default_factory=set)

    def is_replaced(self) -> None:
        """Somebody else plays on for it."""
        self.name, self.ref = f"Substitute of {self.name}", f"{self.ref}-sub"


def pairs(places: Sequence[int], entrants: Sequence[Entrant]) -> list[tuple[int, int]] | None:
    """Pair the first with the next whom it has not met, and so on; None if that does not work out."""
    if not places:
        return []
    first, *others = places
    for second in others:
        if second in entrants[first].met:
            continue
        rest = pairs([place for place in others if place != second], entrants)
        if rest is not None:
            return [(first, second), *rest]
    return None


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
        table = Table("player", "played", "won alone", "shared", "lost", "points")
        for one in self.standings[:SHOWN]:
            counts = (one.played, one.won_alone, one.shared, one.lost, one.points)
            table.add_row(one.name or one.ref, *map(str, counts))
        return Group(self._progress, table)


class Tournament:
    def __init__(self, stele: AsyncStele, ruleset: str, tag: str, players: int, board: Scoreboard) -> None:
        self.stele, self.ruleset, self.tag, self.board = stele, ruleset, tag, board
        self.entrants = [
            Entrant(f"Player {place + 1}", f"p{place + 1}", (dice, busy)[place % 2])
            for place in range(players)
        ]

    async def run(self, rounds: int) -> None:
        listening = asyncio.create_task(self.listen())
        for number in range(1, rounds + 1):
            await self.round(number)
        while sum(one.played for one in await self.refresh()) < rounds * len(self.entrants):
            await asyncio.sleep(0.5)  # the standings follow the games after a moment
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening

    async def listen(self) -> None:
        """Show what happens, as the feed tells it."""
        async for event in self.stele.feed(tag=self.tag):
            names = " – ".join(str(seat["ref"]) for seat in event.seats)
            self.board.tell(f"{names}: {event.type}, entry {event.version}")

    async def round(self, number: int) -> None:
        """Pair the players, create all games at once, and have them played."""
        order = sorted(range(len(self.entrants)), key=lambda place: -self.entrants[place].score)
        paired = pairs(order, self.entrants)
        if paired is None:
            raise SystemExit(f"Round {number}: there are too few players for so many rounds.")
        keys = [f"{self.tag}-{number}-{board}" for board in range(len(paired))]
        wanted = [self.wanted(key, pair) for key, pair in zip(keys, paired, strict=True)]
        tables = await self.stele.create_many(wanted)
        late, absent = tables[0], tables[-1]
        for seat in late.players:
            await late.game.add_time(seat, EXTRA_SECONDS, key=f"{keys[0]}-time-{seat}")
        absent = await self.substitute(absent, paired[-1][0], keys[-1])
        matches = zip([*tables[:-1], absent], paired, strict=True)
        await asyncio.gather(*(self.match(table, *pair) for table, pair in matches))

    def wanted(self, key: str, pair: tuple[int, int]) -> NewGame:
        """A game of two entrants; by its key it is the same game if this is started again."""
        players = [self.entrants[place] for place in pair]
        return {
            "key": key,
            "ruleset": self.ruleset,
            "players": [{"name": player.name, "ref": player.ref} for player in players],
            "tags": [self.tag],
            "clock": CLOCK,
        }

    async def substitute(self, table: AsyncBatchItem, place: int, key: str) -> AsyncBatchItem:
        """The first player of a table stays away: somebody else takes over the seat, and plays on from now on."""
        entrant = self.entrants[place]
        entrant.is_replaced()
        other = await table.game.hand_over(0, entrant.name, ref=entrant.ref, key=f"{key}-substitute")
        return AsyncBatchItem(table.game, {**table.players, 0: other})

    async def match(self, table: AsyncBatchItem, *pair: int) -> None:
        """One game, to its settlement."""
        seats = table.players.items()
        await asyncio.gather(*(self.play(game, self.entrants[pair[seat]].choose) for seat, game in seats))
        async for _ in table.game.follow(after=1):
            pass
        winners = ((await table.game.look()).outcome or {"winners": []})["winners"]
        for seat, place in enumerate(pair):
            self.entrants[place].met |= {*pair}
            self.entrants[place].score += (2 if len(winners) == 1 else 1) if seat in winners else 0
        self.board.settled()

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
    parser.add_argument("--players", type=int, default=8, help="how many play: an even number")
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    board = Scoreboard(wanted.rounds * wanted.players // 2)
    async with AsyncStele(wanted.server, wanted.token) as stele:
        with Live(board, console=Console(), refresh_per_second=8):
            await Tournament(stele, wanted.ruleset, wanted.tag, wanted.players, board).run(wanted.rounds)


if __name__ == "__main__":
    asyncio.run(main())
