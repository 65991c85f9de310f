"""A game on the terminal, move by move."""

from rich.console import Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from services.cli.film import Film
from stele_terminal.keyboard import Keyboard
from stele_terminal.zones import Zones

SECONDS_A_SCENE = 1.0
HELP = {
    "en": "→ next · ← back · Home/End · 12 Enter: go to 12 · Space: play · q: quit",
    "fr": "→ suite · ← retour · Début/Fin · 12 Entrée : aller à 12 · Espace : lecture · q : quitter",
}


class Screen:
    """Where a watcher is in a game, and what keys do."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.version = film.first_with_board
        self.playing = False
        self.typed = ""
        self.over = False

    def press(self, key: str) -> None:
        """Do what a key asks for."""
        if key.isdecimal():
            self.typed += key
            return
        match key:
            case "right" | "n" | "l":
                self._go(self.version + 1)
            case "left" | "b" | "h":
                self._go(self.version - 1)
            case "home":
                self._go(1)
            case "end":
                self._go(len(self.film))
            case "enter":
                self._go(int(self.typed[:9]) if self.typed else self.version + 1)
            case "space":
                self.playing = not self.playing
            case "q" | "escape":
                self.over = True
        self.typed = self.typed[:-1] if key == "backspace" else ""

    def tick(self) -> None:
        """Time has passed: a game that is played goes on, and stops at its end."""
        self._go(self.version + 1, playing=True)
        self.playing = self.version < len(self.film)

    def _go(self, version: int, *, playing: bool = False) -> None:
        self.version = max(1, min(version, len(self.film)))
        self.playing = playing

    def __rich__(self) -> RenderableType:
        scene = self.film.scene(self.version)
        sign = "▶" if self.playing else "⏸"
        title = Text(f" {self.film.title} · {self.film.id} ")
        place = Text(f" {sign} {self.version}/{len(self.film)} · {scene.at} ")
        story = Text("\n").join([Text(scene.headline, "bold"), *map(Text, scene.sentences)])
        keys = Text(f"→ {self.typed}" if self.typed else HELP[self.film.teller.language], "dim", no_wrap=True)
        return Group(
            Panel(story, title=title, subtitle=place, title_align="left"),
            keys,
            *Zones(self.film.teller).of(scene.view),
        )


def watch(film: Film) -> None:
    """Show a game until the watcher has seen enough."""
    screen = Screen(film)
    with Keyboard() as keyboard, Live(screen, screen=True, auto_refresh=False) as live:
        while not screen.over:
            live.refresh()
            keys = keyboard.read(SECONDS_A_SCENE if screen.playing else None)
            for key in keys:
                screen.press(key)
            if not keys:
                screen.tick()
