"""Component sets: what lies in the box, as data that says of itself where each figure comes from."""

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any, Generic, TypeVar

import msgspec

from games.canonical import digest

B = TypeVar("B")


class ComponentSet(msgspec.Struct, Generic[B], frozen=True):
    """One data file: its name, its contents as published, the hash that logs name it by, and its typed form."""

    name: str
    data: dict[str, Any]
    sha256: str
    box: B


class InvalidComponentSet(ValueError):
    """A component set breaks a constraint; the message names the file and the fault."""


def read_component_set(source: bytes, box_type: type[B], *, origin: str) -> ComponentSet[B]:
    """Read one set. It is named by its member `id`; `box_type` refuses what it does not know."""
    try:
        data = msgspec.json.decode(source, type=dict[str, Any])
        box = msgspec.json.decode(source, type=box_type)
    except msgspec.DecodeError as error:
        raise InvalidComponentSet(f"{origin}: {error}") from None
    name = data.get("id")
    if not isinstance(name, str):
        raise InvalidComponentSet(f"{origin}: it has no `id`")
    return ComponentSet(name, data, digest(data), box)


def load_component_sets(folder: Traversable, box_type: type[B]) -> Mapping[str, ComponentSet[B]]:
    """Every `*.json` of a game's `components/` folder, by name: dropping a file in adds a set."""
    sets: dict[str, ComponentSet[B]] = {}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".json"):
            component_set = read_component_set(file.read_bytes(), box_type, origin=file.name)
            sets[component_set.name] = component_set
    return sets
