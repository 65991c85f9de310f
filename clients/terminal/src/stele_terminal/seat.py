"""A seat at the terminal: the board, what happens in sentences, and what to do by a few keys."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol

import msgspec
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from games.words import Words
from replays.narration import Teller
from stele_client import Frame, Game, GameState, Stele, SteleError
from stele_terminal.choices import ENDED, Choice, Option, Question
from stele_terminal.zones import Zones

SENTENCES = 12
"""How much of what happened stays on the screen."""
WIDEST = 2000
"""Characters of a value: who plays must see all of it."""
PASSED = frozenset({"decision_passed", "game_over", "seat_withdrawn", "deadline_passed"})
"""Refusals after which there is nothing to choose any more."""
WORDS = {
    "en": {
        "action": "What do you do?",
        "keys": "number: choose · ←: back · q: leave",
        "waiting": "Waiting for {players} …",
        "leaving": "r: resign · l: leave the game as it is and come back later · any other key: play on",
        "end": "that is all",
        "over": "The game is over.",
        "open": "Waiting for players …",
    },
    "fr": {
        "action": "Que faites-vous ?",
        "keys": "numéro : choisir · ← : retour · q : quitter",
        "waiting": "En attente de {players} …",
        "leaving": "r : abandonner · l : laisser la partie en l'état et revenir plus tard · autre touche : continuer",
        "end": "c'est tout",
        "over": "La partie est finie.",
        "open": "En attente de joueurs …",
    },
}
Leaving = Literal["resigned", "left"]


class Keys(Protocol):
    """Where keys come from."""

    def read(self, seconds: float | None) -> list[str]: ...


def teller_for(stele: Stele, state: GameState, language: str) -> Teller:
    """Who tells this game, with the words that the server has for it."""
    words = stele.ruleset(state.ruleset)
    sentences = Words(**{part: words[part][language] for part in Words._fields})
    return Teller(sentences, language, [seat.name for seat in state.seats])


class Seat:
    """A player at the terminal."""

    def __init__(self, game: Game, state: GameState, teller: Teller, console: Console, keys: Keys) -> None:
        assert state.you is not None, "who plays has a seat"
        self.game, self.seat, self.teller = game, state.you, teller
        self.console, self.keys = console, keys
        self.zones = Zones(teller, WIDEST)
        self.words = WORDS[teller.language]
        self.title = f"{teller.label(state.ruleset)} · {game.id}"
        self.view: Any = None
        self.story: list[str] = []
        self.pressed: list[str] = []

    def play(self) -> Leaving | None:
        """Play until the game is over (None), or its player has enough of it."""
        answered: int | None = None
        for frame in self.game.frames(actions=True):
            self.hear(frame)
            if frame.is_over:
                self.show(Text(self.words["over"], "bold"))
                return None
            decision = frame.decisions.get(self.seat)
            if frame.actions and decision != answered:
                answered = decision
                if leaving := self.answer(frame):
                    return leaving
            else:
                self.show(Text(self.waiting_for(frame), "dim"))
        return None

    def hear(self, frame: Frame) -> None:
        """Take note of what happened."""
        event = msgspec.to_builtins(frame.event)
        self.story += self.teller.event(event, frame.view, self.view)
        self.view = frame.view

    def waiting_for(self, frame: Frame) -> str:
        players = self.teller.listed([self.teller.player(seat) for seat in frame.to_act])
        return self.words["waiting"].format(players=players) if players else self.words["open"]

    # -- choosing -----------------------------------------------------------------------------------------------------

    def answer(self, frame: Frame) -> Leaving | None:
        """Ask until something was done that the rules accept, or the player leaves."""
        decision, actions = frame.decisions[self.seat], frame.actions or []
        while True:
            chosen = self.choose(actions)
            if not isinstance(chosen, dict):
                return chosen
            try:
                self.game.act(chosen, decision=decision)
            except SteleError as refused:
                if refused.is_temporary:
                    raise
                self.story.append(refused.detail)
                if refused.code in PASSED or len(actions) == 1:
                    return None
            else:
                return None

    def choose(self, actions: Sequence[dict[str, Any]]) -> dict[str, Any] | Leaving:
        """One of these actions, by as many keys as it takes to tell them apart."""
        choice = Choice(actions)
        while question := choice.question:
            self.show(self.menu(question, choice.typed))
            key = self.key()
            if key in ("q", "escape"):
                if leaving := self.leave():
                    return leaving
            else:
                choice.press(key)
        return dict(choice.action)

    def leave(self) -> Leaving | None:
        """Ask whether to resign or to come back later."""
        self.show(Text(self.words["leaving"], "bold"))
        match self.key():
            case "r":
                self.game.resign()
                return "resigned"
            case "l":
                return "left"
        return None

    def key(self) -> str:
        while not self.pressed:
            self.pressed = self.keys.read(None)
        return self.pressed.pop(0)

    # -- showing ------------------------------------------------------------------------------------------------------

    def show(self, below: RenderableType) -> None:
        """The whole screen anew: the board, what happened, and below it what is to be done."""
        self.console.clear()
        story = Text("\n").join(map(Text, self.story[-SENTENCES:]))
        panel = Panel(story, title=Text(f" {self.title} "), title_align="left")
        self.console.print(Group(*self.zones.of(self.view), panel, below))

    def menu(self, question: Question, typed: str) -> RenderableType:
        """A question and its numbered answers."""
        options = Columns(
            [Text.assemble((f"{number} ", "bold cyan"), label) for number, label in self.labels(question)],
            padding=(0, 3),
        )
        return Group(
            Text(self.wording(question), "bold"), options, Text(f"{self.words['keys']}  {typed}", "dim")
        )

    def wording(self, question: Question) -> str:
        """What is asked; once it is clear what kind of thing will be done, with its name."""
        if question.member == "type":
            return self.words["action"]
        kind = question.options[0].actions[0]["type"]
        return f"{self.teller.label(kind, 'action')} · {self.teller.label(question.member)}"

    def labels(self, question: Question) -> Iterator[tuple[str, str]]:
        for number, option in question.numbered():
            yield number, self.label(question.member, option)

    def label(self, member: str, option: Option) -> str:
        """An answer in words; of a list none of whose items differ, the items."""
        if option.value is ENDED:
            return self.words["end"]
        if member == "type":
            return self.teller.label(option.value, "action")
        return self.zones.words(option.value, member) or "–"
