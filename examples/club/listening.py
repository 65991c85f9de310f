"""Tells members what happens in their games, as the feed of the game server says it."""

import logging
import threading
from contextlib import closing

from club.store import Store
from stele_client import FeedEvent, Stele, SteleError

log = logging.getLogger(__name__)

WANTED = ("game_created", "turn", "game_ended", "game_aborted")
PAUSE = 5.0


class Listener:
    """Goes on after the last event that it has handled: one that comes twice tells nothing new."""

    def __init__(self, stele: Stele, store: Store) -> None:
        self._stele = stele
        self._store = store

    def start(self) -> None:
        threading.Thread(target=self.run, daemon=True, name="listener").start()

    def run(self) -> None:
        wait = threading.Event()
        while True:
            try:
                with closing(self._stele.feed(types=WANTED, after=self._store.cursor())) as feed:
                    for event in feed:
                        self.handle(event)
                        self._store.keep_cursor(event.cursor)
            except SteleError as error:
                log.warning("The feed has ended: %s", error)
            wait.wait(PAUSE)

    def handle(self, event: FeedEvent) -> None:
        refs = {seat["seat"]: seat["ref"] for seat in event.seats if seat["ref"]}
        link = f"/games/{event.game}"
        if event.rematch_of:
            for ref in self._store.seated(event.rematch_of) - set(refs.values()):
                text = "Somebody wants to play again."
                self._store.tell(ref, "rematch", event.rematch_of, text, f"/games/{event.rematch_of}")
        for seat, ref in refs.items():
            if event.type == "turn" and seat in event.to_act:
                self._store.tell(ref, "turn", event.game, "It is your move.", link)
            elif event.type != "game_created":
                self._store.forget_news(ref, event.game, "turn")
            if event.type in ("game_ended", "game_aborted"):
                self._store.tell(ref, "over", event.game, ending(event, seat), link)


def ending(event: FeedEvent, seat: int) -> str:
    if not event.outcome:
        return "The game was called off."
    return "You have won." if seat in event.outcome["winners"] else "The game is over."
