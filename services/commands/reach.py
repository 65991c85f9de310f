"""What a command needs to work on the games of a store."""

from typing import NamedTuple

import click
from redis.exceptions import RedisError

from events.keys import is_game_id
from events.store import EventStore
from games import RULESETS
from games.kernel import Registry
from services.archive import FileArchive
from services.connections import connect
from services.embedded import store_url
from services.settings import CannotStart, archive_dir, read_settings
from services.signing import Keyring, make_signer


class Reached(NamedTuple):
    """The store of the settings, with the keys and rulesets of this server."""

    store: EventStore
    keys: Keyring
    rulesets: Registry


def reach() -> Reached:
    """Connect to the store that the settings name."""
    settings = read_settings()
    try:
        client = connect(store_url(settings))
    except RedisError:
        raise CannotStart(
            "The store does not answer: run `stele up` beside this command, or name the store (STELE_STORE_URL)."
        ) from None
    keys = Keyring(make_signer(settings), client)
    keys.announce()
    store = EventStore(client, FileArchive(archive_dir(settings)))
    return Reached(store, keys, known_rulesets())


def known_rulesets() -> Registry:
    """The games of the house, or those that the caller of the command brings."""
    return click.get_current_context().find_object(Registry) or RULESETS


def check_game(store: EventStore, game_id: str) -> None:
    """Refuse an id that no game of the store has."""
    if not is_game_id(game_id) or store.head(game_id).seq == 0:
        raise CannotStart(f"There is no game {game_id}.")
