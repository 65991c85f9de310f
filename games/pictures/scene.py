"""What a board is drawn from besides the view, and what front-ends want to know of where things lie."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

import msgspec

from games.kernel import GameState, Seat, Viewer
from games.pictures.light import LIGHT, THEMES, Theme

V = TypeVar("V", bound=GameState)

Shape = Literal["wide", "tall"]
"""Of a board: for a screen that is wider than high, or for a phone that is held upright."""
SHAPES: tuple[Shape, ...] = ("wide", "tall")
SMALLEST: Mapping[Shape, int] = {"wide": 14, "tall": 19}
"""The smallest text: 11 pixels on a screen of 800, 12 on one of 390."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {"seat": "Seat {seat}", "to_act": "{who}: {what}", "and": "and", ";": "; ", "won": "{who} won", "nobody": "nobody won",
           "you": "you", "about": "{name}: {what}"},
    "fr": {"seat": "Joueur {seat}", "to_act": "{who} : {what}", "and": "et", ";": " ; ", "won": "victoire : {who}",
           "nobody": "personne ne gagne", "you": "vous", "about": "{name} : {what}"},
}  # fmt: skip
"""The words that pictures of all games need besides each game's `names`."""


class Scene(msgspec.Struct, frozen=True):
    """All that a board is drawn from besides the view."""

    viewer: Viewer = None
    """Whose view it is: that seat's things lie near."""
    players: Sequence[str | None] = ()
    """The name of each seat."""
    latest: Sequence[Mapping[str, Any]] = ()
    """The facts of the latest entry, as on the wire, as this viewer may see them."""
    words: Mapping[str, str] = {}
    """The game's `names` in the language of the picture."""
    language: str = "en"
    theme: Theme = LIGHT
    shape: Shape = "wide"

    @property
    def smallest(self) -> int:
        """The size of the smallest text."""
        return SMALLEST[self.shape]

    def word(self, key: object) -> str:
        """What a thing is called; a thing without a name goes by its id."""
        return self.words.get(str(key), str(key))

    def value(self, member: str, value: object) -> str:
        """What a value of a member is called, where that is not simply the word for it."""
        return self.words.get(f"{member}.{value}") or self.word(value)

    def say(self, key: str, own: Mapping[str, Mapping[str, str]] = WORDS, /, **parts: object) -> str:
        """Words of pictures, with their blanks filled."""
        return own[self.language][key].format(**parts)

    def player(self, seat: Seat) -> str:
        """Who sits there."""
        name = self.players[seat] if seat < len(self.players) else None
        return name or self.say("seat", seat=seat)

    def listed(self, words: Sequence[str]) -> str:
        """Words in a row: a, b and c."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {self.say('and')} {words[-1]}"

    def about(self, name: str, what: object) -> str:
        """What a part is called, and what there is to say of it."""
        return self.say("about", name=name, what=what)

    def moment(self, to_act: Sequence[Seat], what: str) -> str:
        """Who is to do what."""
        return self.say("to_act", who=self.listed([self.player(seat) for seat in to_act]), what=what)

    def end(self, winners: Sequence[Seat], reason: str) -> str:
        """Who won, and why."""
        who = self.listed([self.player(seat) for seat in winners])
        return (
            self.say("won", who=who) if winners else self.say("nobody")
        ) + f" ({self.value('reason', reason)})"

    def touched(self, places: Mapping[str, Sequence[str]]) -> frozenset[str]:
        """The places of the latest entry: by the type of a fact, how they are called, its members in braces."""
        return frozenset(
            place.format_map(fact) for fact in self.latest for place in places.get(fact["type"], ())
        )


class Zone(msgspec.Struct, frozen=True):
    """Where something lies on a board."""

    x: float
    y: float
    width: float
    height: float


class Layout(msgspec.Struct, frozen=True):
    """What a front-end that draws by itself wants to know: where things lie, their signs and colours."""

    width: int
    height: int
    zones: Mapping[str, Zone]
    """Parts of the board, by the ids that `board.svg` gives them."""
    signs: Mapping[str, str]
    """Outlines to fill, in a square of 24: path data by the id of what they stand for."""
    colours: Mapping[str, Mapping[str, str]]
    """By the name of the theme, then by the id of what wears the colour."""


def colours(kinds: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The colours of kinds, given by the names of their hues, in every theme."""
    return {name: {kind: theme.hues[hue] for kind, hue in kinds.items()} for name, theme in THEMES.items()}


class Picture(Generic[V]):
    """One picture on its way: what every part of a drawing knows."""

    def __init__(self, view: V, scene: Scene, latest: frozenset[str]) -> None:
        self.view = view
        self.scene = scene
        self.theme: Theme = scene.theme
        self.near: Seat = scene.viewer or 0
        """The seat whose things lie near; a spectator sits with seat 0."""
        self.latest = latest
        """The places that wear gold."""
