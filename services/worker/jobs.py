"""The jobs by the names that the queue holds. These names are stored: a job of an earlier release must find its function."""

from functools import cache

from services.core.archive import FileArchive
from services.core.archivist import Archivist
from services.core.datadir import token_key
from services.core.settings import archive_dir, read_settings
from services.core.web_push import make_push_key
from services.worker.archive_job import archive_due_games
from services.worker.job_handlers import JobHandlers
from services.worker.log_writer import LogWriter, make_log_writer
from services.worker.push_sender import PushSender
from services.worker.queue import open_when_available
from services.worker.webhook_sender import WebhookSender


@cache
def job_handlers() -> JobHandlers:
    """The workshop of this process, as its environment names store and queue."""
    return JobHandlers(*open_when_available(read_settings()))


def play_bots(game: str) -> None:
    job_handlers().play_bots(game)


def think(game: str) -> None:
    job_handlers().think(game)


def settle(game: str) -> None:
    job_handlers().settle(game)


def expire(game: str) -> None:
    job_handlers().expire(game)


def review(game: str) -> None:
    job_handlers().review(game)


def hint(game: str) -> None:
    job_handlers().hint(game)


def rate(_ratings: str) -> None:
    job_handlers().rate()


@cache
def webhook_sender() -> WebhookSender:
    """The deliveries of this process."""
    settings, here = read_settings(), job_handlers()
    private = settings.webhook_allow_private == 1
    return WebhookSender(here.ledger.store.client, here.queue, token_key(settings), allow_private=private)


def deliver(webhook: str) -> None:
    webhook_sender().start_delivery(webhook)


@cache
def push_sender() -> PushSender:
    """The push messages of this process."""
    settings, here = read_settings(), job_handlers()
    private = settings.webhook_allow_private == 1
    return PushSender(here.ledger, here.queue, make_push_key(settings), allow_private=private)


def push(game: str) -> None:
    push_sender().start_sending(game)


@cache
def log_writer() -> LogWriter | None:
    """Who writes the transparency log, if this server keeps one."""
    settings, here = read_settings(), job_handlers()
    return make_log_writer(settings, here.ledger.store.client, here.queue)


def write_log(_log: str) -> None:
    if writer := log_writer():
        writer.start()


def archive(days: str) -> None:
    archivist = Archivist(job_handlers().ledger, FileArchive(archive_dir(read_settings())))
    archive_due_games(archivist, int(days), job_handlers().queue)
