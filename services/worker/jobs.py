"""The jobs by the names under which the queue knows them, done in this process's workshop."""

from functools import cache

from services.core.archive import FileArchive
from services.core.archiving import Archivist
from services.core.datadir import token_key
from services.core.settings import archive_dir, read_settings
from services.worker.archiving import archive_for_a_while
from services.worker.deliveries import Couriers
from services.worker.queue import open_when_there
from services.worker.workshop import Workshop


@cache
def workshop() -> Workshop:
    """The workshop of this process, as its environment names store and queue."""
    return Workshop(*open_when_there(read_settings()))


def project(games: list[str]) -> None:
    workshop().project(games)


def play_bots(game: str) -> None:
    workshop().play_bots(game)


def think(game: str) -> None:
    workshop().think(game)


def settle(game: str) -> None:
    workshop().settle(game)


def expire(game: str) -> None:
    workshop().expire(game)


def review(game: str) -> None:
    workshop().review(game)


@cache
def couriers() -> Couriers:
    """The deliveries of this process."""
    settings, here = read_settings(), workshop()
    private = settings.webhook_allow_private == 1
    return Couriers(here.ledger.store.client, here.queue, token_key(settings), allow_private=private)


def deliver(webhook: str) -> None:
    couriers().send_off(webhook)


def archive(days: str) -> None:
    archivist = Archivist(workshop().ledger, FileArchive(archive_dir(read_settings())))
    archive_for_a_while(archivist, int(days), workshop().queue)
