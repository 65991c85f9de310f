"""A board for a game that has drawn none of its own: what the view tells, zone by zone, in panels."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from games.kernel import GameState
from games.pictures import (
    HEADING,
    TALL_WIDTH,
    WIDTH,
    Layout,
    Scene,
    Zone,
    board,
    colours,
    heading,
    panel,
    part,
    plate,
    tall_heading,
    words,
)
from games.svg import Element

ROW = 24
LEFT_OUT = frozenset({"options", "players", "outcome", "to_act"})
"""Members of a state that the heading, the plates or nobody tells."""
WORDS = {"en": {"title": "{game}, {moment}"}, "fr": {"title": "{game}, {moment}"}}


def draw(view: GameState, game: str, scene: Scene) -> str:
    """What lies on the table first, then each player's part."""
    title = scene.say("title", WORDS, game=scene.word(game), moment=_moment(view, scene))
    shared = list(_zones(msgspec.to_builtins(view), scene))
    tall = scene.shape == "tall"
    parts = [(tall_heading if tall else heading)(scene, scene.word(game), _moment(view, scene))]
    y = HEADING + (16.0 if tall else 10.0)
    parts.append(_listed(scene, "table", shared, y))
    y += _height(shared)
    sentences = [f"{scene.about(name, value)}." for name, value in shared]
    for seat, player in enumerate(view.players):
        rows = list(_zones(msgspec.to_builtins(player), scene))
        parts.append(plate(scene, seat, Zone(20, y, _width(scene) - 40, 42), to_act=seat in view.to_act))
        parts.append(_listed(scene, f"player-{seat}", rows, y + 48))
        y += 48 + _height(rows)
        sentences += [f"{scene.player(seat)}:", *(f"{name} {value}." for name, value in rows)]
    return board(scene, y, title, " ".join(sentences), parts)


def layout(component_set: str) -> Layout:
    """Nothing has a fixed place here."""
    return Layout(WIDTH, HEADING, {}, {}, colours({}))


def _moment(view: GameState, scene: Scene) -> str:
    if view.outcome:
        return scene.end(view.outcome.winners, view.outcome.reason)
    return scene.moment(view.to_act, scene.word(view.phase))


def _width(scene: Scene) -> int:
    return TALL_WIDTH if scene.shape == "tall" else WIDTH


def _height(rows: Sequence[tuple[str, str]]) -> float:
    return len(rows) * ROW + 26


def _listed(scene: Scene, name: str, rows: Sequence[tuple[str, str]], y: float) -> Element:
    theme, width, smallest = scene.theme, _width(scene) - 40, scene.smallest
    middle = 34 + width * 0.29
    how: dict[str, Any] = {"size": max(16, smallest), "smallest": smallest}
    return part(
        panel(theme, Zone(20, y, width, len(rows) * ROW + 16)),
        *(words(theme, 34, y + 26 + at * ROW, label, quiet=True, width=middle - 44, **how) for at, (label, _) in enumerate(rows)),
        *(words(theme, middle, y + 26 + at * ROW, value, width=width - middle + 10, **how) for at, (_, value) in enumerate(rows)),
        id=name,
    )  # fmt: skip


def _zones(members: Mapping[str, Any], scene: Scene) -> Iterator[tuple[str, str]]:
    """What lies where, in words; of what is hidden, how much it is."""
    for name, value in members.items():
        if name in LEFT_OUT or (name.endswith("_count") and name.removesuffix("_count") in members):
            continue
        if value is None:
            if f"{name}_count" in members:
                yield scene.word(name), f"({members[f'{name}_count']})"
        elif value not in ([], {}):
            yield scene.word(name), _in_words(value, scene)


def _in_words(value: Any, scene: Scene) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{scene.word(name)} {_in_words(each, scene)}" for name, each in value.items())
    if isinstance(value, list):
        return " ".join(_in_words(each, scene) for each in value)
    return "·" if value is None else scene.word(value)
