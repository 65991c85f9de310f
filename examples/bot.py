"""A bot in Python: it sits down at a game and plays it to the end.

python examples/bot.py http://127.0.0.1:8000 babel            # a new game against the server's greedy bot
python examples/bot.py http://127.0.0.1:8000 --join GAME_ID   # a free seat of a game that waits for players
python examples/bot.py http://127.0.0.1:8000 --token TOKEN --join GAME_ID   # a seat that somebody gave it
"""

import argparse
import asyncio
import random

from stele_client import Action, AsyncGame, AsyncStele, AsyncTurn


def choose(turn: AsyncTurn) -> Action:
    """Put your own thinking here: `turn.view` is the board as this seat sees it, `turn.actions` all it may do."""
    kinds = sorted({action["type"] for action in turn.actions})
    kind = random.choice(kinds)  # each kind is as likely, however many ways there are to do it
    return random.choice([action for action in turn.actions if action["type"] == kind])


async def play(game: AsyncGame) -> None:
    """Answer every turn until the game is over."""
    async for turn in game.my_turns():
        await turn.play(choose(turn))
    state = await game.look()
    print(f"{game.id}: {state.outcome or state.abort_reason}")


async def seat(stele: AsyncStele, wanted: argparse.Namespace) -> AsyncGame:
    """The seat that was given, a free one, or one at a new table."""
    if wanted.token:
        return stele.game(wanted.join, wanted.token)
    if wanted.join:
        return await stele.join(wanted.join, "A bot")
    table = await stele.create(wanted.ruleset, [{"name": "A bot"}, {"bot": "greedy"}])
    return table.players[0]


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("url", help="where the server is, such as http://127.0.0.1:8000")
    parser.add_argument("ruleset", nargs="?", default="babel", help="babel, aton, temple_of_five, sa_re")
    parser.add_argument("--join", metavar="GAME_ID", help="play in this game")
    parser.add_argument("--token", help="a seat's token in that game")
    wanted = parser.parse_args()
    async with AsyncStele(wanted.url) as stele:
        await play(await seat(stele, wanted))


if __name__ == "__main__":
    asyncio.run(main())
