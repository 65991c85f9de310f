"""Zones: where a game's components lie, who sees them, and which member counts them, declared once.

From a game's table of zones come its views, the check that no component is lost or doubled, what a position leaves
unnamed, and *determinisation*: a full state at random that fits a view.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal

from games.chance import Stream
from games.kernel.grammar import S, Seat, T, Viewer, replace

Component = Hashable
Components = tuple[Any, ...]
Contents = Mapping[str, Sequence[Component]]
"""Every component of a box, by kind."""
Sight = Literal["everyone", "owner", "nobody"] | Callable[[Any, Seat, Viewer], bool]
"""Who sees a zone: always the same, or as a function of state, owner (−1: the table's) and viewer says."""
TABLE: Seat = -1
"""The owner of what belongs to nobody."""
OPEN_SECRETS = "secrets"
"""What `seen` calls the secrets of others that lie open."""


def _everyone(state: Any, owner: Seat, viewer: Viewer) -> bool:
    return True


def _owner(state: Any, owner: Seat, viewer: Viewer) -> bool:
    return viewer == owner


def _nobody(state: Any, owner: Seat, viewer: Viewer) -> bool:
    return False


_SIGHTS = {"everyone": _everyone, "owner": _owner, "nobody": _nobody}


def _sight(seen_by: Sight) -> Callable[[Any, Seat, Viewer], bool]:
    return seen_by if callable(seen_by) else _SIGHTS[seen_by]


def _nothing_seen(state: Any, owner: Seat, viewer: Viewer) -> Components:
    return ()


def _nothing_derived(state: S) -> S:
    return state


@dataclass(frozen=True, kw_only=True)
class Hideable(Generic[S]):
    """A member of a state, or of every player, that not everyone may see."""

    member: str
    seen_by: Sight = "everyone"

    def is_hidden(self, state: S, owner: Seat, viewer: Viewer) -> bool:
        """Whether a viewer may not see this member of this owner now."""
        return not _sight(self.seen_by)(state, owner, viewer)

    def hidden(self, holder: Any) -> dict[str, Any]:
        """What changes in its holder when this is hidden."""
        return {self.member: None}


@dataclass(frozen=True, kw_only=True)
class Zone(Hideable[S]):
    """A list of components: a member of the state or, with `each_player`, of every player.

    A game whose components lie in another form than a list says so by `contents`, or, where they can be hidden, by a
    zone of its own that replaces the methods below.
    """

    kind: str | Callable[[S, Seat], str]
    """What lies here. Components of one kind can lie in all zones of that kind."""
    each_player: bool = False
    contents: Callable[[Any], Iterable[Component]] | None = None
    """The components here, told from the state or the player, where the member is no list of them."""
    top_seen: Callable[[S, Seat, Viewer], Components] = _nothing_seen
    """What a viewer knows of a zone that it does not see: its first components, from the top."""
    order: Callable[[Iterable[Any]], Iterable[Any]] = tuple
    """How components lie that are put here in any order: `sorted`, or as they come."""

    @property
    def count(self) -> str:
        """The member that counts this zone when it is hidden."""
        return f"{self.member}_count"

    def kind_at(self, state: S, owner: Seat) -> str:
        return self.kind if isinstance(self.kind, str) else self.kind(state, owner)

    def lying(self, holder: Any) -> Components | None:
        """The components here, of the state or the player that has this zone; None where they are not shown."""
        if self.contents is not None:
            return tuple(self.contents(holder))
        components: Components | None = getattr(holder, self.member)
        return components

    def size(self, holder: Any) -> int:
        """How many components lie in a zone that is not shown."""
        number: int = getattr(holder, self.count)
        return number

    def filled(self, holder: Any, components: Components) -> dict[str, Any]:
        """What changes in its holder when these components lie here."""
        return {self.member: tuple(self.order(components))}


@dataclass(frozen=True, kw_only=True)
class Secret(Hideable[S]):
    """Something that a player has decided and keeps to itself: a member of every player that is no component."""

    guess: Callable[[S, Seat, Stream], Any]
    """A value at random that it may have, in a state of which everything else is known."""


def without(zone: Sequence[T] | None, component: T | None) -> tuple[T, ...] | None:
    """A zone that one component has left; what cannot be seen stays unseen."""
    if zone is None or component is None:
        return None
    at = zone.index(component)
    return (*zone[:at], *zone[at + 1 :])


def joined(zone: Sequence[T] | None, components: Sequence[T] | None) -> tuple[T, ...] | None:
    """A zone with these components at its end; what cannot be seen stays unseen."""
    return None if zone is None or components is None else (*zone, *components)


class Zones(Generic[S]):
    """A game's table of zones."""

    def __init__(
        self,
        *zones: Zone[S],
        box: Contents | Callable[[S], Contents],
        secrets: Sequence[Secret[S]] = (),
        derive: Callable[[S], S] = _nothing_derived,
    ) -> None:
        """`box` is every component of a game by its kind; `derive` works out what follows from zones that were filled."""
        self.zones = zones
        self.secrets = secrets
        self._box_of = box if callable(box) else None
        self._always = {} if callable(box) else box
        self._derive = derive
        self._hideable = hideable = [zone for zone in zones if zone.seen_by != "everyone"]
        self._counted = [zone for zone in hideable if type(zone) is Zone]
        self.counts = frozenset(zone.count for zone in self._counted)
        """The members of a state, or of its players, that count a zone."""
        plain = [zone for zone in self._counted if not callable(zone.seen_by)]
        by_circumstance = [zone for zone in hideable if zone not in plain]
        self._at_times_on_table = [zone for zone in by_circumstance if not zone.each_player]
        at_times_of_players: list[Hideable[S]] = [
            *[zone for zone in by_circumstance if zone.each_player],
            *[secret for secret in secrets if callable(secret.seen_by)],
        ]
        self._at_times_of_players = [(_sight(each.seen_by), each) for each in at_times_of_players]
        of_players: list[Hideable[S]] = [
            *[zone for zone in plain if zone.each_player],
            *[secret for secret in secrets if not callable(secret.seen_by)],
        ]
        self._hides_something_of_players = bool(of_players or at_times_of_players)
        self._hidden_on_table: dict[str, Any] = {zone.member: None for zone in plain if not zone.each_player}
        self._hidden_from_others: dict[str, Any] = {each.member: None for each in of_players}
        self._hidden_from_owner: dict[str, Any] = {
            each.member: None for each in of_players if each.seen_by == "nobody"
        }

    # -- who sees what ------------------------------------------------------------------------------------------

    def view(self, state: S, viewer: Viewer) -> S:
        """The state as a viewer may see it: hidden zones are null, their counts stay."""
        hidden = self._hidden_on_table.copy()
        for zone in self._at_times_on_table:
            if zone.is_hidden(state, TABLE, viewer):
                hidden.update(zone.hidden(state))
        if self._hides_something_of_players:
            hidden["players"] = tuple(
                [self._player_seen(state, seat, player, viewer) for seat, player in enumerate(state.players)]
            )
        return replace(state, **hidden)

    def _player_seen(self, state: S, seat: Seat, player: Any, viewer: Viewer) -> Any:
        unseen = self._hidden_from_owner if seat == viewer else self._hidden_from_others
        for sees, each in self._at_times_of_players:
            if not sees(state, seat, viewer):
                unseen = unseen | each.hidden(player)
        return replace(player, **unseen) if unseen else player

    # -- what lies where ----------------------------------------------------------------------------------------

    def _box(self, state: S) -> Contents:
        return self._box_of(state) if self._box_of else self._always

    def box(self, state: S) -> dict[str, Counter[Any]]:
        """Every component of this game, by kind."""
        return {kind: Counter(components) for kind, components in self._box(state).items()}

    def lying(self, state: S) -> dict[str, Counter[Any]]:
        """Every component that lies somewhere, as far as it is shown, by kind."""
        tally: dict[str, Counter[Any]] = {kind: Counter() for kind in self._box(state)}
        for zone, owner, holder in self._places(state):
            components = zone.lying(holder)
            if components:
                tally[zone.kind_at(state, owner)].update(components)
        return tally

    def unplaced(self, state: S, kind: str) -> list[Any]:
        """The components of a kind that lie nowhere yet, in the order of the box."""
        lying: Counter[Any] = Counter()
        for zone, owner, holder in self._places(state):
            if zone.kind_at(state, owner) == kind:
                lying.update(zone.lying(holder) or ())
        return _all_but(lying, self._box(state)[kind])

    def counted(self, state: S) -> S:
        """The state with every count as its zone lies; a zone that is left out counts as empty."""

        def counts(holder: Any, each_player: bool) -> dict[str, int]:
            zones = [zone for zone in self._counted if zone.each_player == each_player]
            return {zone.count: len(zone.lying(holder) or ()) for zone in zones}

        players = tuple(replace(player, **counts(player, True)) for player in state.players)
        return replace(state, players=players, **counts(state, False))

    def _places(self, state: S) -> Iterator[tuple[Zone[S], Seat, Any]]:
        """Every zone with its owner and what holds it."""
        for zone in self.zones:
            if zone.each_player:
                yield from ((zone, seat, player) for seat, player in enumerate(state.players))
            else:
                yield zone, TABLE, state

    # -- what may lie where -------------------------------------------------------------------------------------

    def determinise(self, view: S, viewer: Viewer, dice: Stream) -> S:
        """A full state at random that agrees with everything that this viewer can see in its view."""
        hidden = self._hidden(view, viewer)
        pools = self._unseen(view, viewer, hidden, dice)
        state = view
        for zone, owner in hidden:
            holder = state if owner == TABLE else state.players[owner]
            top = zone.top_seen(view, owner, viewer)
            pool = pools[zone.kind_at(view, owner)]
            number = zone.size(holder) - len(top)
            components = (*top, *[pool.pop() for _ in range(number)])
            changes = zone.filled(holder, components)
            state = replace(state, **changes) if owner == TABLE else state.with_player(owner, **changes)
        assert not any(pools.values()), f"components that no zone has room for: {pools}"
        for secret in self.secrets:
            for seat in range(len(state.players)):
                if secret.is_hidden(view, seat, viewer):
                    state = state.with_player(seat, **{secret.member: secret.guess(state, seat, dice)})
        return self._derive(state)

    def seen(self, state: S, viewer: Viewer) -> dict[str, Counter[Any]]:
        """The components that a viewer sees or knows of, by kind; and, as one kind more, the secrets of others."""
        view = self.view(state, viewer)
        seen = self._known(view, viewer, self._hidden(view, viewer))
        return seen | {OPEN_SECRETS: Counter(self._open_secrets(state, viewer))}

    def hidden_parts(self, state: S, viewer: Viewer) -> tuple[Any, ...]:
        """What lies hidden from a viewer, place by place: while it stays the same, nothing comes into sight."""
        parts: list[Any] = list(self._open_secrets(state, viewer))
        for zone in self._hideable:
            holders = enumerate(state.players) if zone.each_player else ((TABLE, state),)
            for owner, holder in holders:
                if zone.is_hidden(state, owner, viewer):
                    parts += (zone.lying(holder), zone.top_seen(state, owner, viewer))
                else:
                    parts.append(None)
        return tuple(parts)

    def _open_secrets(self, state: S, viewer: Viewer) -> Iterator[tuple[str, Seat]]:
        """The secrets of others that a viewer may see now."""
        for secret in self.secrets:
            for seat in range(len(state.players)):
                if seat != viewer and not secret.is_hidden(state, seat, viewer):
                    yield secret.member, seat

    def _hidden(self, view: S, viewer: Viewer) -> list[tuple[Zone[S], Seat]]:
        """The zones that a viewer does not see, with their owners."""
        return [
            (zone, owner)
            for zone, owner, _ in self._places(view)
            if zone.seen_by != "everyone" and zone.is_hidden(view, owner, viewer)
        ]

    def piles(self, state: S) -> dict[tuple[str, Seat], Components]:
        """What lies where no seat knows it, by member and owner."""
        return {(zone.member, owner): unknown for zone, owner, _, unknown in self._face_down(state)}

    def redrawn(self, state: S, dice: Stream) -> S:
        """The state with all dealt anew that no seat knows; hands, and what somebody knows, stay as they are."""
        return self.redealt(state, lambda kind, pool: dice.shuffle(pool)[::-1])

    def redealt(self, state: S, shuffle: Callable[[str, Sequence[Any]], Iterable[Any]]) -> S:
        """The same with a shuffle for each kind of component: its first result lies first in the order of this table."""
        pools: dict[str, list[Any]] = {}
        for zone, owner, _, unknown in self._face_down(state):
            pools.setdefault(zone.kind_at(state, owner), []).extend(unknown)
        shuffled = {kind: iter(shuffle(kind, pool)) for kind, pool in pools.items() if pool}
        dealt = state
        for zone, owner, top, unknown in self._face_down(state):
            pool = shuffled.get(zone.kind_at(state, owner), iter(()))
            components = (*top, *[next(pool) for _ in unknown])
            changes = zone.filled(dealt if owner == TABLE else dealt.players[owner], components)
            dealt = replace(dealt, **changes) if owner == TABLE else dealt.with_player(owner, **changes)
        return self._derive(dealt)

    def _face_down(self, state: S) -> Iterator[tuple[Zone[S], Seat, Components, Components]]:
        """Every zone that no seat sees, with its owner, what somebody knows of its top, and the rest."""
        seats = range(len(state.players))
        for zone, owner, holder in self._places(state):
            if zone.seen_by != "everyone" and all(zone.is_hidden(state, owner, seat) for seat in seats):
                top = max((zone.top_seen(state, owner, seat) for seat in seats), key=len)
                yield zone, owner, top, (zone.lying(holder) or ())[len(top) :]

    def _known(self, view: S, viewer: Viewer, hidden: list[tuple[Zone[S], Seat]]) -> dict[str, Counter[Any]]:
        """The components that a view shows, and those that its viewer knows of in hidden zones, by kind."""
        seen = self.lying(view)
        for zone, owner in hidden:
            seen[zone.kind_at(view, owner)].update(zone.top_seen(view, owner, viewer))
        return seen

    def _unseen(
        self, view: S, viewer: Viewer, hidden: list[tuple[Zone[S], Seat]], dice: Stream
    ) -> dict[str, list[Any]]:
        """The components that a viewer cannot see, in random order, by kind."""
        seen = self._known(view, viewer, hidden)
        return {
            kind: list(dice.shuffle(_all_but(seen[kind], components)))
            for kind, components in self._box(view).items()
        }


def _all_but(lying: Counter[Any], components: Iterable[Component]) -> list[Any]:
    """The components that are left over when these lie somewhere, in their order."""
    left = []
    for component in components:
        if lying[component] > 0:
            lying[component] -= 1
        else:
            left.append(component)
    return left
