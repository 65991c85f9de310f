"""Actions that nobody meant: legal ones of this or another moment, with something about them changed."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

OUTLANDISH: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 99, 2**53, 1.0, 2.5, "", "nowhere", [], {}, [0], ["nowhere"], {"type": "x"},
)  # fmt: skip


def fuzzed(vocabulary: Sequence[Any], random: Random) -> Any:
    """An action as someone might send it: sound, slightly wrong, or nonsense."""
    action = dict(random.choice(vocabulary))
    for _ in range(random.choice((0, 1, 1, 1, 2))):
        action = random.choice(CHANGES)(action, vocabulary, random)
        if not isinstance(action, dict):
            break
    return action


def take_a_value_from_another(action: dict[str, Any], vocabulary: Sequence[Any], random: Random) -> Any:
    other = random.choice(vocabulary)
    shared = sorted((action.keys() & other.keys()) - {"type"})
    return {**action, (member := random.choice(shared)): other[member]} if shared else dict(other)


def take_an_outlandish_value(action: dict[str, Any], _: Sequence[Any], random: Random) -> Any:
    return {**action, random.choice(sorted(action)): random.choice(OUTLANDISH)}


def rework_a_value(action: dict[str, Any], _: Sequence[Any], random: Random) -> Any:
    member = random.choice(sorted(action))
    return {**action, member: reworked(action[member], random)}


def swap_two_values(action: dict[str, Any], _: Sequence[Any], random: Random) -> Any:
    one, other = random.choice(sorted(action)), random.choice(sorted(action))
    return {**action, one: action[other], other: action[one]}


def drop_a_member(action: dict[str, Any], _: Sequence[Any], random: Random) -> Any:
    gone = random.choice(sorted(action))
    return {member: value for member, value in action.items() if member != gone} or None


def add_a_member(action: dict[str, Any], vocabulary: Sequence[Any], random: Random) -> Any:
    other = random.choice(vocabulary)
    return {**other, **action} if other.keys() - action.keys() else {**action, "extra": 1}


def become_another_type(action: dict[str, Any], vocabulary: Sequence[Any], random: Random) -> Any:
    return {**action, "type": random.choice(vocabulary)["type"]}


def be_no_object(action: dict[str, Any], _: Sequence[Any], random: Random) -> Any:
    return random.choice((None, 7, "text", [action], [], True))


CHANGES: tuple[Callable[[dict[str, Any], Sequence[Any], Random], Any], ...] = (
    take_a_value_from_another,
    take_a_value_from_another,
    take_an_outlandish_value,
    rework_a_value,
    rework_a_value,
    swap_two_values,
    drop_a_member,
    add_a_member,
    become_another_type,
    be_no_object,
)


def reworked(value: Any, random: Random) -> Any:
    """The same kind of value, a little different."""
    match value:
        case bool():
            return not value
        case int():
            return value + random.choice((-1, 1, random.randint(-20, 20)))
        case str():
            return value + "_"
        case [*items] if items:
            return reworked_list(list(items), random)
        case dict() if value:
            member = random.choice(sorted(value))
            return {**value, member: reworked(value[member], random)}
        case _:
            return random.choice(OUTLANDISH)


def reworked_list(items: list[Any], random: Random) -> list[Any]:
    """Another order, one less, one twice, or one of them changed."""
    at = random.randrange(len(items))
    match random.randrange(4):
        case 0:
            return random.sample(items, len(items))
        case 1:
            return items[:at] + items[at + 1 :]
        case 2:
            return [*items, items[at]]
        case _:
            return [*items[:at], reworked(items[at], random), *items[at + 1 :]]
