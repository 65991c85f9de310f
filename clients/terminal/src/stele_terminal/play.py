"""`stele play`: a game at the terminal, against bots of the server."""

import getpass
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile
from time import monotonic, sleep

import click
from rich.console import Console

from games.kernel import BOT_LEVELS
from replays.narration import LANGUAGES
from services.core.settings import CannotStart, read_settings
from services.host import die_with_parent
from services.host.up import url
from stele_client import Game, Player, Stele, SteleError
from stele_terminal.keyboard import Keyboard
from stele_terminal.seat import Seat, teller_for

SECONDS_TO_START = 60.0
UP = [sys.executable, "-P", "-c", "from services.cli import main; main()", "up"]
COME_BACK = {
    "en": "The game goes on without you. Come back with:",
    "fr": "La partie continue sans vous. Pour revenir :",
}


@click.command()
@click.argument("ruleset", required=False)
@click.option(
    "--against",
    "bots",
    type=click.Choice(BOT_LEVELS),
    multiple=True,
    default=["greedy"],
    show_default=True,
    help="Who plays against you; once for each opponent.",
)
@click.option("--name", default=getpass.getuser, show_default="your user name", help="What you are called.")
@click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--server", help="The server's address; one on this machine is found, or started, if left out.")
@click.option("--game", "game_id", help="Go on with this game, with --token, in place of a new one.")
@click.option("--token", help="The token of your seat in that game.")
def play(  # its options
    ruleset: str | None,
    bots: Sequence[str],
    name: str,
    language: str,
    server: str | None,
    game_id: str | None,
    token: str | None,
) -> None:
    """Play RULESET (babel, aton, temple_of_five, sa_re) here in the terminal.

    What you may do is chosen by numbers: first what kind of thing, then each of its parts. `q` leaves: you may resign,
    or come back to the game later.
    """
    if bool(game_id) != bool(token) or bool(game_id) == bool(ruleset):
        raise click.UsageError("Name a RULESET for a new game, or --game and --token of one that is played.")
    if not sys.stdin.isatty():
        raise click.UsageError("`stele play` needs a terminal; programs use the API (docs/clients.md).")
    with reached(server) as address, Stele(address, language=language) as stele:
        try:
            game = stele.game(game_id, token) if game_id else begin(stele, ruleset or "", name, bots)
            sit(stele, game, language, server)
        except SteleError as error:
            raise click.ClickException(error.detail) from None


def begin(stele: Stele, ruleset: str, name: str, bots: Sequence[str]) -> Game:
    """A new game against these bots."""
    players = [Player(name=name), *(Player(bot=bot) for bot in bots)]
    return stele.create(ruleset, players).players[0]


def sit(stele: Stele, game: Game, language: str, server: str | None) -> None:
    """Play, and say how to come back if the game is left before its end."""
    state = game.look()
    teller = teller_for(stele, state, language)
    ending: str | None = "left"
    try:
        with Keyboard() as keyboard:
            ending = Seat(game, state, teller, Console(), keyboard).play()
    except KeyboardInterrupt:
        click.echo()
    if ending == "left":
        click.echo(COME_BACK[language])
        where = f" --server {server}" if server else ""
        click.echo(f"stele play{where} --game {game.id} --token {game.token}")


# -- the server -------------------------------------------------------------------------------------------------------


@contextmanager
def reached(server: str | None) -> Iterator[str]:
    """The address of the server: the one that is named, the one that runs here, or one of our own meanwhile."""
    address = server or url(read_settings())
    if answers(address):
        yield address
    elif server:
        raise CannotStart(f"No Stele answers at {server}.")
    else:
        with started(address):
            yield address


def answers(address: str) -> bool:
    with Stele(address) as stele:
        return stele.is_ready()


@contextmanager
def started(address: str) -> Iterator[None]:
    """`stele up` for as long as we play; what it says is shown if it does not start."""
    click.echo("Starting a server …")
    with TemporaryFile() as said:
        server = die_with_parent.start(UP, env=os.environ, output=said)
        try:
            until = monotonic() + SECONDS_TO_START
            while not answers(address):
                if server.poll() is not None or monotonic() > until:
                    said.seek(0)
                    raise CannotStart(f"No server could be started.\n{said.read().decode(errors='replace')}")
                sleep(0.1)
            yield
        finally:
            server.terminate()
            server.wait()
