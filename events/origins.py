"""Where a game comes from: what is told of it before the settlement, and where a fork begins."""

from collections.abc import Mapping
from typing import Any

import msgspec

from events.canonical import canonical
from games.chance import Chance
from games.kernel import InvalidSetup, Ruleset


def without_position(origin: Mapping[str, Any]) -> dict[str, Any]:
    """An origin as it may be told during play: a position shows what is hidden, so it opens with the settlement."""
    return {member: value for member, value in origin.items() if member != "position"}


def position_of(state: Any) -> dict[str, Any]:
    """The position from which a fork of a game in this state begins: everybody is back at the table.

    The rules let no vacated seat win, but in a fork somebody sits there who has not left.
    """
    position = msgspec.json.decode(canonical(state), type=dict[str, Any])
    for player in position["players"]:
        if "vacated" in player:
            player["vacated"] = None
    return position


def redealt(ruleset: Ruleset[Any, Any], position: Any, chance: Chance) -> dict[str, Any]:
    """The position of a fork with everything dealt anew that no seat has seen, by the labels `fork/<kind>`."""
    try:
        state = ruleset.read_state(position)
    except msgspec.ValidationError as error:
        raise InvalidSetup("invalid_position", f"The position of a fork is a full state: {error}.") from None
    dealt = ruleset.zones.redealt(state, lambda kind, pool: chance.shuffle(f"fork/{kind}", pool))
    return msgspec.json.decode(canonical(dealt), type=dict[str, Any])


def check_position(position: Any) -> None:
    """A game begins with all its players, wherever it begins."""
    players = position.get("players") if isinstance(position, dict) else None
    for seat, player in enumerate(players if isinstance(players, list) else ()):
        if isinstance(player, dict) and player.get("vacated") is not None:
            raise InvalidSetup(
                "invalid_position", f"Seat {seat} is vacated: a game begins with all its players."
            )
