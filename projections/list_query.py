"""Queries of the lobby and result lists, and the sorted sets that a game is indexed in.

A list's name tells what its games have in common: `lobby:playing:babel:host=club:tag=cup`. Public and private games
have lists of their own. A player's ref belongs to the host that gave it, so there are lists for the ref whoever gave
it (`player=*/ada`) and for that host's (`player=club/ada`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Protocol
from urllib.parse import quote

from events.game import Game

LISTS_FORMAT = "2"
"""Goes up when games stand in other lists than before; each partition is marked with that of its lists."""
ANY = "*"
"""Stands for every status, ruleset or host; nothing that is listed is called so."""


ListRoot = Callable[[str | None, str | None], str]
"""What the names of a kind of lists begin with, by status and ruleset."""


class ListRow(Protocol):
    """What a list keeps of a game, as far as it can be asked for."""

    @property
    def ruleset(self) -> str: ...
    @property
    def host(self) -> str | None: ...
    @property
    def private(self) -> bool: ...
    @property
    def subjects(self) -> Sequence[str]: ...


@dataclass(frozen=True)
class ListQuery:
    """Which games someone wants listed, and may see."""

    status: str | None = None
    ruleset: str | None = None
    host: str | None = None
    tag: str | None = None
    player: str | None = None
    to_act: str | None = None
    giver: str = ANY
    """The host whose refs are meant by `player` and `to_act`."""
    private_of: str | None = None
    """The host whose private games are shown too; `*` for all."""

    @property
    def subjects(self) -> list[str]:
        """What the games must be about; the one that fits the fewest games comes first."""
        by_ref = {"to_act": self.to_act, "player": self.player}
        subjects = [ref_subject(kind, self.giver, ref) for kind, ref in by_ref.items() if ref is not None]
        return subjects + ([] if self.tag is None else [f"tag={self.tag}"])

    def fits(self, row: ListRow) -> bool:
        """Is this a game that was asked for, by someone who may see it?"""
        return (
            (not row.private or self.private_of in (ANY, row.host or ""))
            and self.ruleset in (None, row.ruleset)
            and self.host in (None, row.host)
            and all(subject in row.subjects for subject in self.subjects)
        )

    def names(self, root: ListRoot) -> list[str]:
        """The narrowest lists that hold all of these games: first the public ones."""
        subject = self.subjects[0] if self.subjects else None
        of = narrowed(root, self.status, self.ruleset, subject)
        names = [list_name(of, self.host, subject)]
        own = None if self.private_of == ANY else self.private_of
        if self.private_of is not None and (own is None or self.host in (None, own)):
            names.append(list_name(of, self.host or own, subject, private=True))
        return names


def ref_subject(kind: str, giver: str | None, ref: str) -> str:
    return f"{kind}={giver or ''}/{ref}"


def narrowed(root: ListRoot, status: str | None, ruleset: str | None, subject: str | None) -> str:
    """What the name of a list begins with: what one subject has in common is few games, so it is divided no further.

    Whoever plays much has more games that are over than those that go on: these are told apart by status.
    """
    kind = subject and subject.partition("=")[0]
    return root(None if kind == "to_act" else status, None if kind else ruleset)


def list_name(root: str, host: str | None, subject: str | None, *, private: bool = False) -> str:
    """The list of the games that have this in common; those of a ref are for all hosts' games together."""
    by_ref = subject is not None and not subject.startswith("tag=")
    parts = [
        root,
        "private" if private else "",
        f"host={quoted(host)}" if host and not by_ref else "",
        subject,
    ]
    return ":".join(part for part in parts if part)


def quoted(text: str) -> str:
    """A text that a caller chose, without anything that parts names."""
    return quote(text, safe="")


def list_names(root: ListRoot, row: ListRow, status: str | None = None) -> tuple[str, ...]:
    """Every list that a game stands in."""
    return _names_of(root, status, row.ruleset, row.host, tuple(row.subjects), row.private)


@lru_cache(1024)
def _names_of(
    root: ListRoot,
    status: str | None,
    ruleset: str,
    host: str | None,
    subjects: tuple[str, ...],
    private: bool,
) -> tuple[str, ...]:
    """The same for all games that have this in common, as many have."""
    statuses = (None, status) if status else (None,)
    hosts = (None, host) if host else (None,)
    keys = product(statuses, (None, ruleset), hosts, (None, *subjects))
    names = {
        list_name(narrowed(root, at, rules, of), giver, of, private=private) for at, rules, giver, of in keys
    }
    return tuple(sorted(names))


def subjects_of(game: Game) -> list[str]:
    """What a game is about: its tags, its players and who of them is to act."""
    return sorted({*(f"tag={tag}" for tag in game.created.tags), *_refs(game)})


def _refs(game: Game) -> Iterator[str]:
    for seat, chair in enumerate(game.chairs):
        if chair.ref is None:
            continue
        kinds = ("player", "to_act") if seat in game.to_act else ("player",)
        for kind, giver in product(kinds, (ANY, giver_of(game, seat))):
            yield ref_subject(kind, giver, chair.ref)


def giver_of(game: Game, seat: int) -> str:
    """The host to which the ref of this seat belongs: whoever brought the player, else the game's own."""
    brought_by = (game.chairs[seat].seated_by or {}).get("host")
    return str(brought_by or game.created.host or "")


def players_of(refs: Iterable[str | None]) -> list[str]:
    """The subjects of a row that was kept before there were subjects."""
    return [ref_subject("player", ANY, ref) for ref in refs if ref is not None]
