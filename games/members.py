"""What every member of a game's states, facts, actions and options is, in a sentence, for the schemas of the game.

They stand in `members.json` of the game's package, by `Struct.member`, or by `member` where it is the same everywhere in
the game; what all games share stands in `games/members.json`. `structs` describes classes that do not describe
themselves, `refers_to` says what the parameters of actions name, `slots` what each place of an ordered list means.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, NamedTuple

import msgspec


class Members(NamedTuple):
    """The members of one game in sentences."""

    members: Mapping[str, str]
    structs: Mapping[str, str]
    refers_to: Mapping[str, str]
    slots: Mapping[str, list[str]]

    def about(self, struct: str, member: str) -> str | None:
        """What a member of a struct is."""
        return self.members.get(f"{struct}.{member}") or self.members.get(member)


@cache
def members_of(game: str) -> Members:
    """The members of a game, with those that it shares with all others."""
    shared, own = read_members("games"), read_members(f"games.{game}")
    parts = [shared.get(part, {}) | own.get(part, {}) for part in Members._fields]
    return Members(*parts)


def read_members(package: str) -> dict[str, dict[str, Any]]:
    if find_spec(package) is None or not files(package).joinpath("members.json").is_file():
        return {}
    source = files(package).joinpath("members.json").read_bytes()
    return msgspec.json.decode(source, type=dict[str, dict[str, Any]])
