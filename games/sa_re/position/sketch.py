"""The shape of a position: a state of which anything may be left out, or put shortly (4.3)."""

from typing import Annotated, Any, Literal

import msgspec

from games.sa_re.state import Obelisk, Options, Phase, Source, Stage

Count = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
"""Something that play counts up: far from the largest integer that the log can hold."""


class Sketch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Part of a position. What is null is filled in; derived members are read past."""


class TileSketch(Sketch, frozen=True):
    building: str
    built: bool | None = None
    token: bool | None = None
    used: bool | None = None
    number: int | None = None
    steps: int | None = None
    step_done: bool | None = None
    new: bool | None = None
    moved: bool | None = None
    cost: Any = None


class StockSketch(Sketch, frozen=True):
    wood: int = 0
    gold: int = 0
    stone: int = 0
    joker: int = 0


class CardSketch(Sketch, frozen=True):
    id: str
    joker: bool | None = None
    exchanged: bool | None = None


class PendingSketch(Sketch, frozen=True):
    id: str
    owed: bool | None = None
    level: int | None = None


class TempleCardSketch(Sketch, frozen=True):
    id: str
    dark: bool | None = None


class SequenceSketch(Sketch, frozen=True):
    seat: int | None = None
    drawn: Count | None = None
    owed: Count | None = None
    pending: tuple[str | PendingSketch, ...] | None = None
    temple: tuple[str | TempleCardSketch, ...] | None = None
    troubles: Count | None = None
    passed_to: tuple[int, ...] | None = None
    produced: bool | None = None
    final: bool | None = None


class PaymentSketch(Sketch, frozen=True):
    source: Source
    gives: tuple[str, ...] | None = None
    card: str | CardSketch | None = None


class WorkSketch(Sketch, frozen=True):
    kind: Literal["build", "caravan"]
    seat: int | None = None
    space: int | None = None
    paid: tuple[PaymentSketch, ...] | None = None
    uncovered: Any = None


SpaceSketch = tuple[str | TileSketch, ...]


class PlayerSketch(Sketch, frozen=True):
    spaces: dict[str, SpaceSketch] | tuple[SpaceSketch, ...] | None = None
    stock: StockSketch | None = None
    caravans: int | None = None
    caravans_new: int | None = None
    revolt: int | None = None
    revolt_limit: Any = None
    penalty: Any = None
    growth: tuple[Stage, ...] | None = None
    ever_built: tuple[str, ...] | None = None
    obelisk: Obelisk | None = None
    cards: tuple[str | CardSketch, ...] | None = None
    built_this_round: Count | None = None
    undone: tuple[str, ...] | None = None
    to_place: tuple[str, ...] | None = None
    vacated: Literal["resigned", "timed_out"] | None = None


class PositionSketch(Sketch, frozen=True):
    options: Options | None = None
    phase: Phase | None = None
    round: Count | None = None
    first_seat: int | None = None
    active_seat: int | None = None
    to_act: Any = None
    decision: Any = None
    players: tuple[PlayerSketch | None, ...] | None = None
    supply: dict[str, int] | None = None
    pyramids: tuple[int, ...] | None = None
    deck: tuple[str, ...] | None = None
    deck_count: Any = None
    deck_face_up: bool | None = None
    top_known_to: int | None = None
    top_card: Any = None
    set_aside: tuple[str, ...] | None = None
    set_aside_count: Any = None
    discard: tuple[str, ...] | None = None
    sequence: SequenceSketch | None = None
    reactions: tuple[int, ...] | None = None
    work: WorkSketch | None = None
    cancelled: tuple[str, ...] | None = None
    outcome: None = None
